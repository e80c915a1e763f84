import { nodeCrypto } from '../node-crypto.js'

/**
 * A secret text. The compiler refuses to compare it with a text, and it does not show itself where it is logged,
 * printed, concatenated or serialised by mistake: only `reveal` gives the text.
 */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The only comparison. It takes the same time wherever the two differ, whatever their lengths. */
  equals(other: Secret): boolean {
    return nodeCrypto().timingSafeEqual(this.#digest(), other.#digest())
  }

  /** For the place where the text itself is needed: a signature, a cipher, the one answer that shows it. */
  reveal(): string {
    return this.#text
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[secret]'
  }

  #digest(): Uint8Array {
    return nodeCrypto().hash('sha256', this.#text, 'buffer')
  }
}
