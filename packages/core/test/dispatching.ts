import { memoryStorage } from '../../../test/memory-storage.js'
import { replacing } from '../../planning/test/replacing.js'
import { account, endpoint } from '../../storage-contract/src/samples/samples.js'
import type { Channel, SendResult } from '../src/delivery/channel.js'
import type { ClaimedDelivery, DeliveryQueue } from '../src/delivery/delivery-queue.js'
import { Dispatcher, type DispatcherDeps, type DispatcherEvent } from '../src/delivery/dispatcher.js'
import { UnavailableError } from '../src/errors.js'
import type { Storage } from '../src/storage.js'
import { type FixedClock, fixedClock, httpAnswer, recordingChannel, seededRandom } from '../src/testing/index.js'
import { toInstant } from '../src/time/time.js'
import { schedule } from './open-sav.js'

export const minute = 60_000
export const timeoutMs = 5_000
export const leaseMs = timeoutMs + 10_000

const seeds = { next: 1 }

/** A store with these endpoints, and a clock. */
export async function house(endpoints: readonly string[] = ['wh_1']) {
  const storage = await memoryStorage()
  const clock = fixedClock()
  await storage.transaction(async (tx) => {
    await tx.accounts.add(account('default'))
    for (const id of endpoints) await tx.endpoints.add(endpoint('default', id))
  })
  return { storage, clock, startedAt: clock.now() }
}

/** A started dispatcher, as in a separate process, with the events that it observes. */
export function dispatch(
  clock: FixedClock,
  queue: DeliveryQueue,
  channel: Channel,
  deps: Partial<DispatcherDeps> = {},
) {
  const observed: DispatcherEvent[] = []
  const dispatcher = new Dispatcher({
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
export async function enqueue(
  storage: Storage,
  clock: FixedClock,
  names: readonly string[],
  target = 'wh_1',
): Promise<void> {
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

/** Passes the hours of a whole schedule, stopping only around the times at which an attempt may be due. */
export async function passSchedule(clock: FixedClock, from: number, dwellMs = 300): Promise<void> {
  for (const offset of schedule) {
    clock.set(Math.max(clock.now(), from + offset - dwellMs))
    await clock.advance(2 * dwellMs)
  }
}

export const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`)

export const shown = async (storage: Storage, name = 'a') => storage.reads.deliveries.find('default', `dlv_${name}`)
export const attempts = async (storage: Storage, name = 'a') =>
  storage.reads.deliveries.attempts('default', `dlv_${name}`)

/** A channel whose answers the test gives one by one, in any order. */
export function heldChannel() {
  const waiting: { readonly delivery: ClaimedDelivery; readonly answer: (result: SendResult) => void }[] = []
  const channel = recordingChannel(
    ({ delivery }) => new Promise<SendResult>((resolve) => waiting.push({ delivery, answer: resolve })),
  )
  return { ...channel, waiting, answerNext: (result = httpAnswer(200)) => waiting.shift()?.answer(result) }
}

/** The queue, whose `methods` are unavailable while `away.now` is true. */
export function unsteady(
  queue: DeliveryQueue,
  away: { now: boolean },
  methods: readonly (keyof DeliveryQueue)[],
): DeliveryQueue {
  const fail = async () => {
    throw new UnavailableError('The store is away.', { retryAfterSeconds: 1 })
  }
  const unlessAway =
    (method: keyof DeliveryQueue) =>
    (...given: unknown[]) =>
      away.now ? fail() : Reflect.apply(queue[method], queue, given)
  return replacing(queue, Object.fromEntries(methods.map((method) => [method, unlessAway(method)])))
}
