import { setTimeout as wait } from 'node:timers/promises'
import { type Running, residentMb } from '#processes'
import type { Receiver } from '#receiver'

export const inFlight = 64
export const deliveries = 30_000

/** Of these, so many pass before the clock starts, on both sides: processes are fresh in each round. */
export const warmUp = 6_000

const pollMs = 5
const patienceMs = 120_000

export interface Delivering {
  readonly receiver: Receiver
  /** Starts whoever sends `deliveries` committed deliveries and records what came of them. */
  readonly start: () => Promise<Running> | Running
  /** How many are recorded as delivered. Asked only after all have arrived, so that it costs the sender nothing. */
  readonly recorded: () => Promise<number> | number
}

export interface Delivered {
  readonly perSecond: number
  /** What the sender's process held at the end. */
  readonly residentMb: number
}

/** From the arrival of the last delivery of the warm-up to the record of the very last one. */
export async function delivering({ receiver, start, recorded }: Delivering): Promise<Delivered> {
  const before = await receiver.arrivals()
  await using sender = await start()
  const gone = sender.ended.then(() => Promise.reject(new Error('the sender has ended')))
  const reached = (arrivals: number) => Promise.race([receiver.reached(before + arrivals, patienceMs), gone])
  await reached(warmUp)
  const startedAt = performance.now()
  await reached(deliveries)
  for (;;) {
    const done = await recorded()
    const elapsedMs = performance.now() - startedAt
    if (done === deliveries) {
      return { perSecond: ((deliveries - warmUp) / elapsedMs) * 1000, residentMb: residentMb(sender.pid) }
    }
    if (elapsedMs > patienceMs) throw new Error(`${done} of ${deliveries} deliveries are recorded`)
    await wait(pollMs)
  }
}
