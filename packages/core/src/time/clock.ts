/** Time comes from outside, so that tests and simulations can control it. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number
  /**
   * Milliseconds since some instant that is fixed while the process lives. Setting `now` does not affect it, as with
   * `performance.now()`. Use it for durations within one process.
   */
  monotonic(): number
  /**
   * Calls `callback` once after `delayMs` (0: in the next turn of the event loop); the returned function cancels it.
   */
  after(delayMs: number, callback: () => void): () => void
}
