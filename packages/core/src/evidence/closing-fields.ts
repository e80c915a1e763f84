import type { Priorite, Statut, TypeProbleme } from '../values/vocabulary.js'

/** The fields that a close sets, and a reopening empties. */
export const closingFields = [
  'date_cloture',
  'resolution',
  'photo_avant',
  'photo_apres',
  'signature_client',
  'signataire_nom',
  'reserves',
  'survenu_a',
  'decalage_ms',
  'vu',
] as const

export type ClosingField = (typeof closingFields)[number]

/** Those of a case that is not closed. */
export const noClosing = Object.fromEntries(closingFields.map((field) => [field, null])) as Record<ClosingField, null>

/**
 * What the snapshot of a close has of a case as it stands there, beside the fields of the close; absent where a case has null. Its
 * form is frozen: nothing comes here because a case has it. The report prints what is here.
 */
export interface SealedCase {
  readonly id: number
  readonly reference: string
  readonly description: string
  readonly type_probleme: TypeProbleme
  readonly priorite: Priorite
  readonly statut: Statut
  readonly date_creation: string
}
export const sealedFields = [
  'id',
  'reference',
  'description',
  'type_probleme',
  'priorite',
  'statut',
  'date_creation',
] as const satisfies (keyof SealedCase)[]

/** The same of its client. */
export interface SealedClient {
  readonly nom: string
  readonly prenom: string
  readonly raison_sociale?: string
  readonly adresse?: string
  readonly telephone?: string
}
export const sealedClientFields = [
  'nom',
  'prenom',
  'raison_sociale',
  'adresse',
  'telephone',
] as const satisfies (keyof SealedClient)[]
