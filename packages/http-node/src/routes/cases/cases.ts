import { inputs, parse, shapes } from '@sav/core/adapter'
import * as z from 'zod'
import { etagOf, versionsAccepted } from '../../http/etag.js'
import { Refusal } from '../../http/failures.js'
import { caseOnTheWire, fileUrl, photosOnTheWire } from '../../links.js'
import { sheetFormats } from '../../sheets/sheet.js'
import { accepted, created, made, ok, page, sheet, sheetFile, stretch } from '../declaration/answers.js'
import { readRoute, withResult, writeRoute } from '../declaration/declare.js'
import { caseSheet } from './case-sheet.js'

const all = '/api/v1/sav'
const one = `${all}/{id}`

export const caseRoutes = [
  readRoute({
    path: all,
    name: 'listCases',
    summary: 'List cases, newest first unless `tri` sets another order',
    description:
      'Without `directory:read`, the rows have no `telephone`, and `telephone` cannot be a filter. `recherche` and ' +
      '`ville` then search only the name and the town of clients.',
    permission: 'sav:read',
    query: inputs.listCases,
    answers: page(shapes.caseSummary, 'The cases of one page, and the number of matches.'),
    async handle({ sav, actor, query, may }) {
      const seen = { clients: may('directory:read') }
      if (!seen.clients && query.telephone !== undefined)
        throw new Refusal('permission_denied', { fields: { required: 'directory:read' } })
      return sav.cases.list(actor.account_id, query, seen)
    },
  }),
  readRoute({
    path: `${all}/export`,
    name: 'exportCases',
    summary: 'Export the cases of a list to a spreadsheet',
    description: 'Takes the same filters and orders as the list. An export of more than 20,000 rows is refused.',
    permission: ['sav:read', 'directory:read'],
    query: () => inputs.exportCases().extend({ format: z.enum(sheetFormats).default('xlsx') }),
    answers: sheet('The cases, as CSV or XLSX.'),
    failures: ['conflict'],
    async handle({ sav, actor, query: { format = 'xlsx', ...filters } }) {
      const chosen = parse(() => z.enum(sheetFormats), format)
      return sheetFile(caseSheet(await sav.cases.export(actor.account_id, filters)), chosen)
    },
  }),
  writeRoute({
    method: 'POST',
    path: all,
    name: 'createCase',
    summary: 'Create a case',
    permission: 'sav:write',
    body: inputs.createCase,
    example: { client_id: 7, description: 'La porte du meuble bas ne ferme plus.', priorite: 'haute' },
    answers: created(shapes.caseCreated, 'The new case.', all),
    failures: ['conflict'],
    about: ({ id }) => ({ case_id: id }),
    write: ({ writes, actor, body }) => writes.cases.create(actor, body),
  }),
  readRoute({
    path: one,
    name: 'getCase',
    summary: 'Read a case with its history',
    permission: 'sav:read',
    answers: ok(shapes.caseDetail, 'The case.', etagOf),
    failures: ['case_not_found'],
    handle: async ({ sav, actor, params, base }) =>
      caseOnTheWire(await sav.cases.get(actor.account_id, params.id), base),
  }),
  writeRoute({
    method: 'PUT',
    path: one,
    name: 'updateCase',
    summary: 'Change a case',
    description: 'Needs at least one field. On a closed case, only `notes_internes` can change.',
    permission: 'sav:write',
    body: inputs.updateCase,
    example: { statut: 'en_cours', poseur_id: 3 },
    conditional: true,
    answers: ok(shapes.caseDetail, 'The case as it is now.', etagOf),
    failures: ['case_not_found', 'conflict', 'version_mismatch'],
    write: ({ writes, actor, params, body, request, base }) =>
      withResult(
        writes.cases.update(actor, params.id, body, versionsAccepted(request.header('if-match'), params.id)),
        (updated) => caseOnTheWire(updated, base),
      ),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/cloturer`,
    name: 'closeCase',
    summary: 'Close a case',
    description:
      'Records evidence and emits `sav.closed`. A second close answers with the existing hash. With `rdv_id`, that ' +
      'appointment ends too. To close the case of an erased client, send `{}`, without texts or files.',
    permission: 'sav:close',
    body: () => z.union([inputs.closeCase(), inputs.closeErased()]),
    example: { resolution: 'Charnière remplacée et porte réglée.', reserves: [] },
    answers: ok(shapes.caseClosed, 'The case is closed.'),
    failures: ['case_not_found', 'case_already_closed', 'conflict'],
    about: ({ id }) => ({ case_id: id }),
    write: ({ writes, actor, params, body }) => writes.cases.close(actor, params.id, body),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/rouvrir`,
    name: 'reopenCase',
    summary: 'Reopen a closed case',
    permission: 'sav:write',
    body: inputs.reopenCase,
    example: { motif: 'La porte ne ferme à nouveau plus.' },
    answers: ok(shapes.caseDetail, 'The reopened case.', etagOf),
    failures: ['case_not_found', 'conflict'],
    about: ({ id }) => ({ case_id: id }),
    write: ({ writes, actor, params, body, base }) =>
      withResult(writes.cases.reopen(actor, params.id, body), (reopened) => caseOnTheWire(reopened, base)),
  }),
  readRoute({
    path: `${one}/commentaires`,
    name: 'listComments',
    summary: 'List the comments on a case, newest first',
    permission: 'sav:read',
    query: inputs.listComments,
    answers: stretch(shapes.comment, 'The comments of one page.'),
    failures: ['case_not_found'],
    handle: ({ sav, actor, params, query }) => sav.cases.comments(actor.account_id, params.id, query),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/commentaires`,
    name: 'addComment',
    summary: 'Comment on a case, open or closed',
    description:
      'A comment becomes part of the history and its hash chain, and cannot be changed. Installers may comment only ' +
      'on cases of their own visits.',
    permission: 'sav:close',
    body: inputs.comment,
    example: { texte: 'La cliente rappelle : la fuite a repris.' },
    answers: made(shapes.comment, 'The new comment.'),
    failures: ['case_not_found', 'conflict'],
    about: (_, { id }) => ({ case_id: id }),
    write: ({ writes, actor, params, body }) => writes.cases.comment(actor, params.id, body),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/photos`,
    name: 'addPhotos',
    summary: 'Add photos to a case, open or closed',
    description:
      'Photos have the same form as in the creation of a case. Each gets a line in the history with its SHA-256, and ' +
      'is part of the snapshot of the next close.',
    permission: 'sav:close',
    body: inputs.addPhotos,
    example: { photos: ['https://photos.example/evier.jpg'] },
    answers: made(() => z.array(shapes.addedPhoto()), 'The new photos.'),
    failures: ['case_not_found', 'conflict'],
    about: (_, { id }) => ({ case_id: id }),
    write: ({ writes, actor, params, body, base }) =>
      withResult(writes.cases.addPhotos(actor, params.id, body), (added) =>
        photosOnTheWire(added, (sha256) => fileUrl(params.id, sha256, base)).map(({ id, url }) => ({ id, url })),
      ),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/pv/envoyer`,
    name: 'sendReport',
    summary: 'Send the reception report, or send it again',
    description: 'Sends the report of the latest close, by `canal` or by every channel that reaches the customer.',
    permission: 'sav:write',
    body: inputs.sendReport,
    bodyIsOptional: true,
    example: { canal: 'whatsapp' },
    answers: accepted(shapes.reportSent, 'The report is being sent.', ({ id }) => `${all}/${id}`),
    failures: ['case_not_found', 'not_found', 'conflict'],
    about: ({ id }) => ({ case_id: id }),
    write: ({ writes, actor, params, body }) => writes.cases.sendReport(actor, params.id, body),
  }),
]
