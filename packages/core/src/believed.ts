import type { Clock } from './clock.js'

const minSweep = 64

/** What was true a moment ago and is not asked for again until it is `forMs` old, whatever the time of day is set to. */
export class Believed<Key, Value> {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #forMs: number
  readonly #values = new Map<Key, { readonly value: Value; readonly since: number }>()
  #sweepAt = minSweep

  constructor(clock: Pick<Clock, 'monotonic'>, forMs: number) {
    this.#clock = clock
    this.#forMs = forMs
  }

  get(key: Key): Value | undefined {
    const held = this.#values.get(key)
    return held !== undefined && this.#isFresh(held.since) ? held.value : undefined
  }

  set(key: Key, value: Value): void {
    if (this.#values.size >= this.#sweepAt) this.#sweep()
    this.#values.set(key, { value, since: this.#clock.monotonic() })
  }

  /** Forgets the values that `matches`. */
  forget(matches: (value: Value, key: Key) => boolean): void {
    for (const [key, { value }] of this.#values) if (matches(value, key)) this.#values.delete(key)
  }

  delete(key: Key): void {
    this.#values.delete(key)
  }

  #isFresh(since: number): boolean {
    return this.#clock.monotonic() - since < this.#forMs
  }

  /** Each time that as many have come again as were left: it costs nothing on the whole, and what is stale takes no memory. */
  #sweep(): void {
    for (const [key, { since }] of this.#values) if (!this.#isFresh(since)) this.#values.delete(key)
    this.#sweepAt = Math.max(minSweep, 2 * this.#values.size)
  }
}
