import type { Clock } from '../time/clock.js'

export interface LoopDeps {
  readonly clock: Clock
  readonly firstDelayMs: number
  /** How long to wait after a round that failed; `firstDelayMs` by default. */
  readonly faultDelayMs?: number
  /** Resolves to how long to wait before the next one. */
  readonly round: () => Promise<number>
  /** Told of a round that failed. */
  readonly fault: (error: unknown) => void
}

/** Work in rounds, one at a time, for as long as the process wants. */
export interface Loop {
  start(): void
  /** Resolves when the round under way has ended. */
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
          fault(error)
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
