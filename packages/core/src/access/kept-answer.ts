/** The answer to a request that may come again under the same Idempotency-Key. */
export interface KeptAnswer {
  readonly account_id: string
  /** The id of the key, or of the person if there was none. */
  readonly key_id: string
  /** SHA-256 (lowercase hex) of method, path and Idempotency-Key. */
  readonly request: string
  /** SHA-256 (lowercase hex) of the body that came with it. */
  readonly body: string
  readonly status: number
  /** Headers and body of the answer, sealed where they hold a secret; empty once they were erased. See idempotency.ts. */
  readonly answer: string
  readonly created_at: string
  /** The client that the answer is about, so that an erasure finds it. */
  readonly client_id: number | null
  readonly case_id: number | null
}

/** The subject of an answer. An answer about neither has no personal data. */
export interface AnswerSubject {
  readonly client_id?: number
  readonly case_id?: number
}
