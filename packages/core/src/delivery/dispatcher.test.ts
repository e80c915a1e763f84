import { describe, expect, it } from 'vitest'
import { UnavailableError } from '../errors.js'
import type { Storage } from '../storage.js'
import {
  type FixedClock,
  fixedClock,
  httpAnswer,
  memoryStorage,
  noAnswer,
  recordingChannel,
  seededRandom,
} from '../testing/index.js'
import { toInstant } from '../time.js'
import type { EndpointRecord } from '../webhooks/endpoint.js'
import type { Channel, SendResult } from './channel.js'
import type { ClaimedDelivery, DeliveryQueue } from './delivery-queue.js'
import { createDispatcher, type DispatcherDeps, type DispatcherEvent } from './dispatcher.js'

const minute = 60_000
const hour = 3_600_000
const schedule = [0, 30_000, 2 * minute, 10 * minute, 1 * hour, 6 * hour]
const timeoutMs = 5_000
const leaseMs = timeoutMs + 10_000

const seeds = { next: 1 }

function endpoint(id: string): EndpointRecord {
  const at = '2026-01-01T00:00:00.000Z'
  return {
    id,
    account_id: 'default',
    url: 'https://receiver.example/hooks',
    description: null,
    events: ['sav.created'],
    sealed_secret: 'sealed',
    sealed_previous_secret: null,
    previous_expires_at: null,
    sealed_headers: null,
    disabled_at: null,
    disabled_reason: null,
    removed_at: null,
    failing_since: null,
    created_at: at,
    updated_at: at,
  }
}

/** A store with these endpoints, and a clock. */
async function house(endpoints: readonly string[] = ['wh_1']) {
  const storage = memoryStorage()
  const clock = fixedClock()
  await storage.transaction(async (tx) => {
    for (const id of endpoints) await tx.endpoints.add(endpoint(id))
  })
  return { storage, clock, startedAt: clock.now() }
}

/** A dispatcher of a process of its own, started, with all that it observes. */
function dispatch(clock: FixedClock, queue: DeliveryQueue, channel: Channel, deps: Partial<DispatcherDeps> = {}) {
  const observed: DispatcherEvent[] = []
  const dispatcher = createDispatcher({
    queue,
    channels: { webhook: channel },
    clock,
    random: seededRandom(seeds.next++),
    schedule,
    concurrency: { total: 64, perTarget: 16 },
    onRecorded: async () => {},
    observe: (event) => observed.push(event),
    ...deps,
  })
  dispatcher.start()
  return { dispatcher, observed }
}

/** Events that are due now, each with one delivery to the target. */
async function enqueue(storage: Storage, clock: FixedClock, names: readonly string[], target = 'wh_1'): Promise<void> {
  await storage.transaction(async (tx) => {
    for (const name of names)
      await tx.outbox.add({
        id: `evt_${name}`,
        account_id: 'default',
        event: 'sav.created',
        body: '{}',
        created_at: toInstant(clock.now()),
        deliveries: [{ id: `dlv_${name}`, channel: 'webhook', target }],
      })
  })
}

/** Lets the hours of a whole schedule pass, dwelling only on the moments at which an attempt may be due. */
async function passSchedule(clock: FixedClock, from: number, dwellMs = 300): Promise<void> {
  for (const offset of schedule) {
    clock.set(Math.max(clock.now(), from + offset - dwellMs))
    await clock.advance(2 * dwellMs)
  }
}

const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`)

const shown = async (storage: Storage, name = 'a') => storage.reads.deliveries.find('default', `dlv_${name}`)
const attempts = async (storage: Storage, name = 'a') => storage.reads.deliveries.attempts('default', `dlv_${name}`)

/** A channel whose answers the test gives, one by one, in whatever order. */
function heldChannel() {
  const waiting: { readonly delivery: ClaimedDelivery; readonly answer: (result: SendResult) => void }[] = []
  const channel = recordingChannel(
    ({ delivery }) => new Promise<SendResult>((resolve) => waiting.push({ delivery, answer: resolve })),
  )
  return { ...channel, waiting, answerNext: (result = httpAnswer(200)) => waiting.shift()?.answer(result) }
}

/** The queue, which is away while `away.now` holds, or loses only some of its methods. */
function unsteady(
  queue: DeliveryQueue,
  away: { now: boolean },
  methods: readonly (keyof DeliveryQueue)[],
): DeliveryQueue {
  const fail = async () => {
    throw new UnavailableError('The store is away.', { retryAfterSeconds: 1 })
  }
  const failing = Object.fromEntries(methods.map((method) => [method, fail]))
  return new Proxy(queue, {
    get: (target, name, receiver) => Reflect.get(away.now && name in failing ? failing : target, name, receiver),
  })
}

describe('a delivery', () => {
  it('is sent once, recorded with what came of it, and not touched again', async () => {
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

  it('is pending with its next attempt in sight between two of them', async () => {
    const { storage, clock, startedAt } = await house()
    dispatch(clock, storage.queue, recordingChannel([noAnswer('timeout')]))
    await enqueue(storage, clock, ['a'])
    await clock.advance(1 * minute)
    expect(await shown(storage)).toMatchObject({
      state: 'pending',
      attempt_count: 2,
      next_attempt_at: toInstant(startedAt + 2 * minute),
      last_status: null,
      last_error: 'timeout',
    })
  })

  it('that fails at first and succeeds later is delivered', async () => {
    const { storage, clock, startedAt } = await house()
    const channel = recordingChannel([httpAnswer(503), noAnswer(), httpAnswer(200)])
    dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, ['a'])
    await passSchedule(clock, startedAt)
    expect(channel.sent).toHaveLength(3)
    expect(await shown(storage)).toMatchObject({
      state: 'delivered',
      attempt_count: 3,
      last_status: 200,
      last_error: null,
    })
  })

  it('replayed after its failure is attempted six times more, counting on', async () => {
    const { storage, clock, startedAt } = await house()
    const channel = recordingChannel([httpAnswer(500)])
    dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, ['a'])
    await passSchedule(clock, startedAt)
    const replayedAt = clock.now()
    await storage.transaction((tx) => tx.deliveries.reopen('default', 'dlv_a', toInstant(replayedAt)))
    await passSchedule(clock, replayedAt)
    expect((await attempts(storage)).map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    channel.sent.slice(6).forEach((sent, index) => {
      expect(Math.floor((sent.startedAt - replayedAt - (schedule[index] ?? 0)) / 251)).toBe(0)
    })
  })

  it('of an outage goes out at once when the dispatcher is back, then keeps its gaps', async () => {
    const { storage, clock, startedAt } = await house()
    await enqueue(storage, clock, ['a'])
    const day = 24 * hour
    await clock.advance(day)
    const channel = recordingChannel([httpAnswer(500)])
    dispatch(clock, storage.queue, channel)
    await passSchedule(clock, startedAt + day, 2_000)
    channel.sent.forEach((sent, index) => {
      const late = sent.startedAt - startedAt - day - (schedule[index] ?? 0)
      expect(late).toBeGreaterThanOrEqual(0)
      // Each attempt may be late by a poll, and its successor keeps the gap to it.
      expect(late).toBeLessThanOrEqual(250 * (index + 1))
    })
    expect(channel.sent).toHaveLength(6)
  })

  it('by a channel that this process has not waits for one that has it', async () => {
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

  it('that was not sent for a fault of our own counts no attempt and is tried again', async () => {
    const { storage, clock } = await house()
    let calls = 0
    const channel = recordingChannel(() => {
      calls += 1
      if (calls < 3) throw new UnavailableError('The store is away.', { retryAfterSeconds: 1 })
      return httpAnswer(200)
    })
    dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, ['a'])
    await clock.advance(5_000)
    expect(await shown(storage)).toMatchObject({ state: 'delivered', attempt_count: 1 })
  })
})

describe('waking', () => {
  it('starts at once what is due', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    const { dispatcher } = dispatch(clock, storage.queue, channel)
    await clock.advance(10)
    await enqueue(storage, clock, ['a'])
    await clock.advance(0)
    expect(channel.sent).toHaveLength(0)
    dispatcher.wake()
    await clock.advance(0)
    expect(channel.sent).toHaveLength(1)
  })

  it('is not needed: a due delivery starts within 250 ms without it', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    dispatch(clock, storage.queue, channel)
    await clock.advance(1_001)
    await enqueue(storage, clock, ['a'])
    await clock.advance(250)
    expect(channel.sent).toHaveLength(1)
  })

  it('during a look at the queue leads to another look at once', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    let look = () => {}
    const looking = new Promise<void>((resolve) => {
      look = resolve
    })
    let first = true
    const queue: DeliveryQueue = {
      ...storage.queue,
      async due(now) {
        const due = await storage.queue.due(now)
        if (first) await looking
        first = false
        return due
      },
    }
    const { dispatcher } = dispatch(clock, queue, channel)
    await clock.advance(0)
    await enqueue(storage, clock, ['a'])
    dispatcher.wake()
    look()
    await clock.advance(0)
    expect(channel.sent).toHaveLength(1)
  })

  it('starts at once also when an outcome was recorded between a wake-up and the look that it asked for', async () => {
    const { storage, clock } = await house(['wh_1', 'wh_2'])
    const channel = heldChannel()
    const { dispatcher } = dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, ['a'])
    dispatcher.wake()
    await clock.advance(0)
    dispatcher.wake()
    channel.answerNext()
    await new Promise((resolve) => setImmediate(resolve))
    await enqueue(storage, clock, ['b'], 'wh_2')
    dispatcher.wake()
    await clock.advance(0)
    expect(channel.sent.map(({ delivery }) => delivery.id)).toEqual(['dlv_a', 'dlv_b'])
  })

  it('starts at once after a stop and a new start', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    const { dispatcher } = dispatch(clock, storage.queue, channel)
    await clock.advance(10)
    dispatcher.wake()
    await dispatcher.stop()
    dispatcher.start()
    await clock.advance(0)
    await enqueue(storage, clock, ['a'])
    dispatcher.wake()
    await clock.advance(0)
    expect(channel.sent).toHaveLength(1)
  })

  it('again and again, faster than timers fire, does not put the look off', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    const coarse: FixedClock = { ...clock, after: (delayMs, callback) => clock.after(delayMs + 1, callback) }
    const { dispatcher } = dispatch(coarse, storage.queue, channel)
    await clock.advance(10)
    await enqueue(storage, clock, ['a'])
    for (let wakes = 0; wakes < 10; wakes += 1) {
      dispatcher.wake()
      await clock.advance(0.5)
    }
    expect(channel.sent).toHaveLength(1)
  })

  it('does nothing when it is not running', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    const { dispatcher } = dispatch(clock, storage.queue, channel)
    await dispatcher.stop()
    await enqueue(storage, clock, ['a'])
    dispatcher.wake()
    await clock.advance(1 * minute)
    expect(channel.sent).toHaveLength(0)
  })
})

describe('two processes', () => {
  it('never send one delivery both', async () => {
    const { storage, clock } = await house()
    const channels = [recordingChannel(), recordingChannel()]
    for (const channel of channels) dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, numbered('n', 50))
    await clock.advance(5_000)
    const sent = channels.flatMap((channel) => channel.sent.map(({ delivery }) => delivery.id))
    expect(sent).toHaveLength(50)
    expect(new Set(sent).size).toBe(50)
  })

  it('when one dies in the middle of an attempt, the other takes over once the lease is out, not before', async () => {
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

  it('a result that comes after the lease went to another is dropped, and said', async () => {
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
  ])('by %i ms leaves, in its lease, time for an attempt or not: %i is made', async (claimMs, made) => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    const queue: DeliveryQueue = {
      ...storage.queue,
      async claim(requests, lease) {
        const taken = await storage.queue.claim(requests, lease)
        clock.set(clock.now() + claimMs)
        return taken
      },
    }
    await enqueue(storage, clock, ['a'])
    dispatch(clock, queue, channel)
    await clock.advance(0)
    expect(channel.sent).toHaveLength(made)
  })
})

describe('stopping', () => {
  it('waits for the attempt under way and records it', async () => {
    const { storage, clock } = await house()
    const channel = heldChannel()
    const { dispatcher } = dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, ['a'])
    await clock.advance(250)
    let stopped = false
    const stopping = dispatcher.stop().then(() => {
      stopped = true
    })
    await clock.advance(4_000)
    expect(stopped).toBe(false)
    channel.answerNext()
    await stopping
    expect(await shown(storage)).toMatchObject({ state: 'delivered', attempt_count: 1 })
  })

  it('starts nothing new, and gives back what was claimed but not begun', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    let claimed = () => {}
    const claiming = new Promise<void>((resolve) => {
      claimed = resolve
    })
    let stopping = Promise.resolve()
    const queue: DeliveryQueue = {
      ...storage.queue,
      async claim(requests, lease) {
        const taken = await storage.queue.claim(requests, lease)
        stopping = dispatcher.stop()
        claimed()
        return taken
      },
    }
    await enqueue(storage, clock, ['a'])
    const { dispatcher } = dispatch(clock, queue, channel)
    await claiming
    await stopping
    expect(channel.sent).toHaveLength(0)
    const heir = recordingChannel()
    dispatch(clock, storage.queue, heir)
    await clock.advance(250)
    expect(heir.sent).toHaveLength(1)
  })

  it('is done at once when nothing is under way', async () => {
    const { storage, clock } = await house()
    const { dispatcher } = dispatch(clock, storage.queue, recordingChannel())
    await dispatcher.stop()
    await dispatcher.stop()
  })

  it('asked for twice is done for both who asked', async () => {
    const { storage, clock } = await house()
    const channel = heldChannel()
    const { dispatcher } = dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, ['a'])
    await clock.advance(250)
    const both = Promise.all([dispatcher.stop(), dispatcher.stop()])
    channel.answerNext()
    await both
    expect(await shown(storage)).toMatchObject({ state: 'delivered' })
  })

  it('waits until an outcome is recorded though the store is away for a while', async () => {
    const { storage, clock } = await house()
    const away = { now: false }
    const channel = heldChannel()
    const { dispatcher } = dispatch(clock, unsteady(storage.queue, away, ['record']), channel)
    await enqueue(storage, clock, ['a'])
    await clock.advance(250)
    const stopping = dispatcher.stop()
    away.now = true
    channel.answerNext()
    await clock.advance(2_000)
    expect(await shown(storage)).toMatchObject({ state: 'pending', attempt_count: 0 })
    away.now = false
    await clock.advance(1_000)
    await stopping
    expect(await shown(storage)).toMatchObject({ state: 'delivered', attempt_count: 1 })
  })

  it('can be followed by a new start', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    const { dispatcher } = dispatch(clock, storage.queue, channel)
    await dispatcher.stop()
    await enqueue(storage, clock, ['a'])
    dispatcher.start()
    await clock.advance(250)
    expect(channel.sent).toHaveLength(1)
  })
})

describe('a store that is away', () => {
  it.each<[keyof DeliveryQueue, 'claim' | 'record']>([
    ['due', 'claim'],
    ['claim', 'claim'],
    ['record', 'record'],
  ])('for %s is said, and everything goes on once it is back', async (method, doing) => {
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

  it('for records does not let more and more be sent that nobody can record', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    const queue = unsteady(storage.queue, { now: true }, ['record'])
    dispatch(clock, queue, channel, { concurrency: { total: 8, perTarget: 8 } })
    await enqueue(storage, clock, numbered('n', 100))
    await clock.advance(leaseMs - 1)
    expect(channel.sent.length).toBeLessThanOrEqual(16)
  })

  it('for longer than the lease leaves the attempt to be made again: never lost, at least once', async () => {
    const { storage, clock } = await house()
    const away = { now: true }
    const channel = recordingChannel()
    dispatch(clock, unsteady(storage.queue, away, ['record']), channel)
    await enqueue(storage, clock, ['a'])
    await clock.advance(leaseMs + 1_000)
    away.now = false
    await clock.advance(leaseMs)
    expect(await shown(storage)).toMatchObject({ state: 'delivered' })
    expect(await attempts(storage)).toHaveLength(1)
  })

  it('keeps the heartbeat still; one that answers keeps it going, with nothing due', async () => {
    const { storage, clock, startedAt } = await house()
    const away = { now: true }
    const { dispatcher } = dispatch(clock, unsteady(storage.queue, away, ['due']), recordingChannel())
    await clock.advance(10_000)
    expect(dispatcher.heartbeat).toBe(0)
    away.now = false
    await clock.advance(10_000)
    expect(dispatcher.heartbeat).toBeGreaterThan(startedAt + 19_000)
    away.now = true
    await clock.advance(10_000)
    expect(dispatcher.heartbeat).toBeLessThan(startedAt + 20_251)
  })
})

describe('many receivers', () => {
  it('one that never answers in time does not delay another', async () => {
    const { storage, clock } = await house(['wh_slow', 'wh_fast'])
    const channel = recordingChannel(({ delivery: { target } }) =>
      target === 'wh_fast'
        ? httpAnswer(200)
        : new Promise((resolve) =>
            clock.after(timeoutMs, () => resolve(noAnswer('timeout', { durationMs: timeoutMs }))),
          ),
    )
    dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, numbered('s', 200), 'wh_slow')
    await enqueue(storage, clock, numbered('f', 200), 'wh_fast')
    await clock.advance(3_000)
    const toFast = channel.sent.filter(({ delivery }) => delivery.target === 'wh_fast')
    expect(toFast).toHaveLength(200)
    expect(channel.sent.length - toFast.length).toBe(1)
  })

  it('that never answer hold a quarter of the places together, however often they are tried', async () => {
    const dead = numbered('dead_', 6)
    const { storage, clock } = await house([...dead, 'wh_well'])
    const underWay = new Set<string>()
    let most = 0
    const channel = recordingChannel(({ delivery: { id, target } }) => {
      if (target === 'wh_well') return httpAnswer(200)
      most = Math.max(most, underWay.add(id).size)
      return new Promise((resolve) =>
        clock.after(timeoutMs, () => {
          underWay.delete(id)
          resolve(noAnswer('timeout', { durationMs: timeoutMs }))
        }),
      )
    })
    dispatch(clock, storage.queue, channel, { concurrency: { total: 8, perTarget: 8 } })
    for (const target of dead) await enqueue(storage, clock, numbered(`${target}_`, 20), target)
    await enqueue(storage, clock, numbered('n', 100), 'wh_well')
    // The first time nobody knows yet that they are dead, and each has one attempt; from then on they are suspects.
    await clock.advance(timeoutMs)
    expect(most).toBe(6)
    most = 0
    await clock.advance(40_000)
    expect(most).toBe(2)
    expect(channel.sent.filter(({ delivery }) => delivery.target === 'wh_well')).toHaveLength(100)
    for (const target of dead) expect(channel.sent.some(({ delivery }) => delivery.target === target)).toBe(true)
  })

  it('that all answer are sent to without waiting for the next poll', async () => {
    const { storage, clock } = await house()
    const channel = recordingChannel()
    dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, numbered('n', 300))
    await clock.advance(250)
    expect(channel.sent).toHaveLength(300)
  })

  it('get no more than the total at once, and no more than their window each', async () => {
    const targets = numbered('wh_', 6)
    const { storage, clock } = await house(targets)
    const channel = heldChannel()
    dispatch(clock, storage.queue, channel, { concurrency: { total: 8, perTarget: 3 } })
    for (const target of targets) await enqueue(storage, clock, numbered(`${target}_`, 40), target)
    await clock.advance(250)
    let answered = 0
    while (channel.waiting.length > 0) {
      expect(channel.waiting.length).toBeLessThanOrEqual(8)
      for (const target of targets)
        expect(channel.waiting.filter(({ delivery }) => delivery.target === target).length).toBeLessThanOrEqual(3)
      channel.answerNext()
      answered += 1
      await clock.advance(1)
    }
    expect(answered).toBe(240)
  })

  it('that are due for the first time are not held up by a backlog of retries, nor these by them', async () => {
    const { storage, clock } = await house(['wh_1', 'wh_2'])
    const failing = recordingChannel([httpAnswer(500)])
    const before = dispatch(clock, storage.queue, failing)
    await enqueue(storage, clock, numbered('r', 100), 'wh_1')
    await clock.advance(10_000)
    await before.dispatcher.stop()
    await clock.advance(1 * hour)
    await enqueue(storage, clock, numbered('f', 100), 'wh_2')

    const channel = heldChannel()
    dispatch(clock, storage.queue, channel, { concurrency: { total: 8, perTarget: 8 } })
    await clock.advance(250)
    const started = { wh_1: 0, wh_2: 0 }
    for (let answered = 0; answered < 100; answered += 1) {
      channel.answerNext()
      await clock.advance(1)
    }
    for (const { delivery } of channel.sent.slice(20, 100)) started[delivery.target === 'wh_1' ? 'wh_1' : 'wh_2'] += 1
    // A quarter of the places is kept for retries: two of eight, so of 80 attempts about 20.
    expect(started.wh_1).toBeGreaterThanOrEqual(16)
    expect(started.wh_1).toBeLessThanOrEqual(24)
  })
})

describe('what is claimed ahead', () => {
  const release = (queue: DeliveryQueue, released: string[]): DeliveryQueue => ({
    ...queue,
    async release(deliveries) {
      released.push(...deliveries.map(({ id }) => id))
      await queue.release(deliveries)
    },
  })

  /** A dispatcher whose targets have all answered once, so that it claims ahead for them, and then answer as told. */
  async function proven(targets: readonly string[], perTarget: number) {
    const { storage, clock } = await house(targets)
    const channel = heldChannel()
    const released: string[] = []
    const { dispatcher, observed } = dispatch(clock, release(storage.queue, released), channel, {
      concurrency: { total: 64, perTarget },
    })
    for (const target of targets) {
      for (let answers = 0; answers < 5; answers += 1) {
        await enqueue(storage, clock, [`${target}_${answers}`], target)
        await clock.advance(250)
        channel.answerNext()
        await clock.advance(250)
      }
    }
    const before = channel.sent.length
    const sent = () => channel.sent.slice(before).map(({ delivery }) => delivery.id)
    return { storage, clock, channel, dispatcher, observed, released, sent }
  }

  it('and comes to its place with too little of its lease is given back, and claimed anew', async () => {
    const { storage, clock, channel, released, sent } = await proven(['wh_1'], 1)
    await enqueue(storage, clock, ['a', 'b', 'c'])
    await clock.advance(250)
    const claimedAt = channel.sent.at(-1)?.startedAt ?? 0
    expect(sent()).toEqual(['dlv_a'])
    await clock.advance(4_000)
    channel.answerNext()
    await clock.advance(claimedAt + leaseMs - timeoutMs + 1 - clock.now())
    expect(sent()).toEqual(['dlv_a', 'dlv_b'])
    channel.answerNext()
    await clock.advance(0)
    expect(released).toEqual(['dlv_c'])
    await clock.advance(250)
    expect(sent()).toEqual(['dlv_a', 'dlv_b', 'dlv_c'])
    const tokens = channel.sent.slice(-2).map(({ delivery }) => delivery.lease_token)
    expect(new Set(tokens).size).toBe(2)
    channel.answerNext()
    await clock.advance(250)
    expect(await attempts(storage, 'c')).toHaveLength(1)
  })

  it('and comes to its place with just enough of its lease is attempted', async () => {
    const { storage, clock, channel, released, sent } = await proven(['wh_1'], 1)
    await enqueue(storage, clock, ['a', 'b', 'c'])
    await clock.advance(250)
    const claimedAt = channel.sent.at(-1)?.startedAt ?? 0
    await clock.advance(4_000)
    channel.answerNext()
    await clock.advance(claimedAt + leaseMs - timeoutMs - clock.now())
    channel.answerNext()
    await clock.advance(0)
    expect(released).toEqual([])
    expect(sent()).toEqual(['dlv_a', 'dlv_b', 'dlv_c'])
  })

  it('for a target that stops answering is given back at once, what waits for others is not', async () => {
    const { storage, clock, channel, released, sent } = await proven(['wh_1', 'wh_2'], 4)
    await enqueue(storage, clock, numbered('n', 12), 'wh_1')
    await enqueue(storage, clock, numbered('m', 12), 'wh_2')
    await clock.advance(250)
    expect(sent()).toHaveLength(8)
    const index = channel.waiting.findIndex(({ delivery }) => delivery.target === 'wh_1')
    channel.waiting.splice(index, 1)[0]?.answer(noAnswer())
    await clock.advance(0)
    expect(released).toHaveLength(8)
    expect(released.every((id) => id.startsWith('dlv_n'))).toBe(true)
    // Three are still under way: nothing more is started to it before it answers.
    await clock.advance(1_000)
    expect(sent()).toHaveLength(8)
    expect(released).toHaveLength(8)
  })

  it('is given back when the dispatcher stops, and free for another at once', async () => {
    const { storage, clock, channel, dispatcher, released } = await proven(['wh_1'], 4)
    await enqueue(storage, clock, numbered('n', 12))
    await clock.advance(250)
    const stopping = dispatcher.stop()
    await clock.advance(0)
    expect(released).toHaveLength(8)
    const heir = recordingChannel()
    dispatch(clock, storage.queue, heir)
    await clock.advance(500)
    expect(heir.sent).toHaveLength(8)
    while (channel.waiting.length > 0) channel.answerNext()
    await clock.advance(0)
    await stopping
    expect(await storage.queue.counts()).toEqual({ pending: 0, delivered: 17, failed: 0 })
  })

  it('while outcomes cannot be recorded starts as soon as they can again', async () => {
    const { storage, clock } = await house(['wh_1', 'wh_2'])
    const channel = heldChannel()
    const away = { now: false }
    const gate = Promise.withResolvers<void>()
    const queue: DeliveryQueue = {
      ...storage.queue,
      async claim(requests, lease) {
        const claimed = await storage.queue.claim(requests, lease)
        if (claimed.some(({ target }) => target === 'wh_2')) await gate.promise
        return claimed
      },
    }
    dispatch(clock, unsteady(queue, away, ['record']), channel)
    await enqueue(storage, clock, ['a'], 'wh_1')
    await clock.advance(250)
    await enqueue(storage, clock, ['b'], 'wh_2')
    await clock.advance(250)
    away.now = true
    channel.answerNext()
    await clock.advance(0)
    gate.resolve()
    await clock.advance(0)
    expect(channel.sent).toHaveLength(1)
    away.now = false
    await clock.advance(1_000)
    expect(channel.sent.map(({ delivery }) => delivery.id)).toEqual(['dlv_a', 'dlv_b'])
  })

  it('whose way out is closed is tried again after pauses that double up to 30 s, told once each, and counts no attempt', async () => {
    const { storage, clock, startedAt } = await house(['wh_1', 'wh_2'])
    const tried: number[] = []
    let isOpen = false
    const channel: Channel = {
      timeoutMs,
      async send() {
        if (isOpen) return httpAnswer(200)
        tried.push(clock.now() - startedAt)
        throw new Error('the proxy cannot be reached')
      },
    }
    const { observed } = dispatch(clock, storage.queue, channel)
    await enqueue(storage, clock, ['a', 'b', 'c'], 'wh_1')
    await enqueue(storage, clock, ['d', 'e', 'f'], 'wh_2')
    await clock.advance(120_000)
    const faults = observed.filter(({ type }) => type === 'fault').length
    expect(new Set(tried).size).toBe(faults)
    // 250 ms, 500 ms … 16 s, and 30 s from there on; each may be late by a poll.
    expect(faults).toBeGreaterThanOrEqual(9)
    expect(faults).toBeLessThanOrEqual(11)
    expect(await storage.queue.counts()).toEqual({ pending: 6, delivered: 0, failed: 0 })
    expect((await storage.reads.deliveries.find('default', 'dlv_a'))?.attempt_count).toBe(0)

    isOpen = true
    await clock.advance(31_000)
    expect(await storage.queue.counts()).toEqual({ pending: 0, delivered: 6, failed: 0 })
  })

  it('for an endpoint that turns out to be held back is given back with it: no attempt, no fault', async () => {
    const { storage, clock } = await house(['wh_1', 'wh_2'])
    let sent = 0
    const channel: Channel = {
      timeoutMs,
      async send({ target }) {
        sent += 1
        return target === 'wh_1' ? null : httpAnswer(200)
      },
    }
    const released: string[] = []
    const { observed } = dispatch(clock, release(storage.queue, released), channel)
    await enqueue(storage, clock, ['a', 'b'], 'wh_1')
    await enqueue(storage, clock, ['c'], 'wh_2')
    await clock.advance(1_000)
    expect(released).toContain('dlv_a')
    expect(observed.map(({ type }) => type)).toEqual(['attempt'])
    expect(await shown(storage)).toMatchObject({ state: 'pending', attempt_count: 0 })
    expect(sent).toBeLessThan(10)
  })
})

describe('outcomes', () => {
  /** The sizes of the transactions in which outcomes are recorded. */
  function countingRecords(queue: DeliveryQueue, sizes: number[]): DeliveryQueue {
    return {
      ...queue,
      async record(outcomes) {
        sizes.push(outcomes.length)
        return queue.record(outcomes)
      },
    }
  }

  it('of a busy dispatcher share transactions, and wait no longer than 10 ms for company', async () => {
    const { storage, clock } = await house()
    const channel = heldChannel()
    const sizes: number[] = []
    dispatch(clock, countingRecords(storage.queue, sizes), channel)
    await enqueue(storage, clock, numbered('n', 60))
    await clock.advance(250)
    for (let answers = 0; answers < 31; answers += 1) {
      channel.answerNext()
      await clock.advance(0)
    }
    await clock.advance(20)
    sizes.length = 0
    for (let answers = 0; answers < 8; answers += 1) {
      channel.answerNext()
      await clock.advance(1)
    }
    expect(sizes).toEqual([])
    await clock.advance(2)
    expect(sizes).toEqual([8])
  })

  it('of the last attempt under way are recorded at once', async () => {
    const { storage, clock } = await house()
    const channel = heldChannel()
    const sizes: number[] = []
    dispatch(clock, countingRecords(storage.queue, sizes), channel)
    await enqueue(storage, clock, ['a'])
    await clock.advance(250)
    channel.answerNext()
    await clock.advance(0)
    expect(sizes).toEqual([1])
  })
})
