import { someoneWaits } from '../running/event-loop.js'
import type { Clock } from '../time/clock.js'

/** A clock that only a test advances. */
export interface FixedClock extends Clock {
  /**
   * Lets `ms` milliseconds pass: runs each due timer at its own instant, in order, and settles every promise that needs
   * no I/O before the next one. 0 runs what is due now.
   */
  advance(ms: number): Promise<void>
  /**
   * Sets the time of day, as an administrator or NTP would: timers keep their remaining delay, and `monotonic` does not
   * change.
   */
  set(ms: number): void
}

interface Timer {
  /** When the timer fires, in milliseconds since the clock was created. */
  readonly due: number
  readonly callback: () => void
}

/** A clock that stands still at `ms` (since the Unix epoch) until `advance`. */
export function fixedClock(ms = Date.UTC(2026, 0, 15, 10, 30)): FixedClock {
  const timers = new Set<Timer>()
  let passed = 0
  let origin = ms

  /** The first timer due by then; of timers due together, the one set first. */
  function next(until: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of timers) if (timer.due <= (first === undefined ? until : first.due - 1)) first = timer
    return first
  }

  return {
    now: () => origin + passed,
    monotonic: () => passed,

    after(delayMs, callback) {
      const timer = { due: passed + Math.max(0, delayMs), callback }
      timers.add(timer)
      return () => {
        timers.delete(timer)
      }
    },

    async advance(ms) {
      const until = passed + ms
      await settled()
      for (let timer = next(until); timer !== undefined; timer = next(until)) {
        timers.delete(timer)
        passed = timer.due
        timer.callback()
        await settled()
      }
      passed = until
    },

    set(ms) {
      origin = ms - passed
    },
  }
}

/**
 * Resolves when every promise that needs no I/O has settled. Long work takes a turn of the event loop for each of its
 * steps, so this waits until no step is left.
 */
async function settled(): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve))
  while (someoneWaits())
}
