import type { ActorType } from '../access/actor.js'
import type { HistoryHead, HistoryPlace } from '../evidence/history-chain.js'
import type { Photo } from '../files/stored-file.js'
import type { Priorite, Statut, TypeProbleme } from '../vocabulary.js'

/** The shapes of an after-sales case. Field names are those of the wire, from the request to the column. */

export type OpenStatut = Exclude<Statut, 'clos'>

/** What a list shows of a case. */
export interface CaseSummary {
  readonly id: number
  readonly reference: string
  readonly client: { readonly id: number; readonly nom: string; readonly prenom: string }
  readonly description: string
  readonly statut: Statut
  readonly priorite: Priorite
  /** Instant of creation. */
  readonly date_creation: string
  readonly poseur_assigne: { readonly id: number; readonly nom: string } | null
}

interface CaseFields extends Omit<CaseSummary, 'statut'> {
  readonly account_id: string
  readonly type_probleme: TypeProbleme
  readonly photos: readonly Photo[]
  readonly notes_internes: string | null
  /** Of the digest of `notes_internes` in the latest close; null where there is none, or the notes changed since. */
  readonly sel_notes: string | null
  /** The end of the history's chain; null while no line is in it. */
  readonly tete_historique: HistoryHead | null
  readonly date_modification: string
  /** Starts at 1 and grows by one with every change. */
  readonly version: number
}

export interface OpenCase extends CaseFields {
  readonly statut: OpenStatut
}

/** What closing adds to a case, and what reopening takes away again. */
export interface Closing {
  readonly date_cloture: string
  readonly resolution: string
  /** SHA-256 of the file, or null. */
  readonly photo_avant: string | null
  readonly photo_apres: string | null
  readonly signature_client: string | null
  readonly signataire_nom: string | null
  readonly reserves: readonly string[]
}

export interface ClosedCase extends CaseFields, Closing {
  readonly statut: 'clos'
}

/** A case as stored: only a closed one has the fields of its close. */
export type SavCase = OpenCase | ClosedCase

/** A case about to be inserted: the store gives it its id. */
export interface NewCase {
  readonly account_id: string
  /** Year and number of the reference; see reference.ts. */
  readonly annee: number
  readonly numero: number
  readonly client_id: number
  readonly description: string
  readonly type_probleme: TypeProbleme
  readonly priorite: Priorite
  readonly photos: readonly Photo[]
  readonly date_creation: string
  readonly tete_historique: HistoryHead | null
}

/** A part that was used at an intervention. */
export interface PieceUsed {
  readonly designation: string
  /** How many pieces. */
  readonly quantite: number
  readonly reference: string | null
}

/** Work that was done for a case: what an appointment leaves when it is over. */
export interface NewIntervention {
  readonly rdv_id: number
  readonly poseur: { readonly id: number; readonly nom: string }
  /** Of the appointment: `sav`, `pose`, … */
  readonly type: string
  readonly date_debut: string
  readonly date_fin: string
  readonly resultat: string | null
  readonly compte_rendu: string | null
  readonly pieces: readonly PieceUsed[]
}

/** Work as stored: ids grow in the order in which it was told. */
export interface Intervention extends NewIntervention {
  readonly id: number
}

/** What a line of the history tells of. */
export const historyKinds = [
  'creation',
  'modification',
  'cloture',
  'reouverture',
  'pv',
  'rapport',
  'effacement',
  'intervention',
] as const
/** What a line of the history tells of. */
export type HistoryKind = (typeof historyKinds)[number]

/** A field as the history tells it: a word of the wire, an id or a text; null: it was, or is, empty. */
export type FieldValue = string | number | null

/** One line of a case's append-only history, without the id that the store gives it. */
export interface NewHistoryEntry {
  readonly date: string
  readonly type: HistoryKind
  readonly acteur: { readonly type: ActorType; readonly id: string | null; readonly nom: string }
  readonly champ: string | null
  readonly ancienne_valeur: FieldValue
  readonly nouvelle_valeur: FieldValue
  readonly commentaire: string | null
}

/** A line as stored: ids grow in the order of the events. */
export interface HistoryEntry extends NewHistoryEntry {
  readonly id: number
}

/** A line with its place in the chain of its case. */
export type ChainedHistoryEntry = NewHistoryEntry & HistoryPlace
