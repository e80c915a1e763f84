import { storeToken } from '@sav/core/feature'
import type { FollowUpRecord } from './follow-up.js'

/** Follow-ups that do not result from other data, and which follow-ups were done. */
export interface FollowUpReads {
  find(account_id: string, id: string): Promise<FollowUpRecord | null>
  /** The open ones, newest first, at most `limit`. */
  open(account_id: string, limit: number): Promise<FollowUpRecord[]>
  /** Those of these that are done. */
  done(account_id: string, ids: readonly string[]): Promise<string[]>
}

/** Each row is kept for good, but for those of a client who is erased. */
export interface FollowUpWrites extends FollowUpReads {
  /** Adds a follow-up, or notes who has done an existing one. The first note counts. */
  save(followUp: FollowUpRecord): Promise<void>
  /** Deletes all about a client. */
  forget(account_id: string, client_id: number): Promise<void>
}

/** The repository's name: `tx.of(followUpStore)`. */
export const followUpStore = storeToken<FollowUpReads, FollowUpWrites>('planning')
