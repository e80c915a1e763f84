/** The answer to a request that may come again under the same Idempotency-Key. */
export interface KeptAnswer {
  readonly account_id: string
  readonly key_id: string
  /** SHA-256 (lowercase hex) of method, path and Idempotency-Key. */
  readonly request: string
  /** SHA-256 (lowercase hex) of the body that came with it. */
  readonly body: string
  readonly status: number
  /** Headers and body of the answer, sealed where they hold a secret; see idempotency.ts. */
  readonly answer: string
  readonly created_at: string
}
