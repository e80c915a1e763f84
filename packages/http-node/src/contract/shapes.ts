import { priorites, statuts, typesProbleme } from '@sav/core'
import * as z from 'zod'

/** What several answers have in common. */

/** A schema that the contract knows by a name, with an example that it accepts. */
export const named = <S extends z.ZodType>(id: string, schema: S, example: z.input<S>): S =>
  schema.meta({ id, examples: [example] })

/** The example of a named schema, or of a list of such. */
export function exampleOf(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodType) return [exampleOf(schema.element)]
  const examples = schema.meta()?.['examples']
  return Array.isArray(examples) ? examples[0] : undefined
}

export const instant = z.iso.datetime({ precision: 3 }).meta({ description: 'UTC, ISO 8601 with milliseconds.' })
export const number = z.int().positive()
export const hash = z.hash('sha256')
export const reference = z.string().regex(/^SAV-\d{4}-\d{5,}$/)
export const statut = z.enum(statuts)
export const priorite = z.enum(priorites)
export const typeProbleme = z.enum(typesProbleme)

export const lieu = z.object({
  ligne1: z.string().nullable(),
  code_postal: z.string().nullable(),
  ville: z.string().nullable(),
  lat: z.number().nullable().meta({ description: 'Degrees north, WGS 84.' }),
  lon: z.number().nullable().meta({ description: 'Degrees east, WGS 84.' }),
  acces: z.string().nullable().meta({ description: 'How to get in.' }),
})

export const examples = {
  calendar: `sav_cal_${'x'.repeat(43)}.ics`,
  rdvPage: `sav_rdv_${'x'.repeat(43)}`,
  reference: 'SAV-2026-00042',
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
