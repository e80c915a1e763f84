import type { KeptAnswer } from './kept-answer.js'

/** Answers that are kept under an Idempotency-Key. The caller decides whether one is still valid. */
export interface IdempotencyReads {
  /** How many answers were kept before the instant `before`. */
  purgeable(before: string): Promise<number>
  /** The answer that is kept for a repeated request. */
  find(account_id: string, key_id: string, request: string): Promise<KeptAnswer | null>
}

/** Answers, each kept in the transaction of its effect. */
export interface IdempotencyWrites extends IdempotencyReads {
  /**
   * Keeps an answer. False, and nothing written, when there is one for the same account, key and request that was
   * `created_at` or after `notBefore`; an older one is replaced. Of two at once the first commit counts.
   */
  add(answer: KeptAnswer, notBefore: string): Promise<boolean>
  /** Empties the answers about a client or a case (`answer` and `body`); the rest of each row stays. */
  erase(account_id: string, about: { readonly client_id: number } | { readonly case_id: number }): Promise<void>
  /**
   * Deletes at most `limit` answers kept before the instant `before`. Resolves to their number; 0 when none is left.
   */
  purge(before: string, limit: number): Promise<number>
}
