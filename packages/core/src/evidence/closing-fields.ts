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
