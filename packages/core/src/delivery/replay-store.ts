import type { ReplayJob } from './replay.js'

/** Bulk replays, those that have ended among them. */
export interface ReplayReads {
  find(account_id: string, id: string): Promise<ReplayJob | null>
  /** Newest first, at most `limit`. */
  list(account_id: string, limit: number): Promise<ReplayJob[]>
  /** Of every account, those that go on, oldest first. */
  running(): Promise<ReplayJob[]>
}

/** Each step of a replay replaces its record in the transaction of the deliveries that it opened again. */
export interface ReplayWrites extends ReplayReads {
  add(job: ReplayJob): Promise<void>
  /** Replaces the whole record. */
  update(job: ReplayJob): Promise<void>
}
