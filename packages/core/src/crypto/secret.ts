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

  /** Compares in constant time, whatever the lengths and differences of the texts. There is no other comparison. */
  equals(other: Secret): boolean {
    return nodeCrypto().timingSafeEqual(this.#digest(), other.#digest())
  }

  /** The text itself, for a signature, a cipher, or the one answer that shows it. */
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
