import * as z from 'zod'
import { issue } from '../refusals/reason.js'
import { lazily } from '../values/lazily.js'
import { named, type Shape } from '../values/shape.js'
import { line, text } from '../values/validation.js'

/**
 * The place where a person works or lives, for the installer who travels there. The person also has an `adresse` in one
 * line.
 */
export const lieuShape = named(
  'Lieu',
  () =>
    z.object({
      ligne1: z.string().nullable(),
      code_postal: z.string().nullable(),
      ville: z.string().nullable(),
      lat: z.number().nullable().describe('Degrees north, WGS 84.'),
      lon: z.number().nullable().describe('Degrees east, WGS 84.'),
      acces: z.string().nullable().describe('How to get in.'),
    }),
  { ligne1: '12 quai Tilsitt', code_postal: '69002', ville: 'Lyon', lat: null, lon: null, acces: 'Code 14B' },
)
/** The place where a person works or lives. `lat` and `lon` come together. */
export type Lieu = Shape<typeof lieuShape>

/** A place without any field. */
export const nowhere: Lieu = { ligne1: null, code_postal: null, ville: null, lat: null, lon: null, acces: null }

/** The place in one line, as in `adresse`; null if it is unknown. */
export function placeLine({ ligne1, code_postal, ville }: Lieu): string | null {
  const town = [code_postal, ville].filter(Boolean).join(' ')
  return [ligne1, town].filter(Boolean).join(', ') || null
}

const words = (max: number) => line({ min: 1, max }).nullable().default(null)

/** Every field is optional; coordinates come in pairs. */
export const lieuInput = lazily(() =>
  z
    .strictObject({
      ligne1: words(200),
      code_postal: words(10),
      ville: words(100),
      lat: z.number().min(-90).max(90).nullable().default(null).describe('Degrees north, WGS 84.'),
      lon: z.number().min(-180).max(180).nullable().default(null).describe('Degrees east, WGS 84.'),
      acces: text({ min: 1, max: 500 })
        .nullable()
        .default(null)
        .describe('How to get in: floor, door code, where to park.'),
    })
    .refine(({ lat, lon }) => (lat === null) === (lon === null), {
      path: ['lon'],
      message: issue('coordinates_incomplete'),
    }),
)

/**
 * Finds the coordinates of an address; null if it is not found precisely enough or in time. Called when a client, a
 * poseur or an account is saved, before the transaction, and never for a booking.
 */
export type LocateLieu = (lieu: Lieu) => Promise<{ readonly lat: number; readonly lon: number } | null>

/** Adds coordinates, if they are not given and can be found. The place is saved in any case. */
export async function located<L extends Lieu | null | undefined>(lieu: L, locate: LocateLieu): Promise<L | Lieu> {
  if (lieu == null || lieu.lat !== null || lieu.ligne1 === null) return lieu
  const point = await locate(lieu).catch(() => null)
  return point === null ? lieu : { ...lieu, lat: point.lat, lon: point.lon }
}
