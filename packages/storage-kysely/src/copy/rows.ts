import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { AnyTable } from '../tables/table.js'
import type { Schema } from '../tables/tables.js'
import { freeContent, readContent } from './contents.js'
import { copyFact, type Key } from './store.js'

export type Row = Readonly<Record<string, unknown>>

/** The next rows of a table in the order of its key. */
export async function readRows(
  db: Kysely<Schema>,
  name: string,
  { table, after }: { readonly table: AnyTable; readonly after: Key | null },
): Promise<Row[]> {
  const { key, content, copied } = table
  const others = Object.keys(table.columns).filter((column) => column !== content)
  const selected = content === null ? sql`*` : sql.join(others.map((column) => sql.ref(column)))
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const rest = after === null ? sql`1 = 1` : sql`(${columns}) > (${sql.join([...after])})`
  const own = name === 'facts' ? sql` and name <> ${copyFact}` : sql``
  const { rows } = await sql<Row>`
    select ${selected} from ${sql.table(name)} where ${rest}${own} order by ${columns}
    limit ${sql.lit(copied)}`.execute(db)
  if (content === null) return rows
  return Promise.all(
    rows.map(async (row) => {
      const values = keyOf(table, row)
      const where = key.map((column, n) => sql`${sql.ref(column)} = ${values[n]}`)
      return { ...row, [content]: await readContent(db, { table: name, column: content, where }) }
    }),
  )
}

/** Frees the memory of the rows' contents. */
export function freeContents({ content }: AnyTable, rows: readonly Row[]): void {
  if (content === null) return
  for (const { [content]: value } of rows) if (value instanceof Uint8Array) freeContent(value)
}

export async function insertRows(db: Kysely<Schema>, name: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
  await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(db)
}

export function keyOf({ key }: AnyTable, row: Row): Key {
  return key.map((column) => {
    const value = row[column]
    if (typeof value === 'string' || typeof value === 'number') return value
    throw new Error(`The key column ${column} holds neither text nor a number.`)
  })
}

/** The number of rows of a table, and a digest of all their values in order. */
export async function digestOf(
  db: Kysely<Schema>,
  name: string,
  table: AnyTable,
): Promise<{ readonly rows: number; readonly digest: string }> {
  const hash = createHash('sha256')
  let rows = 0
  for (let after: Key | null = null; ; ) {
    const page: Row[] = await readRows(db, name, { table, after })
    for (const row of page) hash.update(textOf(row))
    freeContents(table, page)
    rows += page.length
    const last = page.at(-1)
    if (last === undefined || page.length < (table.copied ?? 0)) return { rows, digest: hash.digest('hex') }
    after = keyOf(table, last)
    await setImmediate()
  }
}

/** A row as text: the same for both databases, whatever the order of their columns. */
function textOf(row: Row): string {
  const values = Object.keys(row)
    .sort()
    .map((column) => {
      const value = row[column]
      return value instanceof Uint8Array ? createHash('sha256').update(value).digest('base64') : value
    })
  return `${JSON.stringify(values)}\n`
}
