import type { Clock } from '../time/clock.js'

/** The first time for which a channel that could not send stays closed. It doubles each time, up to `maxWaitMs`. */
const waitMs = 250
const maxWaitMs = 30_000

/** Channels that could not send, and when they try again. */
export class ClosedChannels {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #closed = new Map<string, { readonly untilMs: number; readonly waitMs: number }>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  isClosed(channel: string): boolean {
    const closed = this.#closed.get(channel)
    return closed !== undefined && this.#clock.monotonic() < closed.untilMs
  }

  /** False when it is closed already. */
  close(channel: string): boolean {
    if (this.isClosed(channel)) return false
    const before = this.#closed.get(channel)?.waitMs
    const next = before === undefined ? waitMs : Math.min(maxWaitMs, before * 2)
    this.#closed.set(channel, { untilMs: this.#clock.monotonic() + next, waitMs: next })
    return true
  }

  open(channel: string): void {
    this.#closed.delete(channel)
  }
}
