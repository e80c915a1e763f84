import type { KeptAnswer } from './kept-answer.js'

/** Answers that are kept under an Idempotency-Key. Whether one still counts is for the caller to tell. */
export interface IdempotencyReads {
  /** How many answers were kept before the instant `before`. */
  purgeable(before: string): Promise<number>
  /** The answer that is kept for a repeated request. */
  find(account_id: string, key_id: string, request: string): Promise<KeptAnswer | null>
}

/** Answers, each kept in the transaction of what it tells of. */
export interface IdempotencyWrites extends IdempotencyReads {
  /**
   * Keeps an answer. False, and nothing written, when one for the same account, key and request stands that was
   * `created_at` or after `notBefore`; an older one is replaced. Of two at once the one that commits first stands.
   */
  add(answer: KeptAnswer, notBefore: string): Promise<boolean>
  /** Takes away what was answered about a client or a case (`answer` and `body` are empty then); the rest of each row stays. */
  erase(account_id: string, about: { readonly client_id: number } | { readonly case_id: number }): Promise<void>
  /** Deletes at most `limit` answers kept before the instant `before`. Resolves to how many went; 0 when none is left. */
  purge(before: string, limit: number): Promise<number>
}
