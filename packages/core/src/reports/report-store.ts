import type { ReportRecord } from './report.js'

/** Reception reports, one for each close. */
export interface ReportReads {
  /** By the sequence of its evidence entry. */
  find(account_id: string, sequence: number): Promise<ReportRecord | null>
  /** Every report of a case, oldest first. */
  ofCase(account_id: string, case_id: number): Promise<ReportRecord[]>
  /** By the event that its deliveries belong to. */
  ofEvent(account_id: string, event_id: string): Promise<ReportRecord | null>
  /** Reports that were not delivered (`echec`) and not erased, newest first, at most `limit`. */
  failed(account_id: string, limit: number): Promise<ReportRecord[]>
  /** Reports whose PDF is not drawn yet, of every account that is not `passedOver`, oldest first. */
  undrawn(limit: number, passedOver: readonly string[]): Promise<ReportRecord[]>
  /** Reports of every account that are on their way (`en_file`), with a delivery delivered or none pending any more. */
  unsettled(limit: number): Promise<ReportRecord[]>
}

/** A report is added by its close, and never deleted: an erasure takes the PDF away. */
export interface ReportWrites extends ReportReads {
  add(report: ReportRecord): Promise<void>
  /** Like `find`, and locks the report until this transaction ends. */
  lock(account_id: string, sequence: number): Promise<ReportRecord | null>
  /** Replaces the whole record. */
  update(report: ReportRecord): Promise<void>
}
