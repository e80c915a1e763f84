/** Clocks this close count as equal: the query takes time as well. */
const toleranceMs = 1000

/**
 * The clock of a server that machines share, as this process last saw it. Between two readings it advances by
 * `performance.now()`, so that setting the clock of this machine does not affect it.
 */
export class StoreClock {
  #seen: { readonly storeMs: number; readonly atMs: number } | null = null

  /**
   * A slow answer is worth less than an earlier one, but more than none.
   * @param askedAtMs when it was asked, by `performance.now()`
   */
  note(storeMs: number, askedAtMs: number): void {
    const nowMs = performance.now()
    if (this.#seen === null || nowMs - askedAtMs <= toleranceMs) this.#seen = { storeMs, atMs: (askedAtMs + nowMs) / 2 }
  }

  /** How far it is ahead of this process's clock; negative: behind. 0 until it was seen. */
  get differenceMs(): number {
    if (this.#seen === null) return 0
    return Math.round(this.#seen.storeMs + performance.now() - this.#seen.atMs - Date.now())
  }

  /** `instant`, which is by this process's clock, by the store's. Leases are compared by it alone. */
  of(instant: string): string {
    const { differenceMs } = this
    return Math.abs(differenceMs) <= toleranceMs ? instant : new Date(Date.parse(instant) + differenceMs).toISOString()
  }
}
