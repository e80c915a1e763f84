import type { AuditRecord } from './audit-record.js'

/** Every filter that is present must hold; at most `limit` calls come. */
export interface AuditQuery {
  /** Instant: `time` is at or after it. */
  readonly since?: string | undefined
  /** Instant: `time` is before it. */
  readonly before?: string | undefined
  readonly key_id?: string | undefined
  readonly user_id?: string | undefined
  /** As a call has it. */
  readonly target?: string | undefined
  /** Only calls by methods that write. */
  readonly writes?: true | undefined
  /** Only what comes after this call in the order of the list: the cursor. */
  readonly after?: { readonly time: string; readonly id: string } | undefined
  readonly limit: number
}

/** The calls that are kept for audit. */
export interface AuditReads {
  /** How many calls there are from before the instant `before`. */
  purgeable(before: string): Promise<number>
  /**
   * Newest first: `time` descending, then `id` descending.
   * @param account_id null: the calls that no account could be found for
   */
  list(account_id: string | null, query: AuditQuery): Promise<AuditRecord[]>
}

/** Calls are added, never changed, and deleted only for their age. */
export interface AuditWrites extends AuditReads {
  add(calls: readonly AuditRecord[]): Promise<void>
  /** Deletes at most `limit` calls from before the instant `before`. Resolves to how many went; 0 when none is left. */
  purge(before: string, limit: number): Promise<number>
}
