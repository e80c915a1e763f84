import type { Place } from '../values/cursor.js'
import type { AuditRecord } from './audit-record.js'

/** Filters, all of which must match. At most `limit` calls are returned. */
export interface AuditQuery {
  /** Only calls at or after this instant. */
  readonly since?: string | undefined
  /** Only calls before this instant. */
  readonly before?: string | undefined
  readonly key_id?: string | undefined
  readonly user_id?: string | undefined
  /** Only calls with this target, written as in `AuditRecord`. */
  readonly target?: string | undefined
  /** Only calls by methods that write. */
  readonly writes?: true | undefined
  /** Only calls after this position in the list's order: `time` and `id`. */
  readonly after?: Place | undefined
  readonly limit: number
}

/** The calls kept for audit. */
export interface AuditReads {
  /** The number of calls before the instant `before`. */
  purgeable(before: string): Promise<number>
  /**
   * Newest first: `time` descending, then `id` descending.
   * @param account_id null: calls without a known account
   */
  list(account_id: string | null, query: AuditQuery): Promise<AuditRecord[]>
}

/** Calls are added, never changed, and deleted only by age. */
export interface AuditWrites extends AuditReads {
  add(calls: readonly AuditRecord[]): Promise<void>
  /**
   * Deletes at most `limit` calls older than the instant `before`. Resolves to the number deleted; 0 when none is left.
   */
  purge(before: string, limit: number): Promise<number>
}
