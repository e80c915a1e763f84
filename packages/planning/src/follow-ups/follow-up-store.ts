import { storeToken } from '@sav/core/feature'
import type { FollowUpRecord } from './follow-up.js'

/** Follow-ups that do not follow from other data, and which follow-ups are done. */
export interface FollowUpReads {
  find(account_id: string, id: string): Promise<FollowUpRecord | null>
  /** The open ones, newest first, at most `limit`. */
  open(account_id: string, limit: number): Promise<FollowUpRecord[]>
  /** Which of these are done. */
  done(account_id: string, ids: readonly string[]): Promise<string[]>
}

/** Rows are kept permanently, except those of an erased client. */
export interface FollowUpWrites extends FollowUpReads {
  /** Adds a follow-up, or records who has done an existing one. The first record counts. */
  save(followUp: FollowUpRecord): Promise<void>
  /** Deletes all about a client. */
  forget(account_id: string, client_id: number): Promise<void>
}

/** The repository's name: `tx.of(followUpStore)`. */
export const followUpStore = storeToken<FollowUpReads, FollowUpWrites>('planning')
