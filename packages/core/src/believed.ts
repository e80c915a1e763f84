import type { Clock } from './clock.js'

const minSweep = 64

/** What was true a moment ago and is not asked for again until it is `forMs` old. */
export class Believed<Key, Value> {
  readonly #clock: Pick<Clock, 'now'>
  readonly #forMs: number
  readonly #values = new Map<Key, { readonly value: Value; readonly since: number }>()
  #sweepAt = minSweep

  constructor(clock: Pick<Clock, 'now'>, forMs: number) {
    this.#clock = clock
    this.#forMs = forMs
  }

  get(key: Key): Value | undefined {
    const held = this.#values.get(key)
    return held !== undefined && this.#isFresh(held.since) ? held.value : undefined
  }

  set(key: Key, value: Value): void {
    if (this.#values.size >= this.#sweepAt) this.#sweep()
    this.#values.set(key, { value, since: this.#clock.now() })
  }

  /** Forgets the values that `matches`. */
  forget(matches: (value: Value, key: Key) => boolean): void {
    for (const [key, { value }] of this.#values) if (matches(value, key)) this.#values.delete(key)
  }

  delete(key: Key): void {
    this.#values.delete(key)
  }

  /** A clock that was set back must not make anything believed for longer. */
  #isFresh(since: number): boolean {
    const age = this.#clock.now() - since
    return age >= 0 && age < this.#forMs
  }

  /** Each time that as many have come again as were left: it costs nothing on the whole, and what is stale takes no memory. */
  #sweep(): void {
    for (const [key, { since }] of this.#values) if (!this.#isFresh(since)) this.#values.delete(key)
    this.#sweepAt = Math.max(minSweep, 2 * this.#values.size)
  }
}
