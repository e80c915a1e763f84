import { LRUCache } from 'lru-cache'

/** A repeated message is logged at most once in this time. Otherwise a lasting fault would fill the disk. */
const quietMs = 10_000

/**
 * How many messages are remembered. The least recently used is forgotten first, so that varying messages cannot fill
 * the memory.
 */
const maxKnown = 1000

/** Decides which repeated messages to log. */
export class Repeats {
  readonly #now: () => number
  readonly #told = new LRUCache<string, { readonly atMs: number; heldBack: number }>({ max: maxKnown })

  /** @param now a clock in milliseconds that is never set back */
  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Decides whether to log `what`. Returns how often it was suppressed since it was last logged; null if it must be
   * suppressed now.
   */
  note(what: string): number | null {
    const atMs = this.#now()
    const known = this.#told.get(what)
    if (known !== undefined && atMs - known.atMs < quietMs) {
      known.heldBack += 1
      return null
    }
    this.#told.set(what, { atMs, heldBack: 0 })
    return known?.heldBack ?? 0
  }
}
