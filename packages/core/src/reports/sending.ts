import type { Client } from '../directory/directory.js'
import type { EvidenceEntry } from '../evidence/evidence.js'
import type { LetterChannel } from '../letters/letter.js'
import type { Transaction } from '../storage.js'
import type { NewId } from '../values/ids.js'
import type { ReportRecord } from './report.js'

/** The name of a report's event in the history. No receiver can choose it. */
export const reportEvent = 'sav.report'

/**
 * The `configured` channels by which a report goes to this customer. E-mail is always included: a missing address
 * becomes a failure that the office sees. The others need a telephone, and WhatsApp also the customer's consent.
 */
export function channelsTo(client: Client, configured: readonly LetterChannel[]): LetterChannel[] {
  const { telephone, whatsapp_depuis } = client
  const hasAgreed = (channel: LetterChannel) => channel !== 'whatsapp' || whatsapp_depuis !== null
  return configured.filter((channel) => channel === 'email' || (telephone !== null && hasAgreed(channel)))
}

/** Writes the report of a close, and one delivery for each channel, into the transaction of the close itself. */
export async function sendReport(
  tx: Transaction,
  newId: NewId,
  { entry, channels }: { readonly entry: EvidenceEntry; readonly channels: readonly LetterChannel[] },
): Promise<Pick<ReportRecord, 'statut'>> {
  const { account: account_id, case_id, sequence, reference, date: created_at } = entry
  const statut = channels.length === 0 ? 'non_configure' : 'en_file'
  const undrawn = { canal: null, pdf: null, erased_at: null }
  const report = { account_id, sequence, case_id, reference, event_id: null, statut, ...undrawn, created_at } as const
  const event_id =
    channels.length === 0 ? null : await enqueueReport(tx, newId, { report, sentAt: null, channels, at: created_at })
  await tx.reports.add({ ...report, event_id })
  return { statut }
}

interface ReportDispatch {
  readonly report: ReportRecord
  /** When the report's event was written; null if there was none, or it has been deleted. */
  readonly sentAt: string | null
  readonly channels: readonly LetterChannel[]
  readonly at: string
}

/** Adds a delivery of the report for each channel, due at once. Resolves to the event of all of them. */
export async function enqueueReport(
  tx: Transaction,
  newId: NewId,
  { report, sentAt, channels, at }: ReportDispatch,
): Promise<string> {
  const { account_id, case_id, reference, sequence } = report
  const deliveries = channels.map((channel) => ({ id: newId('dlv'), channel, target: channel }))
  const added = { account_id, event: reportEvent, deliveries }
  if (sentAt !== null && report.event_id !== null) {
    await tx.outbox.addDeliveries({ ...added, id: report.event_id, created_at: sentAt, due_at: at })
    return report.event_id
  }
  const id = newId('evt')
  const data = { event_id: id, id: case_id, reference, sequence }
  await tx.outbox.add({ ...added, id, created_at: at, body: JSON.stringify({ event: reportEvent, data }) })
  return id
}
