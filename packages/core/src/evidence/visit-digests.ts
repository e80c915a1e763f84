import { sha256Of } from '../node-crypto.js'
import { canonicalJson } from './canonical-json.js'

/** The data of a visit that evidence covers. */
export interface Visit {
  readonly id: number
  readonly rdv_id: number
  readonly poseur: { readonly id: number }
  readonly type: string
  readonly date_debut: string
  readonly date_fin: string
  readonly resultat: string | null
  readonly compte_rendu: string | null
  readonly pieces: readonly {
    readonly designation: string
    readonly quantite: number
    readonly reference: string | null
  }[]
  /** Null if it was not reported from a phone. */
  readonly survenu_a: string | null
}

/** The fields of a visit that evidence covers, in the order of their names. */
export const visitFields = [
  'compte_rendu',
  'date_debut',
  'date_fin',
  'pieces',
  'poseur_id',
  'rdv_id',
  'resultat',
  'survenu_a',
  'type',
] as const
type VisitField = (typeof visitFields)[number]

/** SHA-256 of each field that has a value. Fields that may name a person are salted by their history line. */
export type VisitDigests = { readonly [field in VisitField]?: string }

/** The fields that an erasure removes, with the salt. */
const personal: readonly VisitField[] = ['compte_rendu', 'pieces']

/** The values as text, in the order of their names, as in canonical JSON. */
function fieldsOf({ poseur, pieces, ...visit }: Visit): (readonly [VisitField, string | null])[] {
  // An unknown member counts as a change too: the stored row was altered.
  const used = pieces.map(({ designation, quantite, reference, ...foreign }) => ({
    designation,
    quantite,
    reference: reference ?? undefined,
    ...foreign,
  }))
  return [
    ['compte_rendu', visit.compte_rendu],
    ['date_debut', visit.date_debut],
    ['date_fin', visit.date_fin],
    ['pieces', used.length === 0 ? null : JSON.stringify(used)],
    ['poseur_id', String(poseur.id)],
    ['rdv_id', String(visit.rdv_id)],
    ['resultat', visit.resultat],
    ['survenu_a', visit.survenu_a],
    ['type', visit.type],
  ]
}

export function visitDigests(visit: Visit, sel: string): VisitDigests {
  const digests: { [field in VisitField]?: string } = {}
  for (const [field, text] of fieldsOf(visit))
    if (text !== null) digests[field] = sha256Of(personal.includes(field) ? sel + text : text)
  return digests
}

/**
 * The fields that do not match their digests. @param sel null after an erasure, which leaves personal fields empty or
 * marked as erased
 */
export function changedFields(visit: Visit, digests: VisitDigests, sel: string | null, erased: string): string[] {
  return fieldsOf(visit)
    .filter(([field, text]) => {
      const digest = digests[field]
      // An erasure empties the list of parts, and replaces a report by its marker.
      if (sel === null && personal.includes(field))
        return text !== (field === 'compte_rendu' && digest !== undefined ? erased : null)
      if (text === null || digest === undefined) return text !== null || digest !== undefined
      return digest !== sha256Of(personal.includes(field) ? sel + text : text)
    })
    .map(([field]) => field)
}

/** A visit in a snapshot. */
export interface VisitSeal {
  readonly id: number
  /** SHA-256 of the canonical JSON of its fields, without empty ones. All values are text, except `id`. */
  readonly empreinte: string
}

/** A digest of all fields with a value, for a snapshot. */
export function visitSeal(visit: Visit): VisitSeal {
  const told = fieldsOf(visit).map(([field, text]) => [field, text ?? undefined])
  return { id: visit.id, empreinte: sha256Of(canonicalJson({ ...Object.fromEntries(told), id: visit.id })) }
}
