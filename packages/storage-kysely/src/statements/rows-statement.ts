import { type RawBuilder, sql } from 'kysely'
import { keysOf } from '../tables/rows.js'
import type { Schema } from '../tables/tables.js'
import type { Dialect } from './dialect.js'
import { type Bindings, type LookUp, type Statement, table } from './statement.js'

/** More rows than this in one statement have no advantage. */
const maxRows = 32

/** One row to be written. */
export type Cells<C extends string> = { readonly [column in C]: Bindings[string] }

type Run<O> = { readonly statement: Statement<Bindings, O>; readonly values: Bindings }

/** A statement that writes many rows. */
export interface RowsStatement<C extends string, O> {
  /** The runs that `rows` need. */
  runs(rows: readonly Cells<C>[], dialect: Dialect): Run<O>[]
}

/** Creates a statement. `build` gets the rows as a query (`values …`, `select …`) that returns `columns` in order. */
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
  const ofArrays: Statement<Bindings, O> = {
    ...options,
    build(_, p, dialect) {
      if (dialect.arrayRows === null) throw new Error('This database does not accept rows as arrays.')
      const rows = dialect.arrayRows(p, columns)
      return build(sql`select ${sql.join(names.map((name) => sql.ref(name)))} from ${rows}`, dialect)
    },
  }
  return {
    runs(rows, { arrayRows }) {
      if (rows.length === 0) return []
      if (arrayRows !== null) return [{ statement: ofArrays, values: arraysOf(rows, names) }]
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

const namesOf = (columns: object) => sql.join(Object.keys(columns).map((column) => sql.ref(column)))

/** The beginning of a statement with `rows` as the table `input`. */
export const withInput = (columns: object, rows: RawBuilder<unknown>) =>
  sql`with input (${namesOf(columns)}) as (${rows})`

/**
 * Inserts rows with these `columns`. A single row is inserted as plain values, because their plan is kept on Citus too.
 */
export function insertions<C extends string>(
  into: string,
  columns: Readonly<Record<C, 'text' | 'integer'>>,
): RowsStatement<C, never> {
  const inserting = sql<never>`insert into ${table(into)} (${namesOf(columns)})`
  const one: Statement<Bindings, never> = {
    build: (_, p) => sql`${inserting} values (${sql.join(keysOf(columns).map((name) => p(name)))})`,
  }
  const many = rowsStatement(columns, (rows, { besideInput }) => sql<never>`${inserting} ${rows} ${besideInput}`)
  return {
    runs: (rows, dialect) =>
      rows[0] !== undefined && rows.length === 1 ? [{ statement: one, values: rows[0] }] : many.runs(rows, dialect),
  }
}

/** A look-up of one row, and a combined one for several callers. */
export interface SharedLookUp<C extends string, O> {
  readonly one: LookUp<Cells<C>, O>
  /** `n` is the number of the question. */
  readonly many: RowsStatement<C | 'n', O & { readonly n: number }>
}

/** A look-up of `columns` by the primary key `key`. */
export function lookUpByKey<C extends string, O>(
  from: keyof Schema,
  key: Readonly<Record<C, 'text' | 'integer'>>,
  columns: readonly (keyof O & string)[],
): SharedLookUp<C, O> {
  const selected = sql.join(columns.map((column) => sql.ref(`${from}.${column}`)))
  const isFound = (value: (name: C) => RawBuilder<unknown>) =>
    sql.join(
      keysOf(key).map((name) => sql`${sql.ref(`${from}.${name}`)} = ${value(name)}`),
      sql` and `,
    )
  const one = (ending: RawBuilder<unknown>): Statement<Cells<C>, O> => ({
    build: (_, p) => sql<O>`select ${selected} from ${table(from)} where ${isFound(p)} ${ending}`,
  })
  const asked: Readonly<Record<C | 'n', 'text' | 'integer'>> = { ...key, n: 'integer' }
  return {
    one: { plain: one(sql``), locking: one(sql`for no key update`) },
    many: rowsStatement(
      asked,
      (rows) => sql<O & { readonly n: number }>`
        ${withInput(asked, rows)} select input.n, ${selected} from input cross join ${table(from)}
        where ${isFound((name) => sql.ref(`input.${name}`))}`,
    ),
  }
}

/** The cells of all rows, numbered from the first cell of the first row to the last cell of the last row. */
function cellsOf<C extends string>(rows: readonly Cells<C>[], names: readonly C[]): Bindings {
  const values: Record<number, Bindings[string]> = {}
  let cell = 0
  for (const row of rows) for (const name of names) values[cell++] = row[name]
  return values
}

/** The cells by column, as one array each. */
function arraysOf<C extends string>(rows: readonly Cells<C>[], names: readonly C[]): Bindings {
  const values: Record<string, string> = {}
  for (const name of names) values[name] = arrayText(rows.map((row) => row[name] ?? null))
  return values
}

/** Characters that JSON escapes differently from an array of PostgreSQL. */
const escapedOtherwise = /\\[bfnrtu]/

/**
 * A PostgreSQL array as text. `JSON.stringify` writes most arrays the same except for the brackets, in half the time of
 * writing them one by one.
 */
function arrayText(cells: readonly unknown[]): string {
  const json = JSON.stringify(cells)
  if (!escapedOtherwise.test(json)) return `{${json.slice(1, -1)}}`
  const texts = cells.map((cell) =>
    typeof cell === 'string' ? `"${cell.replaceAll(/["\\]/g, '\\$&')}"` : JSON.stringify(cell),
  )
  return `{${texts.join()}}`
}
