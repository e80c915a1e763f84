import type { FollowUpRecord } from './follow-up.js'

/** What somebody of the shop must look at, as far as it does not follow from anything else, and what was dealt with. */
export interface FollowUpReads {
  find(account_id: string, id: string): Promise<FollowUpRecord | null>
  /** Those that nobody has dealt with, the newest first, at most `limit`. */
  open(account_id: string, limit: number): Promise<FollowUpRecord[]>
  /** Which of these somebody has dealt with. */
  done(account_id: string, ids: readonly string[]): Promise<string[]>
}

/** Each row is kept for good, but for those of a client who is erased. */
export interface FollowUpWrites extends FollowUpReads {
  /** Adds it, or says of the one that is there who has dealt with it: whoever did first stands. */
  save(followUp: FollowUpRecord): Promise<void>
  /** Takes away everything about a client. */
  forget(account_id: string, client_id: number): Promise<void>
}
