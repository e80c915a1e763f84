import { idOf, instant, named, person, rdvStatuts, type Shape, slot } from '@sav/core/feature'
import { rdvExample, rdvShape } from '@sav/planning/feature'
import * as z from 'zod'

/** What an installer reports about a visit: begun, done, customer absent, late, or an addition to its case. */
export const fieldKinds = ['debut', 'intervention', 'absent', 'retard', 'ajout'] as const
/** The kind of a report on a visit: see `fieldKinds`. */
export type FieldKind = (typeof fieldKinds)[number]

/** What the office did meanwhile, or has to do now. */
const constatCodes = [
  'rdv_deplace',
  'rdv_donne',
  'rdv_annule',
  'rdv_termine',
  'dossier_clos',
  'description_changee',
  'creneau_pris',
  'souhait',
] as const

export const constatShape = named(
  'FieldConstat',
  () =>
    z.object({
      codes: z.array(z.enum(constatCodes)).describe('At least one.'),
      rdv: z
        .object({
          id: idOf('the appointment'),
          statut: z.enum(rdvStatuts),
          debut: instant(),
          fin: instant(),
          poseur: person(),
        })
        .nullable()
        .describe('The visit as it is now, if the office moved, reassigned or ended it.'),
      description: z
        .object({ signee: z.string(), actuelle: z.string() })
        .nullable()
        .describe('What the customer was shown, and what the case says now.'),
      alternatives: z.array(slot()).describe('Free times, if the next visit could not be booked.'),
      souhait: z.string().nullable().describe('The installer’s request to the office.'),
    }),
  {
    codes: ['rdv_deplace'],
    rdv: {
      id: 5,
      statut: 'en_cours',
      debut: '2026-03-16T08:00:00.000Z',
      fin: '2026-03-16T10:00:00.000Z',
      poseur: { id: 3, nom: 'Bruno Petit' },
    },
    description: null,
    alternatives: [],
    souhait: null,
  },
)
/** What changed in a visit, or its case, between a report's event and its arrival. */
export type FieldConstat = Shape<typeof constatShape>

export const answeredRdvShape = named(
  'AnsweredRdv',
  () => z.object({ ...rdvShape().shape, constat: constatShape().nullable() }),
  { ...rdvExample, constat: null },
)
/** The appointment after a report. `constat` is what the office did meanwhile or has to do now; null: nothing. */
export type AnsweredRdv = Shape<typeof answeredRdvShape>

/** A report from a phone, as stored. Ids grow in the order of arrival. */
export interface FieldFact {
  readonly account_id: string
  readonly id: number
  /** The user, or the key, that sent it. */
  readonly auteur_id: string
  /** The key by which a repetition is recognised. */
  readonly cle: string
  /** Keyed digest of the content, by `FactDigests`; empty once its client is erased. */
  readonly empreinte: string
  readonly rdv_id: number
  readonly sav_id: number | null
  readonly client_id: number
  readonly nature: FieldKind
  /** When the reported event happened, by the phone's corrected clock. */
  readonly survenu_a: string
  /** When the report arrived. */
  readonly date: string
  /** The finding for the office; null if the office need not act. */
  readonly constat: FieldConstat | null
}

/** A report to be added; the store assigns its id. */
export type NewFieldFact = Omit<FieldFact, 'id'>
