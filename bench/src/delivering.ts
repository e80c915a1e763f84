import { setTimeout as wait } from 'node:timers/promises'
import type { Delay } from '#bench'
import { type RunningProcess, residentMb } from '#processes'
import type { Receiver } from '#receiver'

export const inFlight = 64

export interface Batch {
  readonly count: number
  /** How many arrive before the clock starts. */
  readonly warmUp: number
}

/** Processes are new in each round: on both sides the clock starts when they have warmed up. */
export const usual: Batch = { count: 30_000, warmUp: 6_000 }

/** The backlog of a worker that was just started: the clock starts with its first delivery. */
export const cold: Batch = { count: 20_000, warmUp: 1 }

const pollMs = 5
const patienceMs = 120_000

export interface DeliveryRun {
  readonly batch: Batch
  readonly receiver: Receiver
  /** Starts the sender of the batch of committed deliveries, and records the outcomes. */
  readonly start: () => Promise<Sender> | Sender
  /** How many are recorded as delivered. Read only after all have arrived, so that it costs the sender nothing. */
  readonly recorded: () => Promise<number> | number
}

export interface DeliveryRate {
  readonly perSecond: number
  /** The memory of the sender's process at the end. */
  readonly residentMb: number
  /** Undefined if the sender does not report it. */
  readonly delay: Delay | undefined
}

export interface Sender extends RunningProcess {
  readonly delay?: () => Promise<Delay>
}

/** From the arrival of the warm-up's last delivery to the record of the very last one. */
export async function delivering({ batch, receiver, start, recorded }: DeliveryRun): Promise<DeliveryRate> {
  const before = await receiver.arrivals()
  await using sender = await start()
  const gone = sender.ended.then(() => Promise.reject(new Error('the sender has ended')))
  const reached = (arrivals: number) => Promise.race([receiver.reached(before + arrivals, patienceMs), gone])
  await reached(batch.warmUp)
  const startedAt = performance.now()
  await reached(batch.count)
  for (;;) {
    const done = await recorded()
    const elapsedMs = performance.now() - startedAt
    if (done === batch.count) {
      const perSecond = ((batch.count - batch.warmUp) / elapsedMs) * 1000
      return { perSecond, residentMb: residentMb(sender.pid), delay: await sender.delay?.() }
    }
    if (elapsedMs > patienceMs) throw new Error(`${done} of ${batch.count} deliveries are recorded`)
    await wait(pollMs)
  }
}
