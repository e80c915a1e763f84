import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialect.js'
import { keysOf } from '../rows.js'
import type { Schema } from '../schema.js'
import { type Bindings, type Statement, table } from './statement.js'

/** More rows than this in one statement gain nothing. */
const maxRows = 32

/** One row to be written. */
export type Cells<C extends string> = { readonly [column in C]: Bindings[string] }

type Run<O> = { readonly statement: Statement<Bindings, O>; readonly values: Bindings }

/** A statement that writes many rows. */
export interface RowsStatement<C extends string, O> {
  /** The runs that `rows` take. */
  runs(rows: readonly Cells<C>[], dialect: Dialect): Run<O>[]
}

/**
 * `build` is given the rows as a query (`values …`, `select …`) that returns `columns` in their order.
 * @param options `ignoresDeferred` as `ignoringDeferred` says
 */
export function rowsStatement<C extends string, O = never>(
  columns: Readonly<Record<C, 'text' | 'integer'>>,
  build: (rows: RawBuilder<unknown>, dialect: Dialect) => RawBuilder<O>,
  options: Pick<Statement<Bindings, O>, 'ignoresDeferred'> = {},
): RowsStatement<C, O> {
  const names = keysOf(columns)
  const ofSize = (size: number): Statement<Bindings, O> => ({
    ...options,
    build(_, p, dialect) {
      const cell = (row: number) => (name: C, column: number) =>
        sql`cast(${p(String(row * names.length + column))} as ${sql.raw(columns[name])})`
      const rows = Array.from({ length: size }, (__, row) => sql`(${sql.join(names.map(cell(row)))})`)
      return build(sql`values ${sql.join(rows)}`, dialect)
    },
  })
  const built = Array.from({ length: maxRows + 1 }, (_, size) => ofSize(size))
  const ofJson: Statement<Bindings, O> = {
    ...options,
    build(_, p, dialect) {
      const rows = dialect.jsonRows(sql<string>`${p('rows')}`, columns)
      return build(sql`select ${sql.join(names.map((name) => sql.ref(name)))} from ${rows}`, dialect)
    },
  }
  return {
    runs(rows, { manyRows }) {
      if (rows.length === 0) return []
      if (manyRows === 'json') return [{ statement: ofJson, values: { rows: toJson(rows) } }]
      const runs: Run<O>[] = []
      for (let start = 0; start < rows.length; start += maxRows) {
        const taken = rows.slice(start, start + maxRows)
        const sized = built[taken.length]
        if (sized !== undefined) runs.push({ statement: sized, values: cellsOf(taken, names) })
      }
      return runs
    },
  }
}

/** No database reads a NUL or half a character out of JSON: they become the character that stands for what cannot be shown. */
function toJson(rows: readonly unknown[]): string {
  const json = JSON.stringify(rows)
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json
  const readable = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd')
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? readable(value) : value))
}

const namesOf = (columns: object) => sql.join(Object.keys(columns).map((column) => sql.ref(column)))

/** The beginning of a statement that knows `rows` as the table `input`. */
export const withInput = (columns: object, rows: RawBuilder<unknown>) =>
  sql`with input (${namesOf(columns)}) as (${rows})`

/** Inserts many rows; `columns` of each. */
export function insertions<C extends string>(
  into: keyof Schema,
  columns: Readonly<Record<C, 'text' | 'integer'>>,
): RowsStatement<C, never> {
  return rowsStatement(columns, (rows) => sql<never>`insert into ${table(into)} (${namesOf(columns)}) ${rows}`)
}

/** Under the numbers of the cells, from the first of the first row to the last of the last. */
function cellsOf<C extends string>(rows: readonly Cells<C>[], names: readonly C[]): Bindings {
  const values: Record<number, Bindings[string]> = {}
  let cell = 0
  for (const row of rows) for (const name of names) values[cell++] = row[name]
  return values
}
