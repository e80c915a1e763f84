import { type Compilable, type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Dialect } from './dialect.js'
import { keysOf } from './rows.js'
import type { Schema } from './schema.js'

export type Bindings = Readonly<Record<string, string | number | Uint8Array | null | undefined>>

/** In a query, `p('id')` stands for the value that the caller binds as `id`. */
export type Named<P> = <N extends keyof P & string>(name: N) => RawBuilder<Exclude<P[N], undefined>>

/**
 * A query that takes its values by name. It is compiled once in the life of a store: compiling afresh for each call
 * costs half the throughput.
 */
export interface Statement<P, O> {
  readonly build: (db: Kysely<Schema>, p: Named<P>, dialect: Dialect) => Compilable<O> | RawBuilder<O>
  /** As `apart` says. */
  readonly isApart?: true
}

export function statement<P, O>(build: Statement<P, O>['build']): Statement<P, O> {
  return { build }
}

/** The same for a statement that concerns no row of those that are written later (`Session.later`), nor waits for them. */
export function apart<P, O>(statement: Statement<P, O>): Statement<P, O> {
  return { ...statement, isApart: true }
}

/** A look-up of one row, and the same so that nobody else changes the row before the transaction ends. */
export interface LookUp<P, O> {
  readonly plain: Statement<P, O>
  readonly locking: Statement<P, O>
}

export function lookUp<P, T extends keyof Schema, O>(
  build: (db: Kysely<Schema>, p: Named<P>) => SelectQueryBuilder<Schema, T, O>,
): LookUp<P, O> {
  return {
    plain: { build },
    locking: { build: (db, p) => build(db, p).forNoKeyUpdate() },
  }
}

type Columns<T extends keyof Schema> = keyof Selectable<Schema[T]> & string
type Row<T extends keyof Schema, C extends Columns<T>> = { readonly [column in C]: Selectable<Schema[T]>[column] }

/** Inserts one row, each of `columns` bound by its own name; `ending` may say what of it to return. */
export function insertion<T extends keyof Schema, C extends Columns<T>, O = never>(
  table: T,
  columns: readonly C[],
  ending: RawBuilder<O> = sql``,
): Statement<Row<T, C>, O> {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  return {
    build: (_, p) =>
      sql`insert into ${sql.table(table)} (${names}) values (${sql.join(columns.map((column) => p(column)))}) ${ending}`,
  }
}

/** Replaces `columns` of the row whose `key` columns have the values bound by those names. */
export function replacement<T extends keyof Schema, C extends Columns<T>, K extends Columns<T>>(
  table: T,
  key: readonly K[],
  columns: readonly C[],
): Statement<Row<T, C | K>, never> {
  return {
    build: (_, p) => {
      const equal = (column: C | K) => sql`${sql.ref(column)} = ${p(column)}`
      return sql`update ${sql.table(table)} set ${sql.join(columns.map(equal))}
        where ${sql.join(key.map(equal), sql` and `)}`
    },
  }
}

/** More rows than this in one statement gain nothing. */
const mostRows = 32

/** One row to be written. */
export type Cells<C extends string> = { readonly [column in C]: Bindings[string] }

type Run<O> = { readonly statement: Statement<Bindings, O>; readonly values: Bindings }

/** A statement that writes many rows. */
export interface RowsStatement<C extends string, O> {
  /** The runs that `rows` take. */
  runs(rows: readonly Cells<C>[], dialect: Dialect): Run<O>[]
}

/** `build` is given the rows as a query (`values …`, `select …`) that returns `columns` in their order. */
export function rowsStatement<C extends string, O = never>(
  columns: Readonly<Record<C, 'text' | 'integer'>>,
  build: (rows: RawBuilder<unknown>) => RawBuilder<O>,
): RowsStatement<C, O> {
  const names = keysOf(columns)
  const ofSize = (size: number): Statement<Bindings, O> => ({
    build(_, p) {
      const cell = (row: number) => (name: C, column: number) =>
        sql`cast(${p(String(row * names.length + column))} as ${sql.raw(columns[name])})`
      const rows = Array.from({ length: size }, (__, row) => sql`(${sql.join(names.map(cell(row)))})`)
      return build(sql`values ${sql.join(rows)}`)
    },
  })
  const built = Array.from({ length: mostRows + 1 }, (_, size) => ofSize(size))
  const ofJson = statement<Bindings, O>((_, p, { jsonRows }) => {
    const rows = jsonRows(sql<string>`${p('rows')}`, columns)
    return build(sql`select ${sql.join(names.map((name) => sql.ref(name)))} from ${rows}`)
  })
  return {
    runs(rows, { manyRows }) {
      if (rows.length === 0) return []
      if (manyRows === 'json') return [{ statement: ofJson, values: { rows: toJson(rows) } }]
      const runs: Run<O>[] = []
      for (let start = 0; start < rows.length; start += mostRows) {
        const taken = rows.slice(start, start + mostRows)
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
  table: keyof Schema,
  columns: Readonly<Record<C, 'text' | 'integer'>>,
): RowsStatement<C, never> {
  return rowsStatement(columns, (rows) => sql<never>`insert into ${sql.table(table)} (${namesOf(columns)}) ${rows}`)
}

/** Under the numbers of the cells, from the first of the first row to the last of the last. */
function cellsOf<C extends string>(rows: readonly Cells<C>[], names: readonly C[]): Bindings {
  const values: Record<number, Bindings[string]> = {}
  let cell = 0
  for (const row of rows) for (const name of names) values[cell++] = row[name]
  return values
}

/** Shapes may come from what callers search for, so their number has a bound. */
const mostShapes = 500

/** A statement whose query depends on which values are bound: `build` is asked once for each set of names. */
export function shapes<S>(build: (bound: ReadonlySet<string>) => S): (values: Bindings) => S {
  const built = new Map<string, S>()
  return (values) => {
    const names = Object.keys(values).filter((name) => values[name] !== undefined)
    const shape = names.join(' ')
    const known = built.get(shape)
    if (known !== undefined) return known
    if (built.size === mostShapes) built.clear()
    const statement = build(new Set(names))
    built.set(shape, statement)
    return statement
  }
}
