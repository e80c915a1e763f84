/** Clocks this close count as equal: the query takes time as well. */
const toleranceMs = 1000

/**
 * The clock of a server shared by machines, as this process last read it. Between two readings it advances by
 * `performance.now()`, so that setting this machine's clock does not affect it.
 */
export class StoreClock {
  #seen: { readonly storeMs: number; readonly atMs: number } | null = null

  /**
   * A slow answer is less precise than an earlier fast one, but better than none.
   * @param askedAtMs when the store was asked for its time, by `performance.now()`
   */
  note(storeMs: number, askedAtMs: number): void {
    const nowMs = performance.now()
    if (this.#seen === null || nowMs - askedAtMs <= toleranceMs) this.#seen = { storeMs, atMs: (askedAtMs + nowMs) / 2 }
  }

  /** How far the store's clock is ahead of this process's clock; negative: behind. 0 until it was read. */
  get differenceMs(): number {
    if (this.#seen === null) return 0
    return Math.round(this.#seen.storeMs + performance.now() - this.#seen.atMs - Date.now())
  }

  /** Converts `instant` from this process's clock to the store's. Only the store's clock decides about leases. */
  of(instant: string): string {
    const { differenceMs } = this
    return Math.abs(differenceMs) <= toleranceMs ? instant : new Date(Date.parse(instant) + differenceMs).toISOString()
  }
}
