/** Time comes in from outside, so that tests and simulations own it. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number
  /**
   * Milliseconds since some instant, the same one as long as the process lives. It goes on evenly when `now` is set, as
   * `performance.now()` does. Durations within one process are measured by it.
   */
  monotonic(): number
  /** Calls `callback` once after `delayMs` (0: as soon as the event loop turns); the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void
}
