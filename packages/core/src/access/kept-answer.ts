/** The answer to a request that may be repeated under the same Idempotency-Key. */
export interface KeptAnswer {
  readonly account_id: string
  /** The id of the API key; without a key, that of the user. */
  readonly key_id: string
  /** SHA-256 (lowercase hex) of method, path and Idempotency-Key. */
  readonly request: string
  /** SHA-256 (lowercase hex) of the request's body. */
  readonly body: string
  readonly status: number
  /** Headers and body of the answer, sealed if they contain a secret; empty after an erasure. See idempotency.ts. */
  readonly answer: string
  readonly created_at: string
  /** The client that the answer is about, for erasures. */
  readonly client_id: number | null
  readonly case_id: number | null
}

/** The client or case that an answer is about. An answer about neither has no personal data. */
export interface AnswerSubject {
  readonly client_id?: number
  readonly case_id?: number
}
