import type { ReportRecord } from './report.js'

/** Reception reports, one for each close. */
export interface ReportReads {
  /** Finds a report by the sequence of its evidence entry. */
  find(account_id: string, sequence: number): Promise<ReportRecord | null>
  /** Every report of a case, oldest first. */
  ofCase(account_id: string, case_id: number): Promise<ReportRecord[]>
  /** Finds a report by the event of its deliveries. */
  ofEvent(account_id: string, event_id: string): Promise<ReportRecord | null>
  /** Undelivered reports (`echec`) that were not erased, newest first, at most `limit`. */
  failed(account_id: string, limit: number): Promise<ReportRecord[]>
  /** Reports without a PDF, oldest first, of every account except `passedOver`. */
  undrawn(limit: number, passedOver: readonly string[]): Promise<ReportRecord[]>
  /** Reports being sent (`en_file`), of every account, that have a delivered delivery or no pending one. */
  unsettled(limit: number): Promise<ReportRecord[]>
}

/** A close adds a report. It is never deleted, but an erasure removes its PDF. */
export interface ReportWrites extends ReportReads {
  add(report: ReportRecord): Promise<void>
  /** Like `find`, and locks the report until this transaction ends. */
  lock(account_id: string, sequence: number): Promise<ReportRecord | null>
  /** Replaces the whole record. */
  update(report: ReportRecord): Promise<void>
}
