import { resolve } from 'node:path'
import { boundedBytes, fileProblem, messageOf, nearest, usageError } from '@sav/command/feature'
import { priorites, rdvTypes, statuts, typesProbleme } from '@sav/core/names'
import { type ImportType, importTypes } from '../import-store.js'
import { importFields } from '../rows.js'
import type { Mapping, Mappings } from './mapping-shape.js'

/** The values of `--map` and `--mapping`. */
export interface MappingOptions {
  readonly map?: readonly string[]
  readonly mapping?: string
}

/** A heading without variations in spelling. */
export function bare(heading: string): string {
  const letters = heading.normalize('NFD').replaceAll(/[^\p{L}\p{N}]/gu, '')
  // Zammad's heading for a number is `#`, which has no letters.
  return (letters || heading.trim()).toLowerCase()
}

/** The headings of a plain spreadsheet, GLPI, Zammad, Odoo and ERPNext, besides the field names. */
const usual: Readonly<Record<ImportType, Readonly<Record<string, readonly string[]>>>> = {
  clients: {
    id_externe: ['id', 'n', 'code', 'numero', 'codeclient', 'numeroclient', 'nclient', 'refclient'],
    nom: ['nomdefamille', 'nomclient', 'client', 'lastname', 'name', 'customername'],
    prenom: ['firstname'],
    raison_sociale: ['societe', 'entreprise', 'company'],
    email: [
      ...['mail', 'mel', 'courriel', 'adresseemail', 'adressemail', 'emailid'],
      ...['adressedemessagerie', 'adressesdemessagerie'],
    ],
    telephone: ['tel', 'telephoneportable', 'portable', 'mobile', 'gsm', 'phone', 'mobileno'],
    ligne1: ['rue', 'adresse1', 'street'],
    code_postal: ['cp', 'postalcode', 'zip'],
    ville: ['commune', 'city', 'town'],
    acces: ['codeporte', 'digicode', 'etage'],
  },
  poseurs: {
    id_externe: ['id', 'code', 'matricule'],
    nom: ['poseur', 'technicien', 'name'],
    email: ['mail', 'courriel'],
  },
  cases: {
    id_externe: ['id'],
    reference_origine: [
      ...['reference', 'ref', 'n', 'numero', 'numerodossier', 'ndossier', 'dossier', 'nsav', 'numerosav'],
      ...['#', 'ticketnumber', 'numeroticket', 'nticket'],
    ],
    client_id_externe: ['client', 'codeclient', 'numeroclient', 'nclient', 'refclient', 'idclient', 'customer'],
    client_email: [
      ...['email', 'mail', 'mel', 'courriel', 'emailclient'],
      ...['customeremail', 'raisedby', 'raisedbyemail', 'emailduclient'],
    ],
    description: ['titre', 'title', 'sujet', 'subject', 'probleme', 'objet', 'demande', 'motif', 'descriptif', 'panne'],
    type_probleme: ['type', 'typedeprobleme', 'categorie'],
    priorite: ['urgence', 'priority'],
    statut: ['etat', 'status', 'state', 'stage', 'etape'],
    date_creation: [
      ...['date', 'creele', 'ouvertle', 'datedecreation', 'dateouverture', 'datedouverture', 'datedemande'],
      ...['createdat', 'createdon', 'creationdate', 'openingdate'],
    ],
    date_cloture: [
      ...['cloturele', 'closle', 'datedecloture', 'datefin', 'datecloture', 'termine', 'terminele'],
      ...['closedat', 'closedon', 'closingdate', 'datederesolution', 'resolutiondate'],
    ],
    resolution: ['solution', 'travaux', 'travauxrealises', 'compterendu', 'resolutiondetails'],
    poseur: ['technicien', 'intervenant', 'affectea', 'assignea', 'assignedto', 'attribueatechnicien'],
    photos: ['photo', 'images'],
  },
  visits: {
    id_externe: ['id', 'numero'],
    client_id_externe: ['client', 'codeclient', 'numeroclient', 'nclient', 'idclient'],
    client_email: ['email', 'mail', 'courriel'],
    reference_origine: ['reference', 'ref', 'dossier', 'numerodossier', 'nsav'],
    poseur: ['technicien', 'intervenant'],
    debut: ['date', 'dateheure', 'datedebut', 'rendezvous', 'rdv'],
    fin: ['datefin'],
    duree_minutes: ['duree', 'minutes'],
    notes: ['commentaire', 'remarque', 'remarques', 'note'],
  },
}

/** Fields that several columns may form together, one line each. */
export const joined: ReadonlySet<string> = new Set(['description', 'notes'])

const fieldsOf = (type: ImportType): readonly string[] => importFields()[type]

/** The field of each heading; null: the column is ignored. If several columns match a field, the first one counts. */
export function fieldsOfHeadings(type: ImportType, headings: readonly string[], mapping: Mapping): (string | null)[] {
  const given = new Map(Object.entries(mapping.columns).map(([heading, field]) => [bare(heading), field]))
  const mapped = new Set(headings.map((heading) => given.get(bare(heading)) ?? undefined))
  const taken = new Set<string>()
  return headings.map((heading) => {
    const word = bare(heading)
    const own = fieldsOf(type).find((field) => bare(field) === word)
    const alike = Object.entries(usual[type]).find(([, words]) => words.includes(word))?.[0]
    const chosen = given.get(word)
    const found = chosen === undefined ? (own ?? alike) : chosen
    // A given column takes precedence over one suggested by its name. A description may be in several columns.
    if (
      found === undefined ||
      found === null ||
      (taken.has(found) && !joined.has(found)) ||
      (chosen === undefined && mapped.has(found))
    )
      return null
    taken.add(found)
    return found
  })
}

/** The fields that each kind of row needs. */
const needed: Readonly<Record<ImportType, readonly (readonly string[])[]>> = {
  visits: [['poseur', 'poseur_defaut'], ['debut']],
  cases: [['description'], ['date_creation']],
  clients: [['nom'], ['prenom', 'email', 'telephone', 'raison_sociale', 'ville', 'adresse', 'ligne1']],
  poseurs: [['nom']],
}

const nameHints: Readonly<Record<ImportType, RegExp>> = {
  clients: /client|tiers|societe|thirdpart/i,
  poseurs: /poseur|technicien|salari/i,
  cases: /dossier|case|ticket|sav/i,
  visits: /visit|rdv|rendez|intervention|planning/i,
}

const suits = (type: ImportType, headings: readonly string[], mapping: Mapping): boolean => {
  const found = new Set([...fieldsOfHeadings(type, headings, mapping), ...Object.keys(mapping.defaults ?? {})])
  return needed[type].every((some) => some.some((field) => found.has(field)))
}

/**
 * The type of the rows of a file: the one that its name suggests, if its headings match, or else the one that its
 * headings suggest.
 * @throws CommandError
 */
export function typeOf(file: string, headings: readonly string[], mappings: Mappings): ImportType {
  const suiting = importTypes.filter((type) => suits(type, headings, mappings[type] ?? { columns: {} }))
  const base = file.split(/[\\/]/).at(-1) ?? file
  const hinted = importTypes.filter((type) => nameHints[type].test(base))
  const named = suiting.filter((type) => hinted.includes(type))
  // A row of a poseur only needs a name, so almost every file could be a list of poseurs. A file is one if no other
  // type suits, its name suggests none, and more than half of its headings are known.
  const unknown = fieldsOfHeadings('poseurs', headings, mappings.poseurs ?? { columns: {} }).filter((each) => !each)
  const isPoseurs = suiting.length === 1 && hinted.length === 0 && 2 * unknown.length < headings.length
  const [only] = named.length > 0 ? named : suiting.filter((type) => type !== 'poseurs' || isPoseurs)
  if (only !== undefined && (named.length === 1 || suiting.length - Number(suiting.includes('poseurs')) <= 1))
    return only
  const columns = headings.map((heading) => JSON.stringify(heading)).join(', ') || 'nothing'
  const why = suiting.length === 0 ? 'its columns match no type of rows' : `its rows may be ${suiting.join(' or ')}`
  throw usageError(
    `${file}: ${why}. Its first line names ${columns}. Set --type to clients, poseurs, cases or visits, and --map to the field of each column.`,
  )
}

/** The meaning of one `--map`. */
type MapEntry =
  | { readonly heading: string; readonly field: string | null }
  | { readonly field: string; readonly word: string; readonly ours: string }

const isField = (name: string): boolean => importTypes.some((type) => fieldsOf(type).includes(name))

/** `Column=field`, `Column=` or `field: Their value=ours`; the last `=` counts. @throws CommandError */
function entryOf(pair: string): MapEntry {
  const at = Math.max(pair.lastIndexOf('='), 0)
  const [before, after] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
  if (before === '')
    throw usageError(`--map ${pair}: write it as "Column=field", "Column=" or "field: Their value=ours".`)
  const [, field = '', word = ''] = /^([a-z_\d]+)\s*:\s*(.*)$/s.exec(before) ?? []
  if (isField(field)) {
    const wrong = wordProblem(field, after)
    if (wrong !== null) throw usageError(`--map ${pair}: ${wrong}.`)
    return { field, word, ours: after }
  }
  if (after !== '' && !isField(after)) throw usageError(`--map ${pair}: there is no field ${after}. ${allFields()}`)
  return { heading: before, field: after === '' ? null : after }
}

/** Why a field cannot have this word; null: it can. An empty one means an empty cell. */
function wordProblem(field: string, ours: string): string | null {
  const words = vocabularies[field]
  if (words === undefined || ours === '' || words.includes(ours)) return null
  return `${field} must be one of ${words.join(', ')}, not ${ours}`
}

/** The fields with a fixed set of words. */
const vocabularies: Readonly<Partial<Record<string, readonly string[]>>> = {
  ...{ statut: statuts, priorite: priorites, type_probleme: typesProbleme, type: rdvTypes },
  ...{ actif: ['oui', 'non'], whatsapp: ['oui', 'non'] },
}

/** @throws CommandError for a mapping that cannot be read, or names an unknown field or word */
export async function readMappings(cwd: string, { map = [], mapping }: MappingOptions): Promise<Mappings> {
  const base = mapping === undefined ? {} : await mappingsOf(cwd, mapping)
  const entries = map.map(entryOf)
  return Object.fromEntries(
    importTypes.map((type) => [type, withEntries(type, base[type] ?? { columns: {} }, entries)]),
  )
}

function withEntries(type: ImportType, before: Mapping, entries: readonly MapEntry[]): Mapping {
  const columns = new Map(Object.entries(before.columns))
  const values = new Map(Object.entries(before.values ?? {}))
  for (const each of entries) {
    if (each.field !== null && !fieldsOf(type).includes(each.field)) continue
    if ('heading' in each) columns.set(each.heading, each.field)
    else values.set(each.field, { ...values.get(each.field), [each.word]: each.ours })
  }
  return { ...before, columns: Object.fromEntries(columns), values: Object.fromEntries(values) }
}

/** A value in the form in which values are compared. */
export const sameWord = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/\s+/g, ' ').trim().toLowerCase()

/**
 * For each field, our word for each word of the other system. The other system's words are in the form of `sameWord`.
 */
export const wordsOf = ({ values = {} }: Mapping): ReadonlyMap<string, ReadonlyMap<string, string>> =>
  new Map(
    Object.entries(values).map(([field, words]) => [
      field,
      new Map(Object.entries(words).map(([word, ours]) => [sameWord(word), ours])),
    ]),
  )

const has = (headings: readonly string[], heading: string): boolean =>
  headings.some((each) => bare(each) === bare(heading))

/** The part of `--map` that applies to a file with rows of this type and these headings. */
export const mapOf = (map: readonly string[] = [], type: ImportType, headings: readonly string[]): string[] =>
  map.filter((pair) => {
    const entry = entryOf(pair)
    return 'heading' in entry ? has(headings, entry.heading) : fieldsOf(type).includes(entry.field)
  })

/** @param headings of all files. @throws CommandError if `--map` names a column that none of them has */
export function refuseUnknownColumns(map: readonly string[] = [], headings: readonly string[]): void {
  for (const pair of map) {
    const entry = entryOf(pair)
    if (!('heading' in entry) || has(headings, entry.heading)) continue
    const { heading } = entry
    const meant = nearest(heading, headings)
    const all = headings.map((each) => JSON.stringify(each)).join(', ')
    const hint = meant === null ? `The columns are ${all}.` : `Did you mean ${JSON.stringify(meant)}?`
    throw usageError(`--map ${JSON.stringify(pair)}: no file has a column ${JSON.stringify(heading)}. ${hint}`)
  }
}

const allFields = () => importTypes.map((type) => `${type}: ${fieldsOf(type).join(', ')}.`).join(' ')

/** Reads a mapping by its name, which is `dolibarr` or the name of a file. */
async function mappingsOf(cwd: string, name: string): Promise<Mappings> {
  if (name === 'dolibarr') return (await import('./dolibarr.js')).dolibarr
  const written = await boundedBytes(resolve(cwd, name)).catch((error: unknown) => {
    const meant = nearest(name.toLowerCase(), ['dolibarr']) === null ? '.' : ': did you mean that?'
    throw usageError(`--mapping ${name}: ${fileProblem(error)} The only built-in mapping is dolibarr${meant}`)
  })
  let read: unknown
  try {
    read = JSON.parse(new TextDecoder().decode(written))
  } catch (error) {
    throw usageError(`--mapping ${name}: ${messageOf(error)}`)
  }
  const mappings = Object(read) as Record<string, WrittenMapping>
  const wrong = Object.entries(mappings).flatMap(([type, { columns = {}, defaults = {}, values = {} }]) => {
    const known = importTypes.find((each) => each === type)
    if (known === undefined) return [`there is no type ${type}`]
    const named = Object.values(columns).filter((field) => field !== null)
    const fields = [...named, ...Object.keys(defaults), ...Object.keys(values)].map(String)
    const words = Object.entries(values).flatMap(([field, each]) =>
      Object.values(each).map((ours) => wordProblem(field, String(ours))),
    )
    return [
      ...fields.filter((field) => !fieldsOf(known).includes(field)).map((field) => `${type} have no field ${field}`),
      ...words.filter((problem) => problem !== null),
    ]
  })
  if (wrong.length > 0) throw usageError(`--mapping ${name}: ${wrong.join('; ')}. ${allFields()}`)
  return mappings as Mappings
}

interface WrittenMapping {
  readonly columns?: Readonly<Record<string, unknown>>
  readonly defaults?: object
  readonly values?: Readonly<Record<string, object>>
}
