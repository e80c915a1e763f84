import type { Command } from 'commander'
import { degrees } from './values.js'

/** The flags of a place (`lieu`). */
export interface LieuOptions {
  readonly ligne1?: string
  readonly codePostal?: string
  readonly ville?: string
  readonly lat?: number
  readonly lon?: number
  readonly acces?: string
}

/** @param whose place it is, as `where installers go` */
export function withLieu(command: Command, whose: string): Command {
  return command
    .option('--ligne1 <text>', `${whose}: number and street`)
    .option('--code-postal <code>')
    .option('--ville <town>')
    .option('--lat <degrees>', 'north; with --lon, where postal code and town are not exact enough', degrees)
    .option('--lon <degrees>', 'east', degrees)
    .option('--acces <text>', 'how to get in: floor, door code, where to park')
}

/** The flags of where a poseur's day ends (`lieu_retour`). */
export interface RetourOptions {
  readonly retourLigne1?: string
  readonly retourCodePostal?: string
  readonly retourVille?: string
  readonly retourLat?: number
  readonly retourLon?: number
}

export function withRetour(command: Command): Command {
  return command
    .option('--retour-ligne1 <text>', 'where the day ends, if elsewhere: number and street')
    .option('--retour-code-postal <code>')
    .option('--retour-ville <town>')
    .option('--retour-lat <degrees>', 'north; with --retour-lon', degrees)
    .option('--retour-lon <degrees>', 'east', degrees)
}

export const retourOf = (options: RetourOptions) =>
  lieuOf({
    ...(options.retourLigne1 !== undefined && { ligne1: options.retourLigne1 }),
    ...(options.retourCodePostal !== undefined && { codePostal: options.retourCodePostal }),
    ...(options.retourVille !== undefined && { ville: options.retourVille }),
    ...(options.retourLat !== undefined && { lat: options.retourLat }),
    ...(options.retourLon !== undefined && { lon: options.retourLon }),
  })

/** The place that the flags make up, all of it: undefined without one of them, null where all that are given are empty. */
export function lieuOf({ ligne1, codePostal, ville, lat, lon, acces }: LieuOptions) {
  const given = { ligne1, code_postal: codePostal, ville, lat, lon, acces }
  const values = Object.values(given).filter((value) => value !== undefined)
  if (values.length === 0) return undefined
  if (values.every((value) => value === '')) return null
  const text = (value: string | undefined) => (value === '' ? undefined : value)
  return { ...given, ligne1: text(ligne1), code_postal: text(codePostal), ville: text(ville), acces: text(acces) }
}
