import type { Priorite, Statut, TypeProbleme } from '../values/vocabulary.js'

/** The fields that a close sets and a reopening empties. */
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

/** The values of these fields in a case that is not closed. */
export const noClosing = Object.fromEntries(closingFields.map((field) => [field, null])) as Record<ClosingField, null>

/**
 * The fields of a case in a close's snapshot, besides those of the close itself; absent if null. The form is frozen:
 * new fields of cases are not added automatically. The report prints these fields.
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

/** The client's fields in a close's snapshot. */
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
