import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { refuseInUse, refuseOtherSchema, refuseUnfinishedCopy } from './copy/fitness.js'
import { digestOf, freeContents, insertRows, keyOf, type Row, readRows } from './copy/rows.js'
import { type CopyNote, CopyRefusedError, copyFact, readNote, type Store, writeNote } from './copy/store.js'
import type { AnyTable } from './tables/table.js'
import { type Schema, tables } from './tables/tables.js'

export { oneFileAtATime } from './copy/contents.js'
export { isUnfinishedCopy, refuseInUse } from './copy/fitness.js'
export { type CopyRefusal, CopyRefusedError, type Store } from './copy/store.js'

/** The result of a copy that was compared. */
export interface Copied {
  /** Rows by table. */
  readonly tables: Readonly<Record<string, number>>
  /** Rows copied by this run; an earlier run copied the others. */
  readonly copied: number
}

interface Walk {
  readonly name: string
  readonly table: AnyTable
}

/**
 * All tables except `facts`. That one is copied last, after all others are verified, because it makes the target a
 * store.
 */
const walksOf = ({ storage: { tables } }: Store): readonly Walk[] =>
  [...tables.all].flatMap(([name, table]) => (table.copied === null || name === 'facts' ? [] : [{ name, table }]))

/**
 * Copies every row of a store into another, empty one, of either kind. An interrupted copy is continued. Until the copy
 * is complete and verified, no command accepts the target as a store.
 * @throws CopyRefusedError for a source in use or on another schema, a target that is not empty, and a copy that
 *   differs
 */
export async function copyStore(
  from: Store,
  to: Store,
  progress: (what: string, rows: number) => void = () => {},
): Promise<Copied> {
  await refuseOtherSchema(from, to)
  await refuseUnfinishedCopy(from)
  await refuseInUse(from)
  const walks = walksOf(from)
  const begun = await beginOrResume(from, to)
  const first = walks.findIndex(({ name }) => name === begun.table)
  let copied = 0
  for (const walk of walks.slice(first)) {
    // If a run was killed after it finished a table, before the next note, this walk finds no more rows.
    const after = walk.name === begun.table ? begun.after : null
    copied += await copyTable(walk, { from, to, note: begun, after, progress })
    if (walk.table.isNumbered && to.kind === 'postgres') await continueNumbers(to, walk.name)
  }
  const verified = await verify(from, to, progress)
  await refuseInUse(from)
  return { tables: { ...verified, facts: await finish(from, to) }, copied }
}

interface TableCopy {
  readonly from: Store
  readonly to: Store
  readonly note: CopyNote
  /** The key of the last copied row. */
  readonly after: CopyNote['after']
  readonly progress: (what: string, rows: number) => void
}

/** Resolves to the number of rows. */
async function copyTable({ name, table }: Walk, { from, to, note, after, progress }: TableCopy): Promise<number> {
  let copied = 0
  for (let position = after; ; ) {
    const rows = await readRows(from.storage.db, name, { table, after: position })
    const last = rows.at(-1)
    if (last === undefined) return copied
    position = [...keyOf(table, last)]
    await write(to.storage.db, name, { rows, note: { ...note, table: name, after: position } })
    freeContents(table, rows)
    copied += rows.length
    progress(name, copied)
    // SQLite answers synchronously: without this pause nothing else runs, such as the check of a command's memory.
    await setImmediate()
  }
}

/** Where to continue: the note of a copy from the same source, or the beginning of an empty target. */
async function beginOrResume(from: Store, to: Store): Promise<CopyNote> {
  const found = readNote(await to.storage.reads.facts.get(copyFact))
  if (found?.isTemporary && from.isTemporary) await empty(to)
  else if (found !== null) {
    if (found.from === from.name) return found
    throw new CopyRefusedError({ reason: 'unfinished_copy', store: to.name, of: found.from })
  }
  for (const name of to.storage.tables.all.keys()) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(to.storage.db)
    if (rows.length > 0) throw new CopyRefusedError({ reason: 'not_empty', store: to.name, table: name })
  }
  const { name, isTemporary } = from
  const note: CopyNote = {
    from: name,
    ...(isTemporary && { isTemporary }),
    table: walksOf(from)[0]?.name ?? '',
    after: null,
  }
  await to.storage.transaction((tx) => tx.facts.set(copyFact, writeNote(note)))
  return note
}

/** Deletes the note last, so that an interrupted run can be continued. */
async function empty({ storage: { db, tables } }: Store): Promise<void> {
  for (const name of [...tables.all.keys()].toReversed())
    if (name !== 'facts') await sql`delete from ${sql.table(name)}`.execute(db)
  await sql`delete from ${sql.table('facts')}`.execute(db)
}

/**
 * Writes the rows and the note in one transaction. So if the process is killed, the note still names the last copied
 * row.
 */
async function write(
  db: Kysely<Schema>,
  name: string,
  { rows, note }: { readonly rows: readonly Row[]; readonly note: CopyNote },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await insertRows(trx, name, rows)
    await trx
      .updateTable('facts')
      .set({ value: writeNote(note) })
      .where('name', '=', copyFact)
      .execute()
  })
}

/**
 * Lets the numbers of a table continue after the highest one. PostgreSQL counts only the numbers that it assigned
 * itself. SQLite continues from the highest one anyway.
 */
async function continueNumbers({ storage: { db } }: Store, name: string): Promise<void> {
  const quoted = sql.table(name).compile(db).sql
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from ${sql.table(name)}`.execute(db)
  const last = rows[0]?.last ?? null
  // A separate statement: if it read one of our tables, Citus would run it on the node of that table, whose sequence is
  // a different one.
  await sql`select setval(pg_get_serial_sequence(${quoted}, 'id'), cast(${last ?? 1} as bigint), ${last !== null})`.execute(
    db,
  )
}

/** Resolves to the number of rows by table. */
async function verify(from: Store, to: Store, progress: TableCopy['progress']): Promise<Record<string, number>> {
  const verified: Record<string, number> = {}
  for (const { name, table } of walksOf(from)) {
    const there = await digestOf(from.storage.db, name, table)
    const here = await digestOf(to.storage.db, name, table)
    if (there.rows !== here.rows || there.digest !== here.digest)
      throw new CopyRefusedError({
        reason: 'copy_differs',
        store: to.name,
        table: name,
        source: { name: from.name, rows: there.rows },
        rows: here.rows,
      })
    verified[name] = here.rows
    progress(`${name}, compared`, here.rows)
  }
  return verified
}

/** Resolves to the number of facts. */
async function finish(from: Store, to: Store): Promise<number> {
  const rows = await readRows(from.storage.db, 'facts', { table: tables.facts, after: null })
  await to.storage.db.transaction().execute(async (trx) => {
    if (rows.length > 0) await insertRows(trx, 'facts', rows)
    await trx.deleteFrom('facts').where('name', '=', copyFact).execute()
  })
  return rows.length
}
