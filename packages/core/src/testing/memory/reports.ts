import type { ReportRecord } from '../../reports/report.js'
import type { ReportReads, ReportWrites } from '../../reports/report-store.js'
import { by } from './rows.js'
import { keyOf, type Tables } from './tables.js'

const oldestFirst = by<ReportRecord>(
  ({ created_at }) => created_at,
  ({ account_id }) => account_id,
  ({ sequence }) => sequence,
)

function reportReads({ reports, deliveries }: Tables): ReportReads {
  function isSettled({ account_id, event_id }: ReportRecord): boolean {
    const sent = deliveries.where((row) => row.account_id === account_id && row.event_id === event_id)
    return sent.some(({ state }) => state === 'delivered') || sent.every(({ state }) => state !== 'pending')
  }
  return {
    find: async (account_id, sequence) => reports.get(keyOf(account_id, sequence)) ?? null,
    ofCase: async (account_id, case_id) =>
      reports.where((report) => report.account_id === account_id && report.case_id === case_id).sort(oldestFirst),
    ofEvent: async (account_id, event_id) =>
      reports.where((report) => report.account_id === account_id && report.event_id === event_id)[0] ?? null,
    undrawn: async (limit, passedOver) =>
      reports
        .where((report) => report.pdf === null && report.erased_at === null && !passedOver.includes(report.account_id))
        .sort(oldestFirst)
        .slice(0, limit),
    unsettled: async (limit) =>
      reports
        .where((report) => report.statut === 'en_file' && isSettled(report))
        .sort(oldestFirst)
        .slice(0, limit),
  }
}

export function memoryReports(tables: Tables): ReportWrites {
  const reads = reportReads(tables)
  const put = async (report: ReportRecord) => tables.reports.put(keyOf(report.account_id, report.sequence), report)
  return { ...reads, add: put, lock: reads.find, update: put }
}
