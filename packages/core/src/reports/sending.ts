import type { Client } from '../directory/directory.js'
import type { EvidenceEntry } from '../evidence/evidence.js'
import type { NewId } from '../ids.js'
import type { LetterChannel } from '../letters/letter.js'
import type { Transaction } from '../storage.js'
import type { ReportRecord } from './report.js'

/** What the history calls a report on its way; no receiver can choose it. */
export const reportEvent = 'sav.report'

/**
 * By which of the `configured` channels a report goes to this customer: by e-mail always (that there is no address shows
 * as a failure, and is not passed over), by WhatsApp if the customer agreed to it and has a telephone.
 */
export function channelsTo(client: Client, configured: readonly LetterChannel[]): LetterChannel[] {
  const agreed = client.whatsapp_depuis !== null && client.telephone !== null
  return configured.filter((channel) => channel === 'email' || agreed)
}

/** Writes the report of a close, and one delivery for each channel, into the transaction of the close itself. */
export async function sendReport(
  tx: Transaction,
  newId: NewId,
  { entry, channels }: { readonly entry: EvidenceEntry; readonly channels: readonly LetterChannel[] },
): Promise<Pick<ReportRecord, 'statut'>> {
  const { account: account_id, case_id, sequence, reference, date: created_at } = entry
  const event_id = channels.length === 0 ? null : newId('evt')
  const statut = event_id === null ? 'non_configure' : 'en_file'
  if (event_id !== null)
    await tx.outbox.add({
      id: event_id,
      account_id,
      event: reportEvent,
      body: JSON.stringify({ event: reportEvent, data: { event_id, id: case_id, reference, sequence } }),
      created_at,
      deliveries: channels.map((channel) => ({ id: newId('dlv'), channel, target: channel })),
    })
  const undrawn = { canal: null, pdf: null, erased_at: null }
  await tx.reports.add({ account_id, sequence, case_id, reference, event_id, statut, ...undrawn, created_at })
  return { statut }
}
