import type { ReplayJob } from './replay.js'

/** Bulk replays, ended ones included. */
export interface ReplayReads {
  find(account_id: string, id: string): Promise<ReplayJob | null>
  /** Newest first, at most `limit`. */
  list(account_id: string, limit: number): Promise<ReplayJob[]>
  /** Those of every account that go on, oldest first. */
  running(): Promise<ReplayJob[]>
}

/** Each step of a replay replaces its record, in the transaction of the deliveries that the step opened again. */
export interface ReplayWrites extends ReplayReads {
  add(job: ReplayJob): Promise<void>
  /** Replaces the whole record. */
  update(job: ReplayJob): Promise<void>
}
