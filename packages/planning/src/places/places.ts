import type { Lieu } from '@sav/core'
import { fold } from '@sav/core/ports'
import type { Point } from '../travel/travel-times.js'

/**
 * How the point of a place was found. `exacte`: from its own coordinates. `code_postal`: from its postal code; half of
 * the addresses are within 1.2 km, 95 % within 7. `commune`: from its town, if a town has several codes or the code is
 * unknown. `departement`: only from its département, some 10 to 40 km off.
 */
export const precisions = ['exacte', 'code_postal', 'commune', 'departement'] as const
/** The precision of a place: see `precisions`. */
export type Precision = (typeof precisions)[number]

/** A point for estimates of travel. `precision` says how far off it may be. */
export interface Place {
  readonly point: Point
  readonly precision: Precision
}

/** Finds the point of a place; null if none of its fields is known. */
export type PointOf = (lieu: Lieu) => Place | null

/** Reads the table of French places at its first call. A process that needs none does not load it. */
export function loadPlaces(): Promise<PointOf> {
  loaded ??= import('./places.gen.js').then(pointOfTables)
  return loaded
}

let loaded: Promise<PointOf> | undefined

interface Tables {
  readonly codesAndPoints: string
  readonly sharedCodes: string
  readonly roughCodes: string
  readonly townNames: string
  readonly chiefTowns: string
}

function pointOfTables(tables: Tables): PointOf {
  const codes = codesOf(tables)
  const towns = townsOf(tables, [...codes.keys()])
  const chiefTowns = new Map(tables.chiefTowns.split(' ').map((code) => [departementOf(code), code]))

  const at = (code: string | undefined, precision: Precision): Place | null => {
    const known = code === undefined ? undefined : codes.get(code)
    return known === undefined ? null : { point: known.point, precision }
  }

  return ({ lat, lon, code_postal, ville }) => {
    if (lat !== null && lon !== null) return { point: { lat, lon }, precision: 'exacte' }
    const code = code_postal?.replaceAll(' ', '') ?? ''
    const known = codes.get(code)
    if (known !== undefined && known.precision !== 'departement') return known
    const departement = /^\d{5}$/.test(code) ? departementOf(code) : null
    const named = (ville === null ? undefined : towns.get(townName(ville))) ?? []
    const there = departement === null ? named : named.filter((each) => departementOf(each) === departement)
    // Without a code, several towns with the same name are ambiguous.
    const town = there.length === 1 ? at(there[0], 'commune') : null
    return town ?? known ?? (departement === null ? null : at(chiefTowns.get(departement), 'departement'))
  }
}

/** The postal codes, in the order of the table. */
function codesOf({ codesAndPoints, sharedCodes, roughCodes }: Tables): ReadonlyMap<string, Place> {
  const bytes = Buffer.from(codesAndPoints, 'base64')
  const shared = new Set(sharedCodes.split(' '))
  const rough = new Set(roughCodes.split(' '))
  const codes = new Map<string, Place>()
  let number = 0
  for (let offset = 0; offset < bytes.length; offset += 6) {
    number += bytes.readUInt16LE(offset)
    const code = String(number).padStart(5, '0')
    const point = {
      lat: Math.round(bytes.readUInt16LE(offset + 2) - 9_000) / 100,
      lon: Math.round(bytes.readUInt16LE(offset + 4) - 18_000) / 100,
    }
    codes.set(code, {
      point,
      precision: rough.has(code) ? 'departement' : shared.has(code) ? 'commune' : 'code_postal',
    })
  }
  return codes
}

/** The codes by the name of their town; several if towns share a name. */
function townsOf({ townNames }: Tables, codes: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const towns = new Map<string, string[]>()
  for (const [index, names] of townNames.split(';').entries()) {
    const code = codes[index]
    for (const name of names === '' || code === undefined ? [] : names.split(','))
      towns.set(townName(name), [...(towns.get(townName(name)) ?? []), ...(code === undefined ? [] : [code])])
  }
  return towns
}

/** Two digits name a département (20 is all of Corsica), three an overseas territory. */
function departementOf(code: string): string {
  return code.slice(0, /^9[78]/.test(code) ? 3 : 2)
}

/** A common form of the names that people and the register write: `St-Étienne CEDEX 2` is `saint etienne`. */
function townName(ville: string): string {
  return fold(ville)
    .replace(/ cedex( \d+)?$/, '')
    .replace(/\bst\b/g, 'saint')
    .replace(/\bste\b/g, 'sainte')
}
