import type { Actor } from '../access/actor.js'
import { type FieldProblem, fieldProblem } from '../errors.js'
import { sha256Of } from '../node-crypto.js'
import type { Storage, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { type BusinessCalendar, type CalendarOf, toInstant } from '../time/time.js'
import type { Random } from '../values/random.js'
import { problemsIn } from '../values/validation.js'
import { preparedWrite, type WritesOf } from '../write.js'
import type { Brought, Way } from './bringing.js'
import { bringCases } from './bringing-cases.js'
import { bringClients, bringPoseurs } from './bringing-directory.js'
import { bringVisits } from './bringing-visits.js'
import type { ImportType } from './import-store.js'
import { keyOfExternal } from './keys.js'
import { findReferences } from './references.js'
import { filesOfRow, type Row, rowSchemas } from './rows.js'

/** Rows of one kind, as a file has them: at most some hundreds at once, which are written together or not at all. */
export interface ImportInput {
  readonly type: ImportType
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /**
   * Where nothing is to be written: what the rows before these would have brought, and these add to it. Absent: everything is
   * written.
   */
  readonly pretended?: Set<string> | undefined
}

/** What became of a row, or would have. */
export type ImportOutcome =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly row: Readonly<Record<string, unknown>> }
  | { readonly outcome: 'refused'; readonly problems: readonly FieldProblem[] }

/** What moves in from other systems. */
export interface Imports {
  /** Resolves to what became of each row, in their order. */
  rows(actor: Actor, input: ImportInput): Promise<ImportOutcome[]>
}

export interface ImportDeps {
  readonly storage: Pick<Storage, 'outsideFiles'>
  readonly clock: Clock
  readonly calendar: BusinessCalendar
  readonly calendarOf: CalendarOf
  readonly random: Random
}

const keyOfRow = (type: ImportType, { id_externe }: { readonly id_externe: string | null }, said: string): string =>
  id_externe === null ? said : keyOfExternal(type, id_externe)

/** A row that can be read, with what it is known by. */
interface ReadRow<Type extends ImportType> {
  /** Its place among the rows that came. */
  readonly place: number
  readonly row: Row<Type>
  readonly cle: string
  /** SHA-256 of everything that it says. */
  readonly empreinte: string
}

/**
 * Brings rows of another system in: nobody is written to and no event leaves. A row that was brought before changes what it
 * changed in, and nothing where it is the same.
 */
export const importWrites = (deps: ImportDeps): WritesOf<Imports, 'rows'> => ({
  rows(actor, { type, rows, pretended }) {
    return preparedWrite({
      async prepare() {
        const schema = rowSchemas(deps.calendar, deps.clock.now())[type]
        const outcomes: (ImportOutcome | null)[] = []
        const read: ReadRow<ImportType>[] = []
        for (const [place, fields] of rows.entries()) {
          const result = await schema.safeParseAsync(fields, { reportInput: true })
          outcomes.push(result.success ? null : { outcome: 'refused', problems: problemsIn(result.error) })
          if (!result.success) continue
          const empreinte = sha256Of(saidBy(result.data))
          read.push({ place, row: result.data, cle: keyOfRow(type, result.data, empreinte), empreinte })
        }
        if (pretended === undefined)
          await deps.storage.outsideFiles?.upload(
            actor.account_id,
            read.flatMap(({ row }) => filesOfRow(row)),
          )
        return { outcomes, read: onceEach(read, outcomes) }
      },
      async write(tx, { outcomes, read }) {
        await tx.imports.lock(actor.account_id)
        const settled = [...outcomes]
        const known = await tx.imports.known(
          actor.account_id,
          type,
          read.map(({ cle }) => cle),
        )
        const byKey = new Map(known.map((row) => [row.cle, row]))
        const changed: (ReadRow<ImportType> & { readonly id: number | null })[] = []
        for (const each of read) {
          const before = byKey.get(each.cle)
          const { place, row } = each
          if (before?.empreinte === null)
            settled[place] = { outcome: 'refused', problems: [fieldProblem('id_externe', 'import_erased')] }
          else if (before?.empreinte === each.empreinte || pretended?.has(`${type} ${each.cle}`))
            settled[place] = { outcome: 'unchanged', row }
          else changed.push({ ...each, id: before?.id ?? null })
        }
        const at = toInstant(deps.clock.now())
        const brought = await bring(tx, { actor, at, pretended }, { type, rows: changed }, deps)
        for (const { place, row, id } of changed) {
          const problems = brought.refused.get(place)
          settled[place] = problems
            ? { outcome: 'refused', problems }
            : { outcome: id === null ? 'created' : 'updated', row }
        }
        return settled.filter((outcome) => outcome !== null)
      },
    })
  },
})

/** All that a row says; of a file, its hash. */
function saidBy(row: Row<ImportType>): string {
  if (!('photos' in row)) return JSON.stringify(row)
  const { photos, photo_avant, photo_apres, signature_client, ...said } = row
  const names = photos.map((photo) => ('url' in photo ? photo.url : photo.sha256))
  return JSON.stringify({
    ...said,
    photos: [...names, ...[photo_avant, photo_apres, signature_client].map((file) => file?.sha256)],
  })
}

/** Without what names an earlier row again, which is the same or refused. */
function onceEach(read: readonly ReadRow<ImportType>[], outcomes: (ImportOutcome | null)[]): ReadRow<ImportType>[] {
  const first = new Map<string, ReadRow<ImportType>>()
  for (const each of read) {
    const earlier = first.get(each.cle)
    if (earlier === undefined) first.set(each.cle, each)
    else if (earlier.empreinte === each.empreinte) outcomes[each.place] = { outcome: 'unchanged', row: each.row }
    else outcomes[each.place] = { outcome: 'refused', problems: [fieldProblem('id_externe', 'import_key_twice')] }
  }
  return [...first.values()]
}

async function bring(
  tx: Transaction,
  { actor, at, pretended }: { readonly actor: Actor; readonly at: string; readonly pretended: Set<string> | undefined },
  {
    type,
    rows,
  }: { readonly type: ImportType; readonly rows: readonly (ReadRow<ImportType> & { readonly id: number | null })[] },
  deps: ImportDeps,
): Promise<Brought> {
  const references = await findReferences(tx, actor.account_id, { type, rows, pretended })
  const standing = rows.filter(({ place }) => !references.refused.has(place))
  if (pretended !== undefined) {
    for (const { cle, row } of standing) {
      pretended.add(`${type} ${cle}`)
      if (type === 'clients' && 'email' in row && row.email !== null) pretended.add(`email ${row.email.toLowerCase()}`)
      if (type === 'cases' && 'reference_origine' in row) pretended.add(`origine ${row.reference_origine}`)
    }
    return { refused: references.refused, noted: [] }
  }
  const way: Way = { ...deps, tx, actor, at, references }
  const brought = await bringers[type](standing, way)
  await tx.imports.note(
    actor.account_id,
    brought.noted.map(({ place, id }) => {
      const { cle = '', empreinte = '' } = rows.find((row) => row.place === place) ?? {}
      return { type, cle, id, empreinte }
    }),
  )
  return { ...brought, refused: new Map([...references.refused, ...brought.refused]) }
}

type Bring = (rows: readonly (ReadRow<ImportType> & { readonly id: number | null })[], way: Way) => Promise<Brought>

// A row is of the kind that its schema read.
const bringers = {
  clients: bringClients,
  poseurs: bringPoseurs,
  cases: bringCases,
  visits: bringVisits,
} as unknown as Readonly<Record<ImportType, Bring>>
