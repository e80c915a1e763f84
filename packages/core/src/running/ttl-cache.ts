import type { Clock } from '../time/clock.js'

const minSweep = 64

/** A cache with a time to live: a value expires once it is `ttlMs` old, even if the clock is set meanwhile. */
export class TtlCache<Key, Value> {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #ttlMs: number
  readonly #values = new Map<Key, { readonly value: Value; readonly since: number }>()
  #sweepAt = minSweep

  constructor(clock: Pick<Clock, 'monotonic'>, ttlMs: number) {
    this.#clock = clock
    this.#ttlMs = ttlMs
  }

  get(key: Key): Value | undefined {
    const held = this.#values.get(key)
    return held !== undefined && this.#isFresh(held.since) ? held.value : undefined
  }

  set(key: Key, value: Value): void {
    if (this.#values.size >= this.#sweepAt) this.#sweep()
    this.#values.set(key, { value, since: this.#clock.monotonic() })
  }

  /** Deletes the values that match. */
  forget(matches: (value: Value, key: Key) => boolean): void {
    for (const [key, { value }] of this.#values) if (matches(value, key)) this.#values.delete(key)
  }

  delete(key: Key): void {
    this.#values.delete(key)
  }

  #isFresh(since: number): boolean {
    return this.#clock.monotonic() - since < this.#ttlMs
  }

  /** Runs whenever the number of values has doubled, so that it costs little and stale values take no memory. */
  #sweep(): void {
    for (const [key, { since }] of this.#values) if (!this.#isFresh(since)) this.#values.delete(key)
    this.#sweepAt = Math.max(minSweep, 2 * this.#values.size)
  }
}
