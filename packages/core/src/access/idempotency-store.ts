import type { KeptAnswer } from './kept-answer.js'

/** Answers kept under an Idempotency-Key. The caller decides whether one is still valid. */
export interface IdempotencyReads {
  /** The number of answers kept before the instant `before`. */
  purgeable(before: string): Promise<number>
  /** The answer kept for a repeated request. */
  find(account_id: string, key_id: string, request: string): Promise<KeptAnswer | null>
}

/** Kept answers, each written in the transaction of its effect. */
export interface IdempotencyWrites extends IdempotencyReads {
  /**
   * Keeps an answer. An existing answer for the same account, key and request is replaced if it is older than
   * `notBefore`. If it is not, resolves to false and writes nothing. Of two concurrent calls, the first commit wins.
   */
  add(answer: KeptAnswer, notBefore: string): Promise<boolean>
  /** Empties the answers about a client or a case (`answer` and `body`); the rest of each row is kept. */
  erase(account_id: string, about: { readonly client_id: number } | { readonly case_id: number }): Promise<void>
  /**
   * Deletes at most `limit` answers kept before the instant `before`. Resolves to the number deleted; 0 when none is
   * left.
   */
  purge(before: string, limit: number): Promise<number>
}
