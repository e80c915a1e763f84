import type { Lieu } from '@sav/core'
import type { FieldCommand } from './field-command.js'
import { degrees } from './values.js'

/** The options for a place (`lieu`). */
export interface LieuOptions {
  readonly ligne1?: string
  readonly code_postal?: string
  readonly ville?: string
  readonly lat?: number
  readonly lon?: number
  readonly acces?: string
}

/**
 * Adds the options for a place to a command.
 * @param whose a description of the place for the help, for example `where installers go`
 */
export function withLieu(command: FieldCommand, whose: string): FieldCommand {
  return command
    .option('--ligne1, --street <text>', `${whose}: number and street`)
    .option('--code-postal, --postal-code <code>', 'postal code')
    .option('--ville, --town <town>', 'town')
    .option('--lat <degrees>', 'latitude, where postal code and town are not exact enough; with --lon', degrees)
    .option('--lon <degrees>', 'longitude; with --lat', degrees)
    .option('--acces, --access <text>', 'how to get in: floor, door code, where to park')
}

/** The options for the place where a poseur's day ends (`lieu_retour`). */
export interface RetourOptions {
  readonly retour_ligne1?: string
  readonly retour_code_postal?: string
  readonly retour_ville?: string
  readonly retour_lat?: number
  readonly retour_lon?: number
}

export function withRetour(command: FieldCommand): FieldCommand {
  return command
    .option('--retour-ligne1, --return-street <text>', 'where the day ends, if elsewhere: number and street')
    .option('--retour-code-postal, --return-postal-code <code>', 'its postal code')
    .option('--retour-ville, --return-town <town>', 'its town')
    .option('--retour-lat, --return-lat <degrees>', 'latitude; with --retour-lon', degrees)
    .option('--retour-lon, --return-lon <degrees>', 'longitude; with --retour-lat', degrees)
}

/** Joins the options for each place into one field, as the API expects it. */
export function placed<Options extends LieuOptions & RetourOptions>(options: Options) {
  const { ligne1, code_postal, ville, lat, lon, acces, ...others } = options
  const { retour_ligne1, retour_code_postal, retour_ville, retour_lat, retour_lon, ...fields } = others
  const retour = { ligne1: retour_ligne1, code_postal: retour_code_postal, ville: retour_ville }
  return {
    ...fields,
    lieu: lieuOf({ ligne1, code_postal, ville, lat, lon, acces }),
    lieu_retour: lieuOf({ ...retour, lat: retour_lat, lon: retour_lon }),
  }
}

type WrittenOptions<Options> = { readonly [Name in keyof Options]: Options[Name] | undefined }

/** The place in the given options: undefined if none was given, null if all of them are empty. */
function lieuOf(given: WrittenOptions<LieuOptions>) {
  const values = Object.values(given).filter((value) => value !== undefined)
  if (values.length === 0) return undefined
  if (values.every((value) => value === '')) return null
  const { ligne1, code_postal, ville, acces } = given
  const text = (value: string | undefined) => (value === '' ? undefined : value)
  return { ...given, ligne1: text(ligne1), code_postal: text(code_postal), ville: text(ville), acces: text(acces) }
}

/** A place in one line; null if it is unknown. */
export const lieuLine = (lieu: Lieu | null): string | null =>
  [lieu?.ligne1, lieu?.code_postal, lieu?.ville].filter(Boolean).join(', ') || null
