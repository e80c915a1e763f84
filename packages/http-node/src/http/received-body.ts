import type { BodyBudget } from './exchange.js'

const leastCapacity = 1024

/**
 * A body in memory that grows as it arrives, so that one-byte pieces take one byte each. The budget counts the memory
 * held.
 */
export class ReceivedBody {
  readonly #budget: BodyBudget
  /** The declared length; undefined without one. */
  readonly #declared: number | undefined
  #memory: Uint8Array = Buffer.alloc(0)
  #length = 0

  constructor(budget: BodyBudget, contentLength: string | undefined) {
    this.#budget = budget
    this.#declared = contentLength !== undefined && /^\d+$/.test(contentLength) ? Number(contentLength) : undefined
  }

  /** Adds a piece, unless the body is then too long, or the budget does not allow it. */
  add(piece: Uint8Array): 'added' | 'too_long' | 'beyond_budget' {
    const length = this.#length + piece.length
    if (length > this.#budget.maxBytes) return 'too_long'
    // In most calls, the whole body arrives in one piece and need not be copied.
    if (this.#length === 0 && length === this.#declared) {
      if (!this.#budget.hold(length)) return 'beyond_budget'
      this.#memory = piece
    } else {
      if (length > this.#memory.length && !this.#grow(length)) return 'beyond_budget'
      this.#memory.set(piece, this.#length)
    }
    this.#length = length
    return 'added'
  }

  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#length)
  }

  /** Doubles the memory, so that each byte is copied once or twice; never beyond what the body may need. */
  #grow(least: number): boolean {
    const ceiling = Math.min(this.#declared ?? this.#budget.maxBytes, this.#budget.maxBytes)
    const capacity = Math.max(least, Math.min(ceiling, Math.max(2 * this.#memory.length, leastCapacity)))
    if (!this.#budget.hold(capacity)) return false
    // Not from Node's pool: a slow body would keep the whole pool in memory.
    const grown = Buffer.allocUnsafeSlow(capacity)
    grown.set(this.#memory)
    this.#memory = grown
    return true
  }
}
