import type { Place } from '../values/cursor.js'
import type { ReplayJob } from './replay.js'

/** Bulk replays, ended ones included. */
export interface ReplayReads {
  find(account_id: string, id: string): Promise<ReplayJob | null>
  /** Newest first, at most `limit`, those after a place: `created_at` and `id`. */
  list(account_id: string, page: { readonly after?: Place | undefined; readonly limit: number }): Promise<ReplayJob[]>
  /** Those of every account that go on, oldest first. */
  running(): Promise<ReplayJob[]>
}

/** Each step of a replay replaces its record, in the transaction of the deliveries that the step opened again. */
export interface ReplayWrites extends ReplayReads {
  add(job: ReplayJob): Promise<void>
  /** Replaces the whole record. */
  update(job: ReplayJob): Promise<void>
}
