import type { Actor, FieldProblem } from '@sav/core'
import {
  type BusinessCalendar,
  type CalendarOf,
  preparedWrite,
  problemsIn,
  sha256Of,
  toInstant,
  type WritesOf,
} from '@sav/core/feature'
import type { Clock, Random, Storage, Transaction } from '@sav/core/ports'
import { unusableIn } from './client-row.js'
import { type ImportType, importStore } from './import-store.js'
import { exportedBy, keyOfExternal } from './keys.js'
import { findReferences } from './references.js'
import { fieldProblem } from './refusals.js'
import type { RowChange, RowResults, WriteContext } from './row-changes.js'
import { filesOfRow, filledIn, hasFiles, type Row, rowSchemas } from './rows.js'
import { beginImport, type ImportRun, neededBy, passRows, type ReadRow } from './run.js'
import { writeCases } from './write-cases.js'
import { writeClients, writePoseurs } from './write-directory.js'
import { writeVisits } from './write-visits.js'

/** Rows of one kind, as in a file: at most some hundreds at once, which are written together or not at all. */
export interface ImportInput {
  /** Kind of the rows. */
  readonly type: ImportType
  /** The cells of each row, by the names of their fields. `importFields` lists the names. */
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** The earlier rows of the same run, to which these are added. Absent: there are none. */
  readonly run?: ImportRun | undefined
}

/** The result of a row, imported or tried. */
export type ImportOutcome =
  | {
      /** `kept`: the row differs, but only in what an import does not change. */
      readonly outcome: 'created' | 'updated' | 'kept' | 'unchanged'
      readonly row: Readonly<Record<string, unknown>>
      /** The fields that differ and are not changed, even if the row changed others. */
      readonly kept: readonly FieldProblem[]
      /** Unusable values, which were nevertheless kept, or left out. Absent: none. */
      readonly unusable?: readonly FieldProblem[]
    }
  | { readonly outcome: 'refused'; readonly problems: readonly FieldProblem[] }

/** Imports from other systems. */
export interface Imports {
  /** Resolves to the result of each row, in order. */
  rows(actor: Actor, input: ImportInput): Promise<ImportOutcome[]>
  /**
   * Resolves to the result that each row would have, after those tried before in the same run. Everything is rolled
   * back.
   */
  tried(actor: Actor, input: ImportInput): Promise<ImportOutcome[]>
}

export interface ImportDeps {
  readonly storage: Pick<Storage, 'outsideFiles'>
  readonly clock: Clock
  readonly calendar: BusinessCalendar
  readonly calendarOf: CalendarOf
  readonly random: Random
}

/**
 * The cell that identifies the row: its id or, for a case without an id, its number. Null: the whole row identifies it.
 */
function nameOf(row: Row<ImportType>): { readonly field: string; readonly value: string } | null {
  if (row.id_externe !== null) return { field: 'id_externe', value: row.id_externe }
  if (!('photos' in row) || row.reference_origine === null) return null
  return { field: 'reference_origine', value: row.reference_origine }
}

function keyOfRow(type: ImportType, row: Row<ImportType>, text: string): string {
  const name = nameOf(row)
  return name === null ? text : keyOfExternal(type, name.value)
}

/** Parsed rows, and the results of refused ones. */
interface ReadRows {
  readonly outcomes: readonly (ImportOutcome | null)[]
  readonly read: readonly ReadRow<ImportType>[]
}

/**
 * Imports rows of another system, without sending letters or events. A row that was imported before applies its
 * changes, or nothing if it is the same.
 */
export const importWrites = (deps: ImportDeps): WritesOf<Imports, 'rows'> => ({
  rows(actor, input) {
    return preparedWrite({
      async prepare() {
        const prepared = await readRows(deps, input)
        const files = prepared.read.flatMap(({ row }) => filesOfRow(row))
        await deps.storage.outsideFiles?.upload(actor.account_id, files)
        return prepared
      },
      write: (tx, prepared) => settle(tx, actor, { type: input.type, ...prepared }, deps),
    })
  },
})

/**
 * Tries rows in a transaction that is rolled back. Rows tried earlier in the run are written first if the new rows
 * depend on them. A single transaction for a whole run would block every other writer for as long as the run takes.
 */
export const importTrials = (deps: ImportDeps & { readonly storage: Storage }): Pick<Imports, 'tried'> => ({
  async tried(actor, { run = beginImport(), ...input }) {
    const { type } = input
    const prepared = await readRows(deps, { ...input, run })
    const outcomes = await rolledBack(deps.storage, async (tx) => {
      for (const [type, read] of neededBy(run, input.type, prepared.read))
        await settle(tx, actor, { type, outcomes: read.map(() => null), read }, deps)
      return settle(tx, actor, { type, ...prepared }, deps)
    })
    const isAccepted = ({ place }: ReadRow<ImportType>) => outcomes[place]?.outcome !== 'refused'
    passRows(run, type, prepared.read.filter(isAccepted))
    return outcomes
  },
})

class TrialEnd<Result> extends Error {
  readonly result: Result
  constructor(result: Result) {
    super('The trial has ended.')
    this.result = result
  }
}

async function rolledBack<Result>(
  storage: Pick<Storage, 'transaction'>,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  try {
    return await storage.transaction(async (tx) => {
      throw new TrialEnd(await work(tx))
    })
  } catch (error) {
    if (error instanceof TrialEnd) return error.result
    throw error
  }
}

async function readRows(
  { calendar, clock }: ImportDeps,
  { type, rows, run = beginImport() }: ImportInput,
): Promise<ReadRows> {
  const schema = rowSchemas(calendar, clock.now())[type]
  const outcomes: (ImportOutcome | null)[] = []
  const read: ReadRow<ImportType>[] = []
  for (const [place, row] of rows.entries()) {
    const fields = filledIn(row)
    // Only the results of rows with files are asynchronous.
    const result = hasFiles(fields)
      ? await schema.safeParseAsync(fields, { reportInput: true })
      : schema.safeParse(fields, { reportInput: true })
    outcomes.push(result.success ? null : { outcome: 'refused', problems: problemsIn(result.error) })
    if (!result.success) continue
    const empreinte = sha256Of(textOf(result.data))
    const unusable = unusableIn(result.data, fields)
    const cle = keyOfRow(type, result.data, empreinte)
    read.push({ place, row: result.data, cle, empreinte, ...(unusable.length > 0 && { unusable }) })
  }
  return { outcomes, read: onceEach(read, { run, outcomes }) }
}

async function settle(
  tx: Transaction,
  actor: Actor,
  { type, outcomes, read }: ReadRows & { readonly type: ImportType },
  deps: ImportDeps,
): Promise<ImportOutcome[]> {
  await tx.of(importStore).lock(actor.account_id)
  const settled = [...outcomes]
  const keys = read.map(({ cle }) => cle)
  const known = new Map((await tx.of(importStore).known(actor.account_id, type, keys)).map((row) => [row.cle, row]))
  const account = await tx.accounts.find(actor.account_id)
  const own = account === null ? null : exportedBy(account)
  const changed: (ReadRow<ImportType> & { readonly id: number | null })[] = []
  for (const each of read) {
    const before = known.get(each.cle)
    const { place, row } = each
    if (own !== null && row.id_externe?.startsWith(own))
      settled[place] = { outcome: 'refused', problems: [fieldProblem('id_externe', 'import_own')] }
    else if (before?.empreinte === null)
      settled[place] = { outcome: 'refused', problems: [fieldProblem('id_externe', 'import_erased')] }
    else if (before?.empreinte === each.empreinte) settled[place] = { outcome: 'unchanged', row, kept: [] }
    else changed.push({ ...each, id: before?.id ?? null })
  }
  const at = toInstant(deps.clock.now())
  const written = await writeRows(tx, { actor, at }, { type, rows: changed }, deps)
  const noted = new Map(written.noted.map((each) => [each.place, each]))
  for (const { place, row, id, unusable } of changed) {
    const problems = written.refused.get(place)
    const { changed = true, kept = [] } = noted.get(place) ?? {}
    const outcome = id === null ? 'created' : changed ? 'updated' : kept.length > 0 ? 'kept' : 'unchanged'
    settled[place] = problems ? { outcome: 'refused', problems } : { outcome, row, kept, ...(unusable && { unusable }) }
  }
  return settled.filter((outcome) => outcome !== null)
}

/** The whole text of a row, with the hashes of its files instead of the files. */
function textOf(row: Row<ImportType>): string {
  if (!('photos' in row)) return JSON.stringify(row)
  const { photos, photo_avant, photo_apres, signature_client, ...fields } = row
  const names = photos.map((photo) => ('url' in photo ? photo.url : photo.sha256))
  return JSON.stringify({
    ...fields,
    photos: [...names, ...[photo_avant, photo_apres, signature_client].map((file) => file?.sha256)],
  })
}

/**
 * The rows without those whose key an earlier row of the run had: such a row is unchanged if its text is the same, and
 * refused if it differs.
 */
function onceEach(
  read: readonly ReadRow<ImportType>[],
  { run, outcomes }: { readonly run: ImportRun; readonly outcomes: (ImportOutcome | null)[] },
): ReadRow<ImportType>[] {
  return read.filter(({ place, row, cle, empreinte }) => {
    const key = packed(cle)
    const earlier = run.texts.get(key)
    const text = cle === empreinte ? key : packed(empreinte)
    if (earlier === undefined) {
      run.texts.set(key, text)
      return true
    }
    outcomes[place] =
      earlier === text
        ? { outcome: 'unchanged', row, kept: [] }
        : { outcome: 'refused', problems: [fieldProblem(nameOf(row)?.field ?? 'id_externe', 'import_key_twice')] }
    return false
  })
}

/** A digest in half as many characters: 100,000 rows take 6 MB less. */
const packed = (hex: string): string => Buffer.from(hex, 'hex').toString('latin1')

type KeyedRowChange<Type extends ImportType> = ReadRow<Type> & RowChange<Type>

async function writeRows<Type extends ImportType>(
  tx: Transaction,
  { actor, at }: { readonly actor: Actor; readonly at: string },
  { type, rows }: { readonly type: Type; readonly rows: readonly KeyedRowChange<Type>[] },
  deps: ImportDeps,
): Promise<RowResults> {
  const references = await findReferences(tx, actor.account_id, { type, rows })
  const standing = rows.filter(({ place }) => !references.refused.has(place))
  const context: WriteContext = { ...deps, tx, actor, at, references }
  const written = await writers[type](standing, context)
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  await tx.of(importStore).note(
    actor.account_id,
    written.noted.map(({ place, id }) => {
      const { cle = '', empreinte = '' } = byPlace.get(place) ?? {}
      return { type, cle, id, empreinte }
    }),
  )
  return { ...written, refused: new Map([...references.refused, ...written.refused]) }
}

/** The function that writes rows of each type. */
const writers: {
  readonly [Type in ImportType]: (rows: readonly RowChange<Type>[], context: WriteContext) => Promise<RowResults>
} = {
  clients: writeClients,
  poseurs: writePoseurs,
  cases: writeCases,
  visits: writeVisits,
}
