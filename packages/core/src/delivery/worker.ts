import { createLoop } from '../running/loop.js'
import type { Clock } from '../time/clock.js'
import { Dispatcher, type DispatcherDeps, type DispatcherEvent } from './dispatcher.js'

/** A periodic job of a worker, besides sending. */
export interface Job {
  /** Its name in fault reports. */
  readonly name: string
  /** Milliseconds from the end of one run to the start of the next. The first run starts within a second. */
  readonly everyMs: number
  /** Resolves to true when there is more to do right away. Several processes may run it at the same time. */
  readonly run: () => Promise<unknown>
}

/**
 * Sends what is due and runs its jobs, until it is stopped. Each process has one, and any number of processes may run.
 */
export interface Worker {
  start(): void
  /** Looks for due deliveries at once instead of at the next poll. */
  wake(): void
  /**
   * Starts no new attempts. Resolves when those in progress have ended and are recorded, and each running job has
   * ended.
   */
  stop(): Promise<void>
  /**
   * When the queue last answered, or when the worker started if it has not answered yet; 0 before the start. It is in
   * milliseconds since the Unix epoch by the current clock: `now` minus this is the elapsed time, even if the clock was
   * set meanwhile.
   */
  readonly heartbeat: number
  /** The number of attempts in progress. */
  readonly inFlight: number
}

/** A fault in a job. */
export interface JobFault {
  readonly type: 'fault'
  readonly doing: 'upkeep'
  readonly job: string
  readonly error: unknown
}

export interface DeliveryWorkerDeps extends Omit<DispatcherDeps, 'observe'> {
  readonly jobs: readonly Job[]
  /** Called at the end of a stop, once every attempt is recorded. If it rejects, the error is reported as a fault. */
  readonly stopped?: () => Promise<void>
  readonly observe: (event: DispatcherEvent | JobFault) => void
}

/** The longest wait for the first run of a job. */
const maxFirstDelayMs = 1000

/** The pause between two steps of a job that has more to do, so that live traffic goes first. */
const breathMs = 20

/**
 * The longest pause after a fault. Without this bound, a moment without the store would delay a daily job by a day.
 * Without pauses, a time-stamp authority that fails would be asked every second.
 */
const maxFaultDelayMs = 3_600_000

export function createDeliveryWorker({ jobs, stopped = async () => {}, ...deps }: DeliveryWorkerDeps): Worker {
  const { clock, queue, observe } = deps
  const dispatcher = new Dispatcher(deps)
  const loops = jobs.map((job) => loopOf(job, clock, observe))
  let unwatch = () => {}
  return {
    start() {
      unwatch = queue.watch(() => dispatcher.wake())
      dispatcher.start()
      for (const loop of loops) loop.start()
    },
    wake: () => dispatcher.wake(),
    async stop() {
      unwatch()
      await Promise.all([dispatcher.stop(), ...loops.map((loop) => loop.stop())])
      await stopped().catch((error: unknown) => observe({ type: 'fault', doing: 'upkeep', job: 'stop', error }))
    },
    get heartbeat() {
      return dispatcher.heartbeat
    },
    get inFlight() {
      return dispatcher.inFlight
    },
  }
}

function loopOf({ name, everyMs, run }: Job, clock: Clock, observe: DeliveryWorkerDeps['observe']) {
  return createLoop({
    clock,
    firstDelayMs: Math.min(everyMs, maxFirstDelayMs),
    faultDelayMs: Math.min(everyMs, maxFaultDelayMs),
    round: async () => ((await run()) === true ? breathMs : everyMs),
    fault: (error) => observe({ type: 'fault', doing: 'upkeep', job: name, error }),
  })
}
