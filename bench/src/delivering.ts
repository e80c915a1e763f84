import { setTimeout as wait } from 'node:timers/promises'
import type { Delay } from '#bench'
import { type RunningProcess, residentMb } from '#processes'
import type { Receiver } from '#receiver'

export const inFlight = 64

export interface Batch {
  readonly count: number
  /** How many deliveries arrive before the measurement starts. */
  readonly warmUp: number
}

/** A batch for processes that are new in each round: measuring starts when they have warmed up. */
export const usual: Batch = { count: 30_000, warmUp: 6_000 }

/** A batch for a worker that was just started: measuring starts with its first delivery. */
export const cold: Batch = { count: 20_000, warmUp: 1 }

const pollMs = 5
const patienceMs = 120_000

export interface DeliveryRun {
  readonly batch: Batch
  readonly receiver: Receiver
  /** Starts the process that sends the committed deliveries of the batch and records the outcomes. */
  readonly start: () => Promise<Sender> | Sender
  /**
   * How many deliveries are recorded as delivered. Called only after all have arrived, so that it does not slow the
   * sender down.
   */
  readonly recorded: () => Promise<number> | number
}

export interface DeliveryRate {
  readonly perSecond: number
  /** The memory of the sender's process at the end, in MB. */
  readonly residentMb: number
  /** The sender's event loop delays; undefined if it does not report them. */
  readonly delay: Delay | undefined
}

export interface Sender extends RunningProcess {
  readonly delay?: () => Promise<Delay>
}

/** Measures from the arrival of the warm-up's last delivery to the record of the batch's last one. */
export async function delivering({ batch, receiver, start, recorded }: DeliveryRun): Promise<DeliveryRate> {
  const before = await receiver.arrivals()
  await using sender = await start()
  const gone = sender.ended.then(() => Promise.reject(new Error('The sending process has ended.')))
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
    if (elapsedMs > patienceMs) throw new Error(`Only ${done} of ${batch.count} deliveries were recorded.`)
    await wait(pollMs)
  }
}
