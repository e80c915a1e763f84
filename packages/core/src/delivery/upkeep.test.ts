import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { replacing } from '../../../planning/test/replacing.js'
import { as, openSav, recordingHttp } from '../../test/open-sav.js'
import { UnavailableError } from '../errors.js'
import type { Storage } from '../storage.js'
import { fixedClock, httpAnswer, seededRandom } from '../testing/index.js'
import { createRetention, deliveryJobs, expireWaiting } from './upkeep.js'
import { createDeliveryWorker, type Job, type JobFault } from './worker.js'

const day = 86_400_000
const url = 'https://receiver.example/hooks'

/** A service with one endpoint and `count` new deliveries to it. */
async function withDeliveries(count: number, status = 200) {
  const { http, posted } = recordingHttp(() => httpAnswer(status))
  const opened = await openSav({ http, schedule: [0] })
  const { sav, worker, actor, client, clock, storage } = opened
  const { id } = await sav.webhooks.endpoints.add(as('default'), { url, events: ['sav.created'] })
  const create = () => sav.cases.create(actor, { client_id: client.id, description: 'La porte ne ferme plus.' })
  await Promise.all(Array.from({ length: count }, create))
  const counts = () => storage.queue.counts()
  const history = async () => (await sav.webhooks.deliveries.list('default', { limite: 1000 })).items
  /** Makes all attempts. */
  const send = async () => {
    worker.start()
    await clock.advance(500)
    await worker.stop()
  }
  return { ...opened, id, posted, counts, history, send, create }
}

/** A worker that sends nothing, with its faults. */
function keepUp(
  storage: Storage,
  clock = fixedClock(),
  jobs: readonly Job[] = deliveryJobs({ storage, clock, kept: [] }),
) {
  const faults: JobFault[] = []
  const upkeep = createDeliveryWorker({
    queue: storage.queue,
    clock,
    random: seededRandom(1),
    schedule: [0],
    concurrency: { total: 1, perTarget: 1 },
    channels: {},
    jobs,
    onRecorded: async () => {},
    observe: (event) => event.type === 'fault' && 'job' in event && faults.push(event),
  })
  return { upkeep, faults, clock }
}

/** The same worker, with `step` as the step of replays. */
async function keepUpSteps(step: () => Promise<boolean>, over?: Storage, clock = fixedClock()) {
  const storage = over ?? (await memoryStorage())
  const jobs = deliveryJobs({ storage, clock, kept: [] })
  return keepUp(
    storage,
    clock,
    jobs.map((job) => (job.name === 'replays' ? { ...job, run: step } : job)),
  )
}

describe('a delivery to a disabled endpoint', () => {
  it.each([
    ['exactly 30 days', 30 * day, 'pending'],
    ['30 days and a millisecond', 30 * day + 1, 'failed'],
  ])('that has been due for %s is %s', async (_, waitedMs, state) => {
    const { sav, storage, clock, id, history } = await withDeliveries(1)
    const dueAt = clock.now()
    await sav.webhooks.endpoints.disable(as('default'), id)
    clock.set(dueAt + waitedMs)
    await expireWaiting({ storage, clock })
    expect(await history()).toMatchObject([{ state }])
    if (state === 'failed')
      expect(await history()).toMatchObject([
        { last_error: 'endpoint disabled for too long', next_attempt_at: null, attempt_count: 0 },
      ])
  })

  it('fails with all others when the endpoint is removed, even if there are more than a batch', async () => {
    const { sav, clock, id, counts } = await withDeliveries(1_201)
    const removing = sav.webhooks.endpoints.remove(as('default'), id)
    await clock.advance(1_000)
    await removing
    expect(await counts()).toEqual({ pending: 0, delivered: 0, failed: 1_201 })
  })
})

describe('retention', () => {
  it.each([
    ['delivered', 200, 30],
    ['failed', 500, 90],
  ])('keeps a %s delivery (answered with %s) for %i days', async (state, status, days) => {
    const { storage, clock, send, sav, counts } = await withDeliveries(1, status)
    const createdAt = clock.now()
    await send()
    expect(await counts()).toMatchObject({ [state]: 1, pending: 0 })
    clock.set(createdAt + days * day)
    expect(await sav.retention.purgeable()).toBe(0)
    expect(await sav.retention.purge()).toBe(0)
    expect(await counts()).toMatchObject({ [state]: 1 })
    clock.set(createdAt + days * day + 1)
    const purgeable = await sav.retention.purgeable()
    expect(purgeable).toBeGreaterThanOrEqual(1)
    expect(await counts()).toMatchObject({ [state]: 1 })
    const purging = createRetention({ storage, clock, kept: [] }).purge()
    await clock.advance(1_000)
    expect(await purging).toBeGreaterThanOrEqual(1)
    expect(await counts()).toEqual({ pending: 0, delivered: 0, failed: 0 })
    expect(await sav.retention.purgeable()).toBe(0)
  })

  it('keeps the answer to an Idempotency-Key for a day, and an audited call for 396 days', async () => {
    const { sav, storage, clock } = await openSav()
    const time = clock.now()
    const created_at = new Date(time).toISOString()
    const call = { method: 'GET', endpoint: '/', ip: '192.0.2.7', status: 200, time, duration_ms: 1, request_id: 'r' }
    const answer = { request: 'a'.repeat(64), body: 'b'.repeat(64), status: 201, answer: '{}', created_at }
    await storage.transaction(async (tx) => {
      await sav.audit.record(tx, { ...call, account_id: 'default', key_id: null, user_id: null, target: null })
      const about = { account_id: 'default', key_id: 'key_1', client_id: null, case_id: null }
      await tx.idempotency.add({ ...answer, ...about }, created_at)
    })
    const purgeableAfter = (ms: number) => {
      clock.set(time + ms)
      return sav.retention.purgeable()
    }
    expect([await purgeableAfter(day), await purgeableAfter(day + 1)]).toEqual([0, 1])
    expect([await purgeableAfter(396 * day), await purgeableAfter(396 * day + 1)]).toEqual([1, 2])
  })

  it('deletes in batches, and reports the number after each', async () => {
    const { sav, clock, send, counts } = await withDeliveries(1_201)
    await send()
    clock.set(clock.now() + 31 * day)
    const expected = await sav.retention.purgeable()
    const progress: number[] = []
    const purging = sav.retention.purge((deleted) => progress.push(deleted))
    await clock.advance(10_000)
    expect(await purging).toBeGreaterThanOrEqual(1_201)
    expect(progress.length).toBeGreaterThanOrEqual(3)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    expect(progress.at(-1)).toBe(expected)
    expect(await counts()).toEqual({ pending: 0, delivered: 0, failed: 0 })
  })
})

describe('upkeep', () => {
  it('purges when it starts and once a day', async () => {
    const { storage, clock, send, counts, create } = await withDeliveries(1)
    await send()
    clock.set(clock.now() + 31 * day)
    const retention = deliveryJobs({ storage, clock, kept: [] }).filter(({ name }) => name === 'retention')
    expect(retention.map(({ everyMs }) => everyMs)).toEqual([day])
    // In a real day, the simulated worker would read the queue 86,400 times. So the job runs once a minute here.
    const { upkeep } = keepUp(
      storage,
      clock,
      retention.map((job) => ({ ...job, everyMs: 60_000 })),
    )
    upkeep.start()
    await clock.advance(2_000)
    expect(await counts()).toMatchObject({ delivered: 0 })
    await create()
    await send()
    clock.set(clock.now() + 31 * day)
    await clock.advance(50_000)
    expect(await counts()).toMatchObject({ delivered: 1 })
    await clock.advance(10_000)
    expect(await counts()).toMatchObject({ delivered: 0 })
    await upkeep.stop()
  })

  it('takes all steps of replays in quick succession, then checks for a replay once a second', async () => {
    let left = 5
    let steps = 0
    const { upkeep, clock } = await keepUpSteps(async () => {
      steps += 1
      return left-- > 0
    })
    upkeep.start()
    await clock.advance(1_200)
    expect(steps).toBe(6)
    await clock.advance(10_000)
    expect(steps).toBeGreaterThanOrEqual(15)
    expect(steps).toBeLessThanOrEqual(17)
    await upkeep.stop()
    await clock.advance(10_000)
    expect(steps).toBeLessThanOrEqual(17)
  })

  it('reports a fault, continues, and delays no other job', async () => {
    const storage = await memoryStorage()
    let away = true
    let expired = 0
    const failing: Storage = {
      ...storage,
      queue: replacing(storage.queue, {
        async expire(bounds) {
          if (away) throw new UnavailableError('The store is away.', { retryAfterSeconds: 1 })
          expired += 1
          return storage.queue.expire(bounds)
        },
      }),
    }
    let steps = 0
    const { upkeep, faults, clock } = await keepUpSteps(async () => {
      steps += 1
      return false
    }, failing)
    upkeep.start()
    await clock.advance(5_500)
    expect(faults).toEqual([{ type: 'fault', doing: 'upkeep', job: 'expiry', error: expect.any(UnavailableError) }])
    expect(steps).toBeGreaterThanOrEqual(4)
    await clock.advance(60_000)
    expect(faults).toHaveLength(2)
    away = false
    await clock.advance(60_000)
    expect(faults).toHaveLength(2)
    expect(expired).toBe(1)
    await upkeep.stop()
  })

  it.each([
    ['every second after a second', 1_000, 5_500, 5],
    ['every minute after a minute', 60_000, 181_000, 4],
    ['daily after an hour', day, 3 * 3_600_000 + 1_000, 4],
  ])('repeats a failed job that runs %s', async (_, everyMs, passedMs, times) => {
    let away = true
    let done = 0
    const run = async () => {
      if (away) throw new UnavailableError('The store is away.', { retryAfterSeconds: 1 })
      done += 1
    }
    const { upkeep, faults, clock } = keepUp(await memoryStorage(), fixedClock(), [{ name: 'round', everyMs, run }])
    upkeep.start()
    await clock.advance(passedMs)
    expect(faults).toHaveLength(times)
    expect(new Set(faults.map(({ job }) => job))).toEqual(new Set(['round']))
    away = false
    await clock.advance(Math.min(everyMs, 3_600_000))
    expect(faults).toHaveLength(times)
    expect(done).toBeGreaterThanOrEqual(1)
    await upkeep.stop()
  })

  it.each([
    ['does not report a job that the stop interrupts', 'AbortError', true, 0],
    ['reports a job that aborts without a stop', 'AbortError', false, 1],
    ['reports a job that fails during the stop', 'OperationError', true, 1],
  ])('%s', async (_, name, isStopped, count) => {
    const round = Promise.withResolvers<boolean>()
    const { upkeep, clock, faults } = await keepUpSteps(() => round.promise)
    upkeep.start()
    await clock.advance(1_000)
    const stopped = isStopped ? upkeep.stop() : null
    round.reject(new DOMException('the renderer is closed', name))
    await clock.advance(0)
    await (stopped ?? upkeep.stop())
    expect(faults).toHaveLength(count)
  })

  it('stops when the current step has ended, and not before', async () => {
    const step = Promise.withResolvers<boolean>()
    const { upkeep, clock } = await keepUpSteps(() => step.promise)
    upkeep.start()
    await clock.advance(1_000)
    let stopped = false
    const stopping = upkeep.stop().then(() => {
      stopped = true
    })
    await clock.advance(10_000)
    expect(stopped).toBe(false)
    step.resolve(true)
    await stopping
  })

  it('can be stopped before it begins, twice, and started again', async () => {
    let steps = 0
    const { upkeep, clock } = await keepUpSteps(async () => {
      steps += 1
      return false
    })
    await upkeep.stop()
    upkeep.start()
    await upkeep.stop()
    await upkeep.stop()
    await clock.advance(5_000)
    expect(steps).toBe(0)
    upkeep.start()
    await clock.advance(1_500)
    expect(steps).toBe(1)
    await upkeep.stop()
  })
})
