import { LRUCache } from 'lru-cache'

/** A repeated message is logged once in this time: otherwise a lasting fault would fill the disk. */
const quietMs = 10_000

/** Varying messages must not fill the memory: beyond this, the oldest is dropped. */
const maxKnown = 1000

/** Decides which repeated messages to log. */
export class Repeats {
  readonly #now: () => number
  readonly #told = new LRUCache<string, { readonly atMs: number; heldBack: number }>({ max: maxKnown })

  /** @param now in milliseconds, of a clock that is never set back */
  constructor(now: () => number) {
    this.#now = now
  }

  /** How often `what` was suppressed since it was last logged; null: suppress it now. */
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
