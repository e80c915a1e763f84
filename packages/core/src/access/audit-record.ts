/** One call of the API, as it is kept for audit: never a secret, never what a body said. */
export interface AuditRecord {
  /** `aud_…`, time-ordered. */
  readonly id: string
  /** Null where the call came with neither a key nor a session that is known. */
  readonly account_id: string | null
  readonly time: string
  readonly ip: string
  readonly method: string
  /** The route's pattern, or where there is none the path as sent, cut. */
  readonly endpoint: string
  readonly key_id: string | null
  /** Of a person who signed in. */
  readonly user_id: string | null
  readonly status: number
  readonly duration_ms: number
  readonly request_id: string
  /** For how many calls this row stands: 1, but for those that are counted only. The last of them is what the rest tells of. */
  readonly calls: number
}
