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

/** The place that the flags make up, all of it: undefined without one of them, null where all that are given are empty. */
export function lieuOf({ ligne1, codePostal, ville, lat, lon, acces }: LieuOptions) {
  const given = { ligne1, code_postal: codePostal, ville, lat, lon, acces }
  const values = Object.values(given).filter((value) => value !== undefined)
  if (values.length === 0) return undefined
  if (values.every((value) => value === '')) return null
  const text = (value: string | undefined) => (value === '' ? undefined : value)
  return { ...given, ligne1: text(ligne1), code_postal: text(codePostal), ville: text(ville), acces: text(acces) }
}
