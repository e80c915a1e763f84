import { closedAt } from '../evidence/told-on-site.js'
import { addressee, addressOf } from '../letters/client-address.js'
import { type LetterWriter, NoLetter } from '../letters/letter-channel.js'
import type { Reads } from '../storage.js'
import type { ReportDrawer } from './drawing.js'
import { type CheckUrl, closeOf, companyOf, logoOf, replacedBy } from './report-content.js'
import { reportEvent } from './sending.js'

export interface ReportWriterDeps {
  readonly reads: Reads
  readonly drawing: Pick<ReportDrawer, 'pdfOf'>
  readonly checkUrl: CheckUrl
}

/**
 * The reception report as a letter. The address is looked up when it is sent, so that a wrong one can be corrected
 * before a retry.
 */
export function reportWriter({ reads, drawing, checkUrl }: ReportWriterDeps): LetterWriter {
  return {
    event: reportEvent,
    async write({ id, account_id, event_id }, channel) {
      const report = await reads.reports.ofEvent(account_id, event_id)
      if (report === null) throw new NoLetter('letter_subject_missing', `the report of event ${event_id} is missing`)
      const { case_id, reference } = report
      if (report.erased_at !== null) throw new NoLetter('letter_erased', 'the customer was erased')
      const close = await closeOf(reads, report)
      if (close === null) throw new NoLetter('letter_subject_missing', `the snapshot of case ${case_id} is missing`)
      const { entry, snapshot } = close
      const client = await reads.directory.findClient(account_id, snapshot.client.id)
      if (client === null) throw new NoLetter('letter_subject_missing', `client ${snapshot.client.id} is missing`)
      const to = addressOf(client, channel)
      const pdf = await drawing.pdfOf(report)
      if (pdf === null) throw new NoLetter('letter_subject_missing', `the report of case ${case_id} is missing`)
      const account = await reads.accounts.find(account_id)
      if (account === null) throw new NoLetter('letter_subject_missing', `account ${account_id} is missing`)
      const { nom_expediteur, repondre_a, couleur, telephone, url_publique } = account
      return {
        kind: 'report',
        id,
        to,
        societe: { ...companyOf(snapshot), nom_expediteur, repondre_a, couleur, telephone },
        logo: await logoOf(reads, account_id, snapshot.societe.logo),
        client: addressee(snapshot.client),
        reference,
        date_cloture: closedAt(snapshot),
        signed: snapshot.signature_client !== undefined,
        remplace: await replacedBy(reads, entry),
        resolution: snapshot.resolution,
        reserves: snapshot.reserves,
        hash_sha256: entry.hash_dossier,
        check_url: checkUrl(entry.hash_dossier, url_publique),
        pdf: pdf.content,
      }
    },
  }
}
