import { describe, expect, it } from 'vitest'
import { replacing } from '../../../planning/test/replacing.js'
import {
  attempts,
  dispatch,
  enqueue,
  heldChannel,
  house,
  leaseMs,
  numbered,
  passSchedule,
  shown,
  timeoutMs,
  unsteady,
} from '../../test/dispatching.js'
import { schedule } from '../../test/open-sav.js'
import { httpAnswer, recordingChannel } from '../testing/index.js'
import { toInstant } from '../time/time.js'
import type { DeliveryQueue } from './delivery-queue.js'

describe('a delivery', () => {
  it('is sent once, and recorded with its outcome', async () => {
    const { storage, clock, startedAt } = await house()
    const channel = recordingChannel([
      httpAnswer(204, { durationMs: 12, response: 'ok', responseHeaders: { server: 'x' } }),
    ])
    const { observed } = dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, ['a'])
    await passSchedule(clock, startedAt)
    expect(channel.sent).toHaveLength(1)
    expect(channel.sent[0]).toMatchObject({
      delivery: { id: 'dlv_a', event_id: 'evt_a', target: 'wh_1', body: '{}' },
    })
    expect(await shown(storage)).toMatchObject({
      state: 'delivered',
      attempt_count: 1,
      next_attempt_at: null,
      last_status: 204,
    })
    expect(await attempts(storage)).toEqual([
      {
        n: 1,
        started_at: toInstant(channel.sent[0]?.startedAt ?? 0),
        duration_ms: 12,
        status: 204,
        error: null,
        error_code: null,
        response_headers: { server: 'x' },
        response: 'ok',
      },
    ])
    expect((channel.sent[0]?.startedAt ?? 0) - startedAt).toBeLessThanOrEqual(250)
    expect(observed.map(({ type }) => type)).toEqual(['attempt'])
  })

  it('that always fails is attempted six times on the schedule, then failed', async () => {
    const { storage, clock, startedAt } = await house()
    const channel = recordingChannel([httpAnswer(500)])
    dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, ['a'])
    await passSchedule(clock, startedAt)
    expect(channel.sent).toHaveLength(6)
    channel.sent.forEach((sent, index) => {
      const late = sent.startedAt - startedAt - (schedule[index] ?? 0)
      expect(late).toBeGreaterThanOrEqual(0)
      expect(late).toBeLessThanOrEqual(250)
    })
    expect(await shown(storage)).toMatchObject({
      state: 'failed',
      attempt_count: 6,
      next_attempt_at: null,
      last_status: 500,
    })
    expect((await attempts(storage)).map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('by a channel that this process lacks waits for a process that has the channel', async () => {
    const { storage, clock } = await house()
    const { observed } = dispatch(clock, storage.queue, recordingChannel(), { channels: {} })
    await enqueue(storage, clock, ['a'])
    await clock.advance(1_000)
    expect(observed).toEqual([])
    expect(await shown(storage)).toMatchObject({ state: 'pending', attempt_count: 0 })
    const channel = recordingChannel()
    dispatch(clock, storage.queue, channel)
    await clock.advance(1_000)
    expect(channel.sent).toHaveLength(1)
  })
})

describe('two processes', () => {
  it('if one dies during an attempt, the other takes over when the lease expires, not before', async () => {
    const { storage, clock } = await house()
    const dying = heldChannel()
    dispatch(clock, storage.queue, dying)
    await enqueue(storage, clock, ['a'])
    await clock.advance(250)
    const leasedAt = dying.sent[0]?.startedAt ?? 0
    const heir = recordingChannel()
    dispatch(clock, storage.queue, heir)
    await clock.advance(leasedAt + leaseMs - 1 - clock.now())
    expect(heir.sent).toHaveLength(0)
    await clock.advance(251)
    expect(heir.sent).toHaveLength(1)
    expect(await shown(storage)).toMatchObject({ state: 'delivered', attempt_count: 1 })
  })

  it('a result that arrives after another process has the lease is dropped and reported', async () => {
    const { storage, clock } = await house()
    const slow = heldChannel()
    const { observed } = dispatch(clock, storage.queue, slow)
    await enqueue(storage, clock, ['a'])
    await clock.advance(250)
    dispatch(clock, storage.queue, recordingChannel([httpAnswer(200)]))
    await clock.advance(leaseMs + 250)
    slow.answerNext(httpAnswer(500))
    await clock.advance(1_000)
    expect(observed).toEqual([{ type: 'lease_lost', delivery_id: 'dlv_a' }])
    expect(await shown(storage)).toMatchObject({ state: 'delivered', attempt_count: 1, last_status: 200 })
    expect(await attempts(storage)).toHaveLength(1)
  })
})

describe('a claim that takes long', () => {
  it.each([
    [leaseMs - timeoutMs, 1],
    [leaseMs - timeoutMs + 1, 0],
  ])('(%i ms) leaves time within the lease for %i attempt(s)', async (claimMs, made) => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    const queue = replacing(storage.queue, {
      async claim(requests, lease) {
        const taken = await storage.queue.claim(requests, lease)
        clock.set(clock.now() + claimMs)
        return taken
      },
    })
    await enqueue(storage, clock, ['a'])
    dispatch(clock, queue, channel)
    await clock.advance(0)
    expect(channel.sent).toHaveLength(made)
  })
})

describe('an unavailable store', () => {
  it.each<[keyof DeliveryQueue, 'claim' | 'record']>([
    ['due', 'claim'],
    ['claim', 'claim'],
    ['record', 'record'],
  ])('is reported when %s fails, and everything continues once the store is back', async (method, doing) => {
    const { storage, clock } = await house()
    const away = { now: true }
    const channel = recordingChannel()
    const { observed } = dispatch(clock, unsteady(storage.queue, away, [method]), channel)
    await enqueue(storage, clock, ['a'])
    await clock.advance(3_000)
    expect(observed.length).toBeGreaterThan(0)
    expect(observed.length).toBeLessThan(30)
    for (const event of observed) expect(event).toMatchObject({ type: 'fault', doing, error: { code: 'unavailable' } })
    away.now = false
    await clock.advance(1_000)
    expect(channel.sent).toHaveLength(1)
    expect(await shown(storage)).toMatchObject({ state: 'delivered', attempt_count: 1 })
  })

  it('stops new attempts whose outcomes could not be recorded', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    const queue = unsteady(storage.queue, { now: true }, ['record'])
    dispatch(clock, queue, channel, { concurrency: { total: 8, perTarget: 8 } })
    await enqueue(storage, clock, numbered('n', 100))
    await clock.advance(leaseMs - 1)
    expect(channel.sent.length).toBeLessThanOrEqual(16)
  })

  it('for longer than the lease causes a second attempt, and a report of the lost lease', async () => {
    const { storage, clock } = await house()
    const away = { now: true }
    const channel = recordingChannel()
    const { observed } = dispatch(clock, unsteady(storage.queue, away, ['record']), channel)
    await enqueue(storage, clock, ['a'])
    await clock.advance(leaseMs + 1_000)
    away.now = false
    await clock.advance(leaseMs)
    expect(observed.filter(({ type }) => type === 'lease_lost')).toEqual([{ type: 'lease_lost', delivery_id: 'dlv_a' }])
    expect(await shown(storage)).toMatchObject({ state: 'delivered' })
    expect(await attempts(storage)).toHaveLength(1)
  })

  it('stops the heartbeat until it answers again, and a heartbeat’s age does not depend on the clock', async () => {
    const { storage, clock, startedAt } = await house()
    const away = { now: true }
    const { dispatcher } = dispatch(clock, unsteady(storage.queue, away, ['due']), recordingChannel())
    await clock.advance(10_000)
    expect(dispatcher.heartbeat).toBe(startedAt)
    away.now = false
    await clock.advance(10_000)
    expect(dispatcher.heartbeat).toBeGreaterThan(startedAt + 19_000)
    away.now = true
    await clock.advance(10_000)
    expect(dispatcher.heartbeat).toBeLessThan(startedAt + 20_251)
    const age = clock.now() - dispatcher.heartbeat
    clock.set(clock.now() + 3_600_000)
    expect(clock.now() - dispatcher.heartbeat).toBe(age)
  })
})
