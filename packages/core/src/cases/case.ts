import * as z from 'zod'
import { actorTypes } from '../access/actor.js'
import type { ClosingField } from '../evidence/closing-fields.js'
import type { HistoryHead, HistoryPlace } from '../evidence/history-chain.js'
import type { Photo } from '../files/stored-file.js'
import { reportStatuts } from '../reports/report.js'
import { lazily } from '../values/lazily.js'
import {
  customer,
  examples,
  hash,
  idOf,
  instant,
  named,
  person,
  piece,
  priorite,
  reference,
  type Shape,
  sequence,
  statut,
  version,
} from '../values/shape.js'
import { historyKinds, type Statut } from '../values/vocabulary.js'
import { type CaseFieldValues, type newCaseFields, shownCaseFields, usualCaseFields } from './case-fields.js'

/** The shapes of an after-sales case. A field has the same name in requests, answers and database columns. */

export type OpenStatut = Exclude<Statut, 'clos'>

const summary = lazily(() => ({
  id: idOf('the case'),
  reference: reference(),
  client: customer(),
  description: z.string(),
  statut: statut(),
  priorite: priorite(),
  date_creation: instant(),
  poseur_assigne: person().nullable(),
}))

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

export const caseSummaryShape = named(
  'CaseSummary',
  () =>
    z.object({
      ...summary(),
      ville: z.string().nullable().describe('Town of the client, if it is known.'),
      telephone: z
        .string()
        .nullable()
        .optional()
        .describe('The client’s telephone number; only for callers who may read clients.'),
    }),
  { ...summaryExample, ville: 'Givors', telephone: '+33612345678' },
)
/** A case in a list. */
export type CaseSummary = Shape<typeof caseSummaryShape>
/** The fields of a case that lists and details share. */
export type CaseHead = Omit<CaseSummary, 'ville' | 'telephone'>

const pvStatut = lazily(() => z.enum(reportStatuts))
const pvState = lazily(() =>
  z
    .object({
      statut: pvStatut(),
      canaux: z.array(
        z.object({
          canal: z.string(),
          statut: pvStatut().exclude(['non_configure']),
          livraison: z.string().describe('The id of the delivery in the history of deliveries.'),
          erreur: z.string().nullable(),
          code: z.string().nullable().describe('The code of the error, as in `error_code` of an attempt.'),
        }),
      ),
    })
    .describe('Whether the reception report of the latest close reached the customer.'),
)
/** Whether the reception report of the latest close reached the customer, overall and by each channel. */
export type PvState = Shape<typeof pvState>

const link = lazily(() => z.string().nullable().describe('The address of the file, for callers who may read cases.'))
const fieldValue = lazily(() =>
  z
    .union([z.string(), z.number(), z.null()])
    .describe('A state or kind, a text, or the id of what the field refers to.'),
)
/** A value in the history: a state or kind, an id, or a text. Null: the field was or is empty. */
export type FieldValue = Shape<typeof fieldValue>

const intervention = named(
  'Intervention',
  () =>
    z.object({
      id: idOf('the intervention'),
      rdv_id: idOf('the appointment'),
      poseur: person(),
      type: z.string().describe('The type of the appointment: `sav`, `pose`, …'),
      date_debut: instant(),
      date_fin: instant(),
      resultat: z.string().nullable(),
      compte_rendu: z.string().nullable(),
      pieces: z.array(piece()),
      survenu_a: instant()
        .nullable()
        .describe('When the intervention happened, by the phone’s clock, if the installer reported it from the field.'),
    }),
  {
    id: 2,
    rdv_id: 5,
    poseur: { id: 3, nom: 'Bruno Petit' },
    type: 'sav',
    date_debut: '2026-03-16T08:00:00.000Z',
    date_fin: '2026-03-16T10:00:00.000Z',
    resultat: 'resolu',
    compte_rendu: 'Charnière remplacée.',
    pieces: [],
    survenu_a: null,
  },
)
/** Work done for a case, as stored. Ids grow in the order of arrival. */
export type Intervention = Shape<typeof intervention>
/** A part that was used. */
export type UsedPiece = Intervention['pieces'][number]
/** An intervention before the store assigns its id. */
export type NewIntervention = Omit<Intervention, 'id'>

const historyEntry = lazily(() =>
  z.object({
    id: idOf('the line; later lines have greater numbers'),
    date: instant(),
    type: z.enum(historyKinds),
    acteur: z.object({ type: z.enum(actorTypes), id: z.string().nullable(), nom: z.string() }),
    champ: z.string().nullable(),
    ancienne_valeur: fieldValue(),
    nouvelle_valeur: fieldValue(),
    commentaire: z.string().nullable(),
  }),
)
/** One line of a case's append-only history. */
export type HistoryEntry = Shape<typeof historyEntry>
/** A history line before the store assigns its id. */
export type NewHistoryEntry = Omit<HistoryEntry, 'id'>
/** A history line with its position in the case's chain. */
export type ChainedHistoryEntry = NewHistoryEntry & HistoryPlace

const addendum = lazily(() =>
  z.object({
    date: instant().describe('When it arrived.'),
    survenu_a: instant().describe('When it happened, by the phone’s clock.'),
    resolution: z.string(),
    photo_avant: link(),
    photo_apres: link(),
    signature_client: link(),
    signataire_nom: z.string().nullable(),
    reserves: z.array(z.string()),
    vu: link(),
  }),
)

const preuve = lazily(() =>
  z.object({ sequence: sequence(), date: instant(), hash_sha256: hash(), hash_entree: hash() }),
)

/** A case with all its data. */
export const caseDetailShape = named(
  'CaseDetail',
  () =>
    z.object({
      ...summary(),
      ...shownCaseFields(),
      photos: z.array(
        z.object({
          id: z.string(),
          url: z.string(),
          date: instant().optional().describe('When the photo was added; absent if it came with the case.'),
          rdv_id: idOf('the appointment at which the photo was taken').optional(),
        }),
      ),
      reference_origine: z.string().nullable().describe('The case’s number in the system it was imported from.'),
      resolution: z.string().nullable(),
      date_cloture: instant().nullable(),
      photo_avant: link(),
      photo_apres: link(),
      signature_client: link(),
      signataire_nom: z.string().nullable(),
      reserves: z.array(z.string()),
      survenu_a: instant()
        .nullable()
        .describe('When the close happened on site, by the phone’s clock, if it arrived later (at `date_cloture`).'),
      decalage_ms: z
        .int()
        .nullable()
        .describe('How many milliseconds the phone’s clock was ahead. `survenu_a` is already corrected.'),
      vu: link().describe('The address of the text that the customer was shown before signing.'),
      addenda: z
        .array(addendum())
        .describe('Closes from the field that arrived after the case was closed, with their files.'),
      preuve: z.array(preuve()),
      pv: pvState().nullable(),
      interventions: z.array(intervention()).describe('The work done at the appointments of the case.'),
      historique: z.array(historyEntry()),
      date_modification: instant(),
      version: version(),
    }),
  {
    ...usualCaseFields,
    ...summaryExample,
    type_probleme: 'quincaillerie',
    photos: [{ id: '42-1', url: `/api/v1/sav/42/fichiers/${examples.hash}` }],
    reference_origine: null,
    resolution: null,
    date_cloture: null,
    photo_avant: null,
    photo_apres: null,
    signature_client: null,
    signataire_nom: null,
    reserves: [],
    survenu_a: null,
    decalage_ms: null,
    vu: null,
    addenda: [],
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
/**
 * A case with everything that belongs to it. `photo_avant`, `photo_apres`, `signature_client` and `vu` are the SHA-256
 * of files.
 */
export interface CaseDetail extends Omit<Shape<typeof caseDetailShape>, 'photos'> {
  /** Files or links, with the ids that the API shows. */
  readonly photos: readonly IdentifiedPhoto[]
}

export const caseCreatedShape = named('CaseCreated', () => z.object({ id: summary().id, reference: reference() }), {
  id: 42,
  reference: examples.reference,
})

const comment = lazily(() => ({
  id: idOf('the comment and of its line in the history'),
  date: instant(),
  acteur: historyEntry().shape.acteur,
  texte: z.string(),
}))

/** A comment on a case. */
export const commentShape = named('Comment', () => z.object(comment()), {
  id: 12,
  date: examples.instant,
  acteur: { type: 'utilisateur', id: examples.user, nom: 'Claire Martin' },
  texte: 'La cliente rappelle : la fuite a repris.',
})
/** A comment on a case. */
export type Comment = Shape<typeof commentShape>

export const addedPhotoShape = named('AddedPhoto', () => z.object({ id: z.string(), url: z.string() }), {
  id: '42-2',
  url: `/api/v1/sav/42/fichiers/${examples.hash}`,
})
/** A photo of a case, with the id that the API shows. */
export type IdentifiedPhoto = Photo & { readonly id: string }

export const caseClosedShape = named(
  'CaseClosed',
  () =>
    z.object({
      id: summary().id,
      reference: reference(),
      statut: z.literal('clos'),
      date_cloture: instant(),
      hash_sha256: hash(),
      preuve: z.object({ sequence: sequence(), hash_entree: hash() }),
      pv: z.object({ statut: pvStatut() }),
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
/**
 * The answer to a close. `hash_sha256` is the hash of its snapshot, `hash_entree` that of its entry in the evidence
 * chain.
 */
export type ClosedResult = Shape<typeof caseClosedShape>

export const reportSentShape = named(
  'ReportSent',
  () => z.object({ id: summary().id, reference: reference(), pv: pvState() }),
  {
    id: 42,
    reference: examples.reference,
    pv: {
      statut: 'en_file',
      canaux: [{ canal: 'email', statut: 'en_file', livraison: examples.delivery, erreur: null, code: null }],
    },
  },
)

interface CaseFields
  extends Omit<CaseHead, 'statut'>,
    CaseFieldValues,
    Pick<CaseDetail, 'reference_origine' | 'date_modification' | 'version'> {
  readonly account_id: string
  readonly photos: readonly Photo[]
  /**
   * The salt of the digest of `notes_internes` in the latest close; null if there is none, or the notes have changed
   * since.
   */
  readonly sel_notes: string | null
  /** The head of the history's chain. */
  readonly tete_historique: HistoryHead
}

export interface OpenCase extends CaseFields {
  readonly statut: OpenStatut
}

/** The fields that a close sets and a reopening empties; files are given by SHA-256. */
export interface CaseClose extends Pick<CaseDetail, Exclude<ClosingField, 'date_cloture' | 'resolution'>> {
  readonly date_cloture: string
  readonly resolution: string
}

export interface ClosedCase extends CaseFields, CaseClose {
  readonly statut: 'clos'
}

/** A case as stored. Only a closed one has the fields of its close. */
export type SavCase = OpenCase | ClosedCase

/** A case to be inserted; the store assigns its id. */
export interface NewCase
  extends Pick<CaseFields, 'account_id' | 'description' | 'photos' | 'date_creation' | 'tete_historique'>,
    Pick<CaseFieldValues, keyof ReturnType<typeof newCaseFields>> {
  /** Year and number of the reference; see reference.ts. */
  readonly annee: number
  readonly numero: number
  readonly client_id: number
}
