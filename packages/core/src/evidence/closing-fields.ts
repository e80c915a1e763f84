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
 * The fields that the snapshot of a close has as they stand in the case, beside those of the close. Its form is frozen: none comes
 * here because a case has it.
 */
export const sealedFields = [
  'id',
  'reference',
  'description',
  'type_probleme',
  'priorite',
  'statut',
  'date_creation',
] as const

export type SealedField = (typeof sealedFields)[number]
