import type { Place } from '../values/cursor.js'
import type { ReplayJob } from './replay.js'

/** Bulk replays, including ended ones. */
export interface ReplayReads {
  find(account_id: string, id: string): Promise<ReplayJob | null>
  /**
   * The replays of an account, newest first, at most `limit`. `after`: only those after this position (`created_at` and
   * `id`).
   */
  list(account_id: string, page: { readonly after?: Place | undefined; readonly limit: number }): Promise<ReplayJob[]>
  /** The running replays of every account, oldest first. */
  running(): Promise<ReplayJob[]>
}

/** Each step of a replay replaces its record, in the transaction of the deliveries that it reopens. */
export interface ReplayWrites extends ReplayReads {
  add(job: ReplayJob): Promise<void>
  /** Replaces the whole record. */
  update(job: ReplayJob): Promise<void>
}
