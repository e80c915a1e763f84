import type { Clock } from '../time/clock.js'

export interface LoopDeps {
  readonly clock: Clock
  readonly firstDelayMs: number
  /** How long to wait after a failed round; by default `firstDelayMs`. */
  readonly faultDelayMs?: number
  /** Resolves to the pause before the next round. */
  readonly round: () => Promise<number>
  /** Called with the error of a failed round, except the `AbortError` of one that the stop interrupted. */
  readonly fault: (error: unknown) => void
}

/** Repeated rounds of work, one at a time, until it is stopped. */
export interface Loop {
  start(): void
  /** Resolves when the current round has ended. */
  stop(): Promise<void>
}

export function createLoop({ clock, firstDelayMs, faultDelayMs = firstDelayMs, round, fault }: LoopDeps): Loop {
  let running = false
  let underWay = Promise.resolve()
  let cancel = () => {}

  function schedule(delayMs: number): void {
    if (!running) return
    cancel = clock.after(delayMs, () => {
      underWay = round()
        .catch((error: unknown) => {
          if (running || !(error instanceof Error && error.name === 'AbortError')) fault(error)
          return faultDelayMs
        })
        .then(schedule)
    })
  }

  return {
    start() {
      running = true
      schedule(firstDelayMs)
    },
    async stop() {
      running = false
      cancel()
      await underWay
    },
  }
}
