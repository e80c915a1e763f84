import { type Bytes, bytes, either, notYet } from '../declaration/answers.js'
import { readRoute } from '../declaration/declare.js'
import { fileHeaders, fileTypes, shown, shownReport, undrawn } from './shown-files.js'

/** Photos, signatures and reports, through the case that holds them. */
export const fileRoutes = [
  readRoute({
    path: '/api/v1/sav/{id}/fichiers/{sha256}',
    name: 'getFile',
    summary: 'Read a photo, a signature or a report of a case',
    permission: 'sav:read',
    answers: bytes(fileTypes, 'The file.', fileHeaders),
    failures: ['not_found'],
    async handle({ sav, actor, params }) {
      return shown(await sav.cases.file(actor.account_id, params.id, params.sha256))
    },
  }),
  readRoute({
    path: '/api/v1/sav/{id}/pv',
    name: 'getReport',
    summary: 'Read the reception report (PV de réception)',
    description: 'The report of the latest close. It is drawn shortly after the close; until then the answer is 202.',
    permission: 'sav:read',
    answers: either(
      bytes(['application/pdf'], 'The report.', fileHeaders),
      notYet(undrawn, 'The report is being drawn: try again after `Retry-After` seconds.'),
      (result): result is Bytes => 'content' in result,
    ),
    failures: ['case_not_found', 'not_found'],
    handle: ({ sav, actor, params }) => shownReport(sav, actor.account_id, params.id),
  }),
  readRoute({
    path: '/api/v1/compte/apercu-pv',
    name: 'previewReport',
    summary: 'Read a sample of the reception report',
    description: 'The report of an invented case, with the account’s current name and logo. It is not stored.',
    permission: 'sav:read',
    answers: bytes(['application/pdf'], 'The sample.', fileHeaders),
    failures: ['conflict'],
    async handle({ sav, actor }) {
      return shown(await sav.cases.sampleReport(actor.account_id), 'apercu-pv.pdf')
    },
  }),
]
