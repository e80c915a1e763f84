import type { Clock } from '../time/clock.js'

/** The first pause. It doubles each time, up to `maxWaitMs`. */
const waitMs = 250
const maxWaitMs = 30_000

/** Channels and targets to which nothing is sent for a moment, because of a fault of our own. */
export class Pauses {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #paused = new Map<string, { readonly untilMs: number; readonly waitMs: number }>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  isPaused(name: string): boolean {
    const paused = this.#paused.get(name)
    return paused !== undefined && this.#clock.monotonic() < paused.untilMs
  }

  /** Pauses a channel or target. False if it is already paused. */
  pause(name: string): boolean {
    if (this.isPaused(name)) return false
    const before = this.#paused.get(name)?.waitMs
    const next = before === undefined ? waitMs : Math.min(maxWaitMs, before * 2)
    this.#paused.set(name, { untilMs: this.#clock.monotonic() + next, waitMs: next })
    return true
  }

  /** Called after something was sent: ends the pause, and makes the next one short again. */
  resume(name: string): void {
    this.#paused.delete(name)
  }
}
