/** The same thing again is told once in so long: a fault that lasts would fill the disk. */
const quietMs = 10_000

/** Which of the things that keep happening to tell. */
export class Repeats {
  readonly #now: () => number
  readonly #told = new Map<string, { readonly atMs: number; heldBack: number }>()

  /** @param now in milliseconds, of a clock that is never set back */
  constructor(now: () => number) {
    this.#now = now
  }

  /** How often `what` was held back since it was last told; null: it is held back now. */
  note(what: string): number | null {
    const atMs = this.#now()
    const known = this.#told.get(what)
    if (known !== undefined && atMs - known.atMs < quietMs) {
      known.heldBack += 1
      return null
    }
    for (const [other, told] of this.#told) if (atMs - told.atMs >= 2 * quietMs) this.#told.delete(other)
    this.#told.set(what, { atMs, heldBack: 0 })
    return known?.heldBack ?? 0
  }
}
