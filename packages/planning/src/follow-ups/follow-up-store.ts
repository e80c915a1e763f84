import { storeToken } from '@sav/core/feature'
import type { FollowUpRecord } from './follow-up.js'

/** Follow-ups that cannot be derived from other data, and the marks of all follow-ups that are done. */
export interface FollowUpReads {
  find(account_id: string, id: string): Promise<FollowUpRecord | null>
  /** The open follow-ups, newest first, at most `limit`. */
  open(account_id: string, limit: number): Promise<FollowUpRecord[]>
  /** Which of these follow-ups are done. */
  done(account_id: string, ids: readonly string[]): Promise<string[]>
}

/** Rows are kept permanently, except those of an erased client. */
export interface FollowUpWrites extends FollowUpReads {
  /**
   * Adds a follow-up, or records that an existing one is done and by whom. If two callers record this, the first one
   * counts.
   */
  save(followUp: FollowUpRecord): Promise<void>
  /** Deletes all follow-ups about a client. */
  forget(account_id: string, client_id: number): Promise<void>
}

/** The repository's name: `tx.of(followUpStore)`. */
export const followUpStore = storeToken<FollowUpReads, FollowUpWrites>('planning')
