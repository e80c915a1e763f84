import type { FieldProblem } from '@sav/core'
import { foldEmail, toInstant, toMs } from '@sav/core/feature'
import { fold } from '@sav/core/ports'
import type { ImportType } from './import-store.js'
import { keyOfExternal } from './keys.js'
import { longestVisitMinutes, type Row } from './rows.js'

/** A readable row, with its key. */
export interface ReadRow<Type extends ImportType> {
  /** Its index among the rows of the input. */
  readonly place: number
  readonly row: Row<Type>
  readonly cle: string
  /** SHA-256 of its whole text. */
  readonly empreinte: string
  /** Unusable values, which are nevertheless kept, or left out. Absent: none. */
  readonly unusable?: readonly FieldProblem[]
}

/** The rows of several inputs, such as the files of one command: later rows see earlier ones. */
export interface ImportRun {
  /** The text of each parsed row, by its key, which is unique over all types. Texts and keys are stored as latin1. */
  readonly texts: Map<string, string>
  /** The rows that a trial accepted, as far as later rows may depend on them. */
  readonly passed: {
    readonly clients: Map<string, ReadRow<'clients'>>
    /** Clients by their e-mail address in lower case. */
    readonly emails: Map<string, ReadRow<'clients'>[]>
    /** Cases by their number in their own system. */
    readonly cases: Map<string, ReadRow<'cases'>[]>
    /** Visits by the folded name of their poseur. */
    readonly visits: Map<string, ReadRow<'visits'>[]>
  }
}

/** A run before its first rows. */
export const beginImport = (): ImportRun => ({
  texts: new Map(),
  passed: { clients: new Map(), emails: new Map(), cases: new Map(), visits: new Map() },
})

/** Keeps the parts of rows on which later rows may depend. */
export function passRows({ passed }: ImportRun, type: ImportType, rows: readonly ReadRow<ImportType>[]): void {
  for (const read of rows) {
    if (type === 'clients') {
      const client = read as ReadRow<'clients'>
      passed.clients.set(client.cle, client)
      if (client.row.email !== null) push(passed.emails, foldEmail(client.row.email), client)
    }
    if (type === 'cases') {
      const { row, ...dossier } = read as ReadRow<'cases'>
      const none = { photos: [], photo_avant: null, photo_apres: null, signature_client: null, commentaires: [] }
      if (row.reference_origine !== null)
        push(passed.cases, row.reference_origine, { ...dossier, row: { ...row, ...none } })
    }
    if (type === 'visits') push(passed.visits, fold((read as ReadRow<'visits'>).row.poseur), read as ReadRow<'visits'>)
  }
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const there = map.get(key)
  if (there === undefined) map.set(key, [value])
  else there.push(value)
}

/**
 * The earlier rows of a trial on which rows depend: the rows that they name, and visits at their time. Each type comes
 * after the types that it depends on.
 */
export function neededBy(
  { passed }: ImportRun,
  type: ImportType,
  rows: readonly ReadRow<ImportType>[],
): readonly (readonly [ImportType, readonly ReadRow<ImportType>[]])[] {
  const coming = type === 'visits' ? (rows as readonly ReadRow<'visits'>[]) : []
  const visits = unique(
    coming.flatMap(({ row }) =>
      (passed.visits.get(fold(row.poseur)) ?? []).filter((earlier) => meets(earlier.row, row)),
    ),
  )
  const cases = unique(
    [...coming, ...visits].flatMap(({ row: { reference_origine } }) =>
      reference_origine === null ? [] : (passed.cases.get(reference_origine) ?? []),
    ),
  )
  const naming = [...(type === 'cases' ? (rows as readonly ReadRow<'cases'>[]) : coming), ...visits, ...cases]
  const clients = unique(
    naming.flatMap(({ row: { client_id_externe, client_email } }) => [
      ...(client_id_externe === null ? [] : [passed.clients.get(keyOfExternal('clients', client_id_externe))]),
      ...(client_email === null ? [] : (passed.emails.get(foldEmail(client_email)) ?? [])),
    ]),
  )
  return [
    ['clients', clients],
    ['cases', cases],
    ['visits', visits],
  ]
}

const latestEnd = ({ debut, fin }: Row<'visits'>) => fin ?? toInstant(toMs(debut) + longestVisitMinutes * 60_000)

const meets = (one: Row<'visits'>, other: Row<'visits'>) => one.debut < latestEnd(other) && other.debut < latestEnd(one)

/** The rows, each once, with new indexes. */
function unique<T extends ReadRow<ImportType>>(rows: readonly (T | undefined)[]): T[] {
  return [...new Set(rows.filter((row) => row !== undefined))].map((row, place) => ({ ...row, place }))
}
