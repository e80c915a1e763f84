import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { attempt, claimedDelivery, update } from '../../../storage-contract/src/samples/queue-samples.js'
import { account, endpoint as endpointOf } from '../../../storage-contract/src/samples/samples.js'
import { openSav, recordingHttp } from '../../test/open-sav.js'
import type { AttemptOutcome } from '../delivery/delivery-queue.js'
import { fixedClock, httpAnswer } from '../testing/index.js'
import { toInstant } from '../time/time.js'
import type { WorkerEvent } from '../worker.js'
import type { EndpointRecord } from './endpoint.js'
import { createEndpointHealth, decideHealth } from './endpoint-health.js'

const day = 86_400_000
const now = Date.UTC(2026, 0, 15, 10, 30)

const endpoint = (fields: Partial<EndpointRecord> = {}) => endpointOf('default', 'wh_1', fields)

const success = { succeeded: true, exhausted: false, status: 200 }
const failure = { succeeded: false, exhausted: false, status: 500 }
const failedDelivery = { ...failure, exhausted: true }

const hour = 3_600_000
const second = 1000

/** The endpoint after deliveries that failed at these times after `now`, in milliseconds. */
const afterFailures = (...times: readonly number[]) =>
  times.reduce((judged, time) => decideHealth(judged, failedDelivery, now + time), endpoint())

describe('an endpoint', () => {
  it('that answers does not change', () => {
    const healthy = endpoint()
    expect(decideHealth(healthy, success, now)).toBe(healthy)
  })

  it('has been failing since its first failure, not its latest', () => {
    const failing = decideHealth(endpoint(), failure, now)
    expect(failing).toEqual(endpoint({ failing_since: toInstant(now) }))
    expect(decideHealth(failing, failure, now + day)).toBe(failing)
  })

  it('is no longer failing after a success, and earlier failures no longer count', () => {
    expect(decideHealth(afterFailures(0, 13 * hour), success, now + 14 * hour)).toEqual(endpoint())
    const again = decideHealth(decideHealth(afterFailures(0), success, now + 6 * hour), failedDelivery, now + 13 * hour)
    expect(again.failures?.counted_since).toBeNull()
  })

  it.each([
    ['one', [0], null],
    ['two, 12 hours apart', [0, 12 * hour], 12 * hour],
    ['two, almost 12 hours apart', [0, 12 * hour - 1], null],
    ['two, 24 hours apart', [0, 24 * hour], 24 * hour],
    ['two, more than 24 hours apart', [0, 24 * hour + 1], null],
    ['many within a morning', [0, 1, 2, 3, 4, 5].map((n) => n * hour), null],
    ['one a day that comes a little later each time', [0, 25, 50, 75, 100, 125].map((n) => n * hour), null],
    ['the latest of a burst and one 14 hours later', [0, 11 * hour, 25 * hour], 25 * hour],
    ['the latest of a burst and one 24 hours later', [0, 11 * hour, 35 * hour], 35 * hour],
    ['the latest of a burst and one more than 24 hours later', [0, 11 * hour, 35 * hour + 1], null],
    ['one that is too old and two that are 12 hours apart', [0, 30 * hour, 42 * hour], 42 * hour],
    ['two a minute apart and one 12 hours after the second', [0, 25 * hour, 25 * hour + 60_000, 37 * hour], 37 * hour],
    ['what came after the clock began', [0, 12 * hour, 20 * hour, 40 * hour], 12 * hour],
  ])('begins its five days after these failed deliveries: %s', (_, times, begins) => {
    const since = begins === null ? null : toInstant(now + begins)
    expect(afterFailures(...times).failures?.counted_since).toBe(since)
  })

  it('begins its five days of failures with failed deliveries, not with failed attempts of one delivery', () => {
    const once = afterFailures(0)
    for (const time of [1, 12, 13, 24, 40]) expect(decideHealth(once, failure, now + time * hour)).toBe(once)
  })

  it.each([
    ['a millisecond less than five days', 5 * day - 1, false],
    ['five days', 5 * day, true],
    ['a month', 30 * day, true],
  ])('with only failures since the five days began, %s ago, is disabled: %s', (_, ms, disabled) => {
    const failing = afterFailures(0, 12 * hour)
    const at = now + 12 * hour + ms
    for (const news of [failure, failedDelivery]) {
      const judged = decideHealth(failing, news, at)
      if (!disabled) expect(judged).toBe(failing)
      else
        expect(judged).toEqual({
          ...failing,
          disabled_at: toInstant(at),
          disabled_reason: 'five days of nothing but failures',
          updated_at: toInstant(at),
        })
    }
  })

  it('is not disabled by one new failure, however old the previous failure is', () => {
    const quiet = { ...afterFailures(0), failing_since: toInstant(now - 6 * day) }
    for (const later of [second, 6 * day, 300 * day])
      for (const news of [failure, failedDelivery])
        expect(decideHealth(quiet, news, now + later).disabled_at).toBeNull()
  })

  it('is written at most once a minute, however many deliveries fail', () => {
    const failing = afterFailures(0)
    expect(decideHealth(failing, failedDelivery, now + 59_999)).toBe(failing)
    expect(decideHealth(failing, failedDelivery, now + 60_000)).not.toBe(failing)
    const counted = afterFailures(0, 12 * hour)
    expect(decideHealth(counted, failedDelivery, now + 3 * day)).toBe(counted)
  })

  it.each([
    [410, true, true],
    [410, false, false],
    [409, true, false],
    [411, true, false],
    [null, true, false],
  ])('that answers %j (last attempt of a run: %j) is disabled: %j', (status, exhausted, disabled) => {
    const { disabled_reason } = decideHealth(endpoint(), { succeeded: false, exhausted, status }, now)
    expect(disabled_reason).toBe(disabled ? 'a delivery ended with 410 Gone' : null)
  })

  it('that is disabled is not changed by late outcomes', () => {
    const disabled = endpoint({ disabled_at: toInstant(now - day), disabled_reason: 'disabled by hand' })
    for (const news of [success, failure, { succeeded: false, exhausted: true, status: 410 }])
      expect(decideHealth(disabled, news, now)).toBe(disabled)
  })
})

/** A store with one endpoint, and its health in this many processes. */
async function house(processes: number, fields: Partial<EndpointRecord> = {}) {
  const clock = fixedClock(now)
  const storage = await memoryStorage()
  await storage.transaction(async (tx) => {
    await tx.accounts.add(account('default'))
    await tx.endpoints.add(endpoint(fields))
  })
  const kept = () => storage.reads.endpoints.find('default', 'wh_1')
  const notices: object[] = []
  const health = Array.from({ length: processes }, () =>
    createEndpointHealth({ storage, clock, notify: async (_, __, notice) => void notices.push(notice) }),
  )
  return { clock, storage, kept, health, notices }
}

const outcome = (state: 'pending' | 'delivered' | 'failed', status: number, fields = {}): AttemptOutcome => ({
  delivery: claimedDelivery({ account_id: 'default', ...fields }),
  attempt: attempt({ status }),
  update: update({ state, last_status: status }),
})
const delivered = outcome('delivered', 200)
const failed = outcome('pending', 500)
const failedForGood = outcome('failed', 500)
const gone = outcome('failed', 410)

describe('the health of endpoints', () => {
  it('reports a disabled endpoint once, in the process that disabled it, with one notice', async () => {
    const { health, kept, notices } = await house(2)
    const disabled = await Promise.all(health.map(({ note }) => note([gone])))
    expect(disabled.flat()).toEqual([await kept()])
    expect(await health[0]?.note([gone])).toEqual([])
    expect(notices).toMatchObject([{ type: 'endpoint_disabled', reason: 'gone', date: toInstant(now) }])
  })

  it('is shared by all processes: a success in one ends failures in another', async () => {
    const { clock, health, kept } = await house(2)
    const [a, b] = health
    await b?.note([delivered])
    await a?.note([failed])
    expect(await kept()).toMatchObject({ failing_since: toInstant(now) })
    // The other process may have cached the healthy state for a minute.
    await clock.advance(60_000)
    await b?.note([delivered])
    expect(await kept()).toMatchObject({ failing_since: null })
  })

  it('is cleared by the next success after a failure in the same process', async () => {
    const { health, kept } = await house(1)
    for (const told of [delivered, failed, delivered]) await health[0]?.note([told])
    expect(await kept()).toMatchObject({ failing_since: null })
  })

  it('is good again if one of several outcomes is a success, in any order', async () => {
    for (const outcomes of [
      [delivered, gone],
      [gone, delivered],
      [failed, delivered, gone],
    ]) {
      const { health, kept } = await house(1, {
        failing_since: toInstant(now - 7 * day),
        failures: { first: toInstant(now - 7 * day), last: toInstant(now), counted_since: toInstant(now - 6 * day) },
      })
      expect(await health[0]?.note(outcomes)).toEqual([])
      expect(await kept()).toMatchObject({ disabled_at: null, failing_since: null, failures: null })
    }
  })

  it('is decided by a final 410 among other failures, in any order', async () => {
    for (const outcomes of [
      [failed, gone],
      [gone, failed],
      [failedForGood, gone],
      [gone, failedForGood],
    ]) {
      const { health } = await house(1)
      expect(await health[0]?.note(outcomes)).toHaveLength(1)
    }
  })

  it('ignores other channels, and endpoints that no longer exist', async () => {
    const { health, kept } = await house(1)
    expect(await health[0]?.note([outcome('failed', 410, { channel: 'email' })])).toEqual([])
    expect(await health[0]?.note([outcome('failed', 410, { target: 'wh_none' })])).toEqual([])
    expect(await health[0]?.note([outcome('failed', 410, { account_id: 'other' })])).toEqual([])
    expect(await kept()).toEqual(endpoint())
  })
})

it('a receiver that answers all attempts with 410 is disabled by the worker, which reports it', async () => {
  const observed: WorkerEvent[] = []
  const { http } = recordingHttp(() => httpAnswer(410))
  const { sav, worker, actor, clock } = await openSav({
    http,
    schedule: [0, 1_000],
    observe: (event) => observed.push(event),
  })
  const { id } = await sav.webhooks.endpoints.add(actor, { url: 'https://receiver.example/', events: ['sav.created'] })
  await sav.webhooks.endpoints.test(actor, id)
  worker.start()
  await clock.advance(500)
  expect(await sav.webhooks.endpoints.get('default', id)).toMatchObject({ disabled_at: null })
  await clock.advance(1_000)
  await worker.stop()
  expect(await sav.webhooks.endpoints.get('default', id)).toMatchObject({
    disabled_reason: 'a delivery ended with 410 Gone',
  })
  expect(observed.filter(({ type }) => type === 'endpoint_disabled')).toHaveLength(1)
})
