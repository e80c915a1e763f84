import type { ReplayJob } from './replay.js'

export interface ReplayReads {
  find(account_id: string, id: string): Promise<ReplayJob | null>
  /** Newest first, at most `limit`. */
  list(account_id: string, limit: number): Promise<ReplayJob[]>
  /** Of every account, those that go on, oldest first. */
  running(): Promise<ReplayJob[]>
}

export interface ReplayWrites extends ReplayReads {
  add(job: ReplayJob): Promise<void>
  /** Replaces the whole record. */
  update(job: ReplayJob): Promise<void>
}
