import { nodeCrypto } from '../node-crypto.js'

/**
 * A secret text. It cannot be compared with a string, nor shown by accident when logged, printed, concatenated or
 * serialised: only `reveal` returns the text.
 */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The only comparison. It takes the same time for any difference and any length. */
  equals(other: Secret): boolean {
    return nodeCrypto().timingSafeEqual(this.#digest(), other.#digest())
  }

  /** For the places that need the text itself: a signature, a cipher, the one answer that shows it. */
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
