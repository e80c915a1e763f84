import {
  actorTypes,
  closeCaseInput,
  closeErasedInput,
  createCaseInput,
  historyKinds,
  listCasesInput,
  reopenCaseInput,
  reportStatuts,
  sendReportInput,
  updateCaseInput,
} from '@sav/core'
import * as z from 'zod'
import { etagOf, versionsAccepted } from '../api/etag.js'
import {
  examples,
  hash,
  instant,
  named,
  number,
  priorite,
  reference,
  statut,
  typeProbleme,
} from '../contract/shapes.js'
import { caseOnTheWire } from '../links.js'
import { accepted, created, ok, page } from './answers.js'
import { readRoute, withResult, writeRoute } from './route.js'

const all = '/api/v1/sav'
const one = `${all}/{id}`

const summary = {
  id: number,
  reference,
  client: z.object({ id: number, nom: z.string(), prenom: z.string() }),
  description: z.string(),
  statut,
  priorite,
  date_creation: instant,
  poseur_assigne: z.object({ id: number, nom: z.string() }).nullable(),
}

const summaryExample = {
  id: 42,
  reference: examples.reference,
  client: { id: 7, nom: 'Durand', prenom: 'Alice' },
  description: 'La porte du meuble bas ne ferme plus.',
  statut: 'en_cours' as const,
  priorite: 'haute' as const,
  date_creation: examples.instant,
  poseur_assigne: { id: 3, nom: 'Bruno Petit' },
}

const caseSummary = named('CaseSummary', z.object(summary), summaryExample)

const acteur = z.object({ type: z.enum(actorTypes), id: z.string().nullable(), nom: z.string() })
const value = z.union([z.string(), z.number(), z.null()])
const pvStatut = z.enum(reportStatuts)
const pvState = z
  .object({
    statut: pvStatut,
    canaux: z.array(
      z.object({
        canal: z.string(),
        statut: pvStatut.exclude(['non_configure']),
        livraison: z.string().meta({ description: 'The delivery: see the history of deliveries.' }),
        erreur: z.string().nullable(),
      }),
    ),
  })
  .meta({ description: 'Whether the reception report of the latest close reached the customer.' })
const link = z.string().nullable().meta({ description: 'Where the file is, with the same key.' })

const intervention = z.object({
  id: number,
  rdv_id: number,
  poseur: z.object({ id: number, nom: z.string() }),
  type: z.string(),
  date_debut: instant,
  date_fin: instant,
  resultat: z.string().nullable(),
  compte_rendu: z.string().nullable(),
  pieces: z.array(z.object({ designation: z.string(), quantite: number, reference: z.string().nullable() })),
})

const caseDetail = named(
  'CaseDetail',
  z.object({
    ...summary,
    type_probleme: typeProbleme,
    photos: z.array(z.object({ id: z.string(), url: z.string() })),
    notes_internes: z.string().nullable(),
    resolution: z.string().nullable(),
    date_cloture: instant.nullable(),
    photo_avant: link,
    photo_apres: link,
    signature_client: link,
    signataire_nom: z.string().nullable(),
    reserves: z.array(z.string()),
    preuve: z.array(z.object({ sequence: number, date: instant, hash_sha256: hash, hash_entree: hash })),
    pv: pvState.nullable(),
    interventions: z.array(intervention).meta({ description: 'What was done, told by its appointments.' }),
    historique: z.array(
      z.object({
        id: number,
        date: instant,
        type: z.enum(historyKinds),
        acteur,
        champ: z.string().nullable(),
        ancienne_valeur: value,
        nouvelle_valeur: value,
        commentaire: z.string().nullable(),
      }),
    ),
    date_modification: instant,
    version: number.meta({ description: 'Grows by one with every change.' }),
  }),
  {
    ...summaryExample,
    type_probleme: 'quincaillerie',
    photos: [{ id: '42-1', url: `/api/v1/sav/42/fichiers/${examples.hash}` }],
    notes_internes: null,
    resolution: null,
    date_cloture: null,
    photo_avant: null,
    photo_apres: null,
    signature_client: null,
    signataire_nom: null,
    reserves: [],
    preuve: [],
    pv: null,
    interventions: [],
    historique: [
      {
        id: 1,
        date: examples.instant,
        type: 'creation',
        acteur: { type: 'cle', id: examples.key, nom: 'Caisse' },
        champ: null,
        ancienne_valeur: null,
        nouvelle_valeur: null,
        commentaire: null,
      },
    ],
    date_modification: examples.instant,
    version: 1,
  },
)

const caseCreated = named('CaseCreated', z.object({ id: number, reference }), {
  id: 42,
  reference: examples.reference,
})

const caseClosed = named(
  'CaseClosed',
  z.object({
    id: number,
    reference,
    statut: z.literal('clos'),
    date_cloture: instant,
    hash_sha256: hash,
    preuve: z.object({ sequence: number, hash_entree: hash }),
    pv: z.object({ statut: pvStatut }),
  }),
  {
    id: 42,
    reference: examples.reference,
    statut: 'clos',
    date_cloture: examples.instant,
    hash_sha256: examples.hash,
    preuve: { sequence: 1, hash_entree: examples.hash },
    pv: { statut: 'non_configure' },
  },
)

const reportSent = named('ReportSent', z.object({ id: number, reference, pv: pvState }), {
  id: 42,
  reference: examples.reference,
  pv: {
    statut: 'en_file',
    canaux: [{ canal: 'email', statut: 'en_file', livraison: examples.delivery, erreur: null }],
  },
})

export const caseRoutes = [
  readRoute({
    path: all,
    name: 'listCases',
    summary: 'List cases, newest first',
    permission: 'sav:read',
    query: listCasesInput,
    answers: page(caseSummary, 'The cases of one page, and how many match in all.'),
    handle: ({ sav, actor, query }) => sav.cases.list(actor.account_id, query),
  }),
  writeRoute({
    method: 'POST',
    path: all,
    name: 'createCase',
    summary: 'Create a case',
    permission: 'sav:write',
    body: createCaseInput,
    example: { client_id: 7, description: 'La porte du meuble bas ne ferme plus.', priorite: 'haute' },
    answers: created(caseCreated, 'The case is there.', all),
    failures: ['conflict'],
    about: ({ id }) => ({ case_id: id }),
    write: ({ writes, actor, body }) => writes.cases.create(actor, body),
  }),
  readRoute({
    path: one,
    name: 'getCase',
    summary: 'Read a case with its history',
    permission: 'sav:read',
    answers: ok(caseDetail, 'The case.', etagOf),
    failures: ['case_not_found'],
    handle: async ({ sav, actor, params, base }) =>
      caseOnTheWire(await sav.cases.get(actor.account_id, params.id), base),
  }),
  writeRoute({
    method: 'PUT',
    path: one,
    name: 'updateCase',
    summary: 'Change a case',
    description: 'At least one field. Of a closed case only `notes_internes` changes.',
    permission: 'sav:write',
    body: updateCaseInput,
    example: { statut: 'en_cours', poseur_id: 3 },
    conditional: true,
    answers: ok(caseDetail, 'The case as it is now.', etagOf),
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
      'Records evidence and emits `sav.closed`. A second close answers with the hash that stands. The case of a client ' +
      'who was erased is closed by `{}`: no text and no file is written about that person.',
    permission: 'sav:close',
    body: z.union([closeCaseInput, closeErasedInput]),
    example: { resolution: 'Charnière remplacée et porte réglée.', reserves: [] },
    answers: ok(caseClosed, 'The case is closed.'),
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
    body: reopenCaseInput,
    example: { motif: 'La porte ne ferme à nouveau plus.' },
    answers: ok(caseDetail, 'The case, under way again.', etagOf),
    failures: ['case_not_found', 'conflict'],
    about: ({ id }) => ({ case_id: id }),
    write: ({ writes, actor, params, body, base }) =>
      withResult(writes.cases.reopen(actor, params.id, body), (reopened) => caseOnTheWire(reopened, base)),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/pv/envoyer`,
    name: 'sendReport',
    summary: 'Send the reception report, or send it again',
    description: 'Of the latest close: by `canal`, or by every channel that reaches the customer.',
    permission: 'sav:write',
    body: sendReportInput,
    bodyIsOptional: true,
    example: { canal: 'whatsapp' },
    answers: accepted(reportSent, 'It is on its way.', ({ id }) => `${all}/${id}`),
    failures: ['case_not_found', 'not_found', 'conflict'],
    about: ({ id }) => ({ case_id: id }),
    write: ({ writes, actor, params, body }) => writes.cases.sendReport(actor, params.id, body),
  }),
]
