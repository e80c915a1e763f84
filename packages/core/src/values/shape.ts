import * as z from 'zod'
import { type Lazy, lazily, type Output } from './lazily.js'
import { priorites, statuts, typesProbleme } from './vocabulary.js'

/**
 * Parts that shapes share. A shape is declared once, in zod; the types, the contract and the client's types follow from
 * it. Each is built at its first use.
 */

/** The read-only type of a schema. */
export type Shape<L extends Lazy<z.ZodType>> = DeepReadonly<Output<L>>

/** Schemas describe mutable arrays; use cases return readonly ones. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T

/** The keyword in JSON Schema that marks the lists that features extend. Its value is `events` or `permissions`. */
export const ofFeatures = 'x-of-features'

/** A schema with a name in the contract, and an example that it accepts. */
export const named = <S extends z.ZodType>(id: string, build: () => S, example: DeepReadonly<z.input<S>>): Lazy<S> =>
  lazily(() => build().meta({ id, examples: [example] }))

/** The example of a named schema, or of a list of them. */
export function exampleOf(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodType) return [exampleOf(schema.element)]
  const examples = schema.meta()?.['examples']
  return Array.isArray(examples) ? examples[0] : undefined
}

/** An instant: UTC, ISO 8601 with milliseconds. */
export const instant = lazily(() => z.iso.datetime({ precision: 3 }).describe('UTC, ISO 8601 with milliseconds.'))
export const hash = lazily(() => z.hash('sha256'))
/** The reference of a case, `SAV-2026-00042`. */
export const reference = lazily(() => z.string().regex(/^SAV-\d{4}-\d{5,}$/))
/** The state of a case. */
export const statut = lazily(() => z.enum(statuts))
export const priorite = lazily(() => z.enum(priorites))
/** The kind of a case's problem. */
export const typeProbleme = lazily(() => z.enum(typesProbleme))

/** A number assigned by a store: 1 … 2^53 − 1. @param what it names: `the case` */
export const idOf = (what: string) => z.int().positive().describe(`Number of ${what}.`)

/** A number of things, 0 or more. @param what for example `How many pieces.` */
export const count = (what: string) => z.int().nonnegative().describe(what)

/** The version of a record. */
export const version = lazily(() => z.int().positive().describe('Grows by one with every change.'))
/** The version that events carry. */
export const eventVersion = lazily(() =>
  z.int().positive().describe('Grows by one with every change. Events may be out of order: keep the highest.'),
)
const changedValue = lazily(() =>
  z.union([z.string(), z.number()]).nullable().describe('A text, or the id of what the field refers to.'),
)
/** What an event says about changed fields. */
export const changedFields = lazily(() =>
  z
    .array(
      z.object({
        champ: z.string(),
        ancien: changedValue().exactOptional(),
        nouveau: changedValue().exactOptional(),
      }),
    )
    .describe('The changed fields. Free text and notes appear without their values.'),
)
export const sequence = lazily(() => z.int().positive().describe("The position in the account's chain of evidence."))

/** An installer. */
export const person = named('PoseurName', () => z.object({ id: idOf('the installer'), nom: z.string() }), {
  id: 3,
  nom: 'Bruno Petit',
})

/** A client. */
export const customer = named(
  'ClientName',
  () => z.object({ id: idOf('the client'), nom: z.string(), prenom: z.string() }),
  { id: 7, nom: 'Durand', prenom: 'Alice' },
)

/** A part that was used. */
export const piece = named(
  'Piece',
  () =>
    z.object({
      designation: z.string(),
      quantite: z.int().positive().describe('How many pieces.'),
      reference: z.string().nullable(),
    }),
  { designation: 'Charnière 110°', quantite: 2, reference: null },
)

/** The conflicting appointment. */
export const takenTime = lazily(() =>
  z.object({
    id: z.int().describe('Number of the appointment.'),
    debut: instant(),
    fin: instant(),
    poseur: z.object({ id: z.int().describe('Number of the installer.') }),
  }),
)

/** A time at which an installer is free. */
export const slot = named(
  'Slot',
  () =>
    z.object({
      debut: instant(),
      fin: instant(),
      poseur: person(),
      trajet_avant_minutes: count('How many minutes of travel from the visit before.'),
      trajet_ajoute_minutes: count('How many minutes of travel this visit adds to the day.'),
      jeton: z.string().describe('A token that books this slot within 15 minutes. It reserves nothing.'),
    }),
  {
    debut: '2026-03-16T08:00:00.000Z',
    fin: '2026-03-16T10:00:00.000Z',
    poseur: { id: 3, nom: 'Bruno Petit' },
    trajet_avant_minutes: 14,
    trajet_ajoute_minutes: 6,
    jeton: 'c1.4bb06f8e4e3a7715.WzMsMTc3MzY0ODAwMF0.kBx3y1t6',
  },
)

/** Examples of ids and texts for the contract. */
export const examples = {
  calendar: `sav_cal_${'x'.repeat(43)}.ics`,
  rdvPage: `sav_rdv_${'x'.repeat(43)}`,
  reference: 'SAV-2026-00042',
  followUp: 'rdv_annule_client-5-3',
  instant: '2026-01-15T10:30:00.000Z',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  event: 'evt_01ka0z7m3q8d',
  endpoint: 'wh_01ka0z7m3q8d',
  delivery: 'dlv_01ka0z7m3q8d',
  replay: 'rpl_01ka0z7m3q8d',
  key: 'key_01ka0z7m3q8d',
  user: 'usr_01ka0z7m3q8d',
  session: 'ses_01ka0z7m3q8d',
  passkey: 'psk_01ka0z7m3q8d',
} as const
