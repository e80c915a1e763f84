import {
  type Compilable,
  type CompiledQuery,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
} from 'kysely'
import type { StoreTables } from '../tables/store-tables.js'
import type { Schema } from '../tables/tables.js'
import type { Dialect } from './dialect.js'
import { StoreClock } from './store-clock.js'

export type Bindings = Readonly<Record<string, string | number | Uint8Array | null | undefined>>

/** In a query, `p('id')` is the value that the caller binds as `id`. */
export type QueryParams<P> = <N extends keyof P & string>(name: N) => RawBuilder<Exclude<P[N], undefined>>

/** A query with named values. It is compiled once per store: compiling it for each call costs half the throughput. */
export interface Statement<P, O> {
  readonly build: (db: Kysely<Schema>, p: QueryParams<P>, dialect: Dialect) => Compilable<O> | RawBuilder<O>
  /** See `ignoringDeferred`. */
  readonly ignoresDeferred?: true
}

/**
 * The same statement, marked as using no row that a transaction may defer (`QueryRunner.defer`): those rows need not be
 * written before it runs.
 */
export function ignoringDeferred<P, O>(statement: Statement<P, O>): Statement<P, O> {
  return { ...statement, ignoresDeferred: true }
}

/** A look-up of one row, without a lock and with one until the transaction ends. */
export interface LookUp<P, O> {
  readonly plain: Statement<P, O>
  readonly locking: Statement<P, O>
}

/** A table in plain SQL under its own name, whatever its name in the database. */
export const table = (name: string): RawBuilder<unknown> => sql`${sql.table(name)} as ${sql.id(name)}`

type Columns<S, T extends keyof S> = keyof Selectable<S[T]> & string
type Row<S, T extends keyof S, C extends Columns<S, T>> = { readonly [column in C]: Selectable<S[T]>[column] }

interface SelectOptions<S, T extends keyof S, C> {
  /** All columns by default. */
  readonly columns?: readonly C[]
  readonly order?: readonly (Columns<S, T> | `${Columns<S, T>} desc`)[]
  readonly limit?: 1
}

/** The rows whose `key` columns have the values bound by their names. */
const isEach = <N extends string>(key: readonly N[], p: (name: N) => RawBuilder<unknown>) =>
  sql.join(
    key.map((column) => sql`${sql.ref(column)} = ${p(column)}`),
    sql` and `,
  )

/** Builds statements for a store with the tables `Added` besides those of the core. */
export function statementsOf<Added extends Record<string, Record<string, unknown>> = Record<never, never>>() {
  type S = Schema & Added

  /** A statement, by the builder of its query. */
  function statement<P, O>(
    build: (db: Kysely<S>, p: QueryParams<P>, dialect: Dialect) => Compilable<O> | RawBuilder<O>,
  ): Statement<P, O> {
    return { build: (db, ...given) => build(db.$extendTables<Added>(), ...given) }
  }

  /** A look-up by the query that `build` returns. */
  function lookUp<P, T extends keyof S, O>(
    build: (db: Kysely<S>, p: QueryParams<P>) => SelectQueryBuilder<S, T, O>,
  ): LookUp<P, O> {
    return {
      plain: { build: (db, p) => build(db.$extendTables<Added>(), p) },
      locking: { build: (db, p) => build(db.$extendTables<Added>(), p).forNoKeyUpdate() },
    }
  }

  /** The rows whose `key` columns have the values bound by those names. */
  function selection<T extends keyof S & string, K extends Columns<S, T>, C extends Columns<S, T> = Columns<S, T>>(
    from: T,
    key: readonly K[],
    { columns, order = [], limit }: SelectOptions<S, T, C> = {},
  ): Statement<Row<S, T, K>, Row<S, T, C>> {
    const selected = columns === undefined ? sql`*` : sql.join(columns.map((column) => sql.ref(column)))
    const sorted = order.map((by) => (by.endsWith(' desc') ? sql`${sql.ref(by.slice(0, -5))} desc` : sql.ref(by)))
    const ending = sql`${order.length > 0 ? sql`order by ${sql.join(sorted)}` : sql``} ${limit === 1 ? sql`limit 1` : sql``}`
    return {
      build: (_, p) => sql`select ${selected} from ${table(from)} where ${isEach(key, p)} ${ending}`,
    }
  }

  /** The row whose `key` columns have the values bound by those names. */
  function lookUpBy<T extends keyof S & string, K extends Columns<S, T>, C extends Columns<S, T> = Columns<S, T>>(
    from: T,
    key: readonly K[],
    how: Pick<SelectOptions<S, T, C>, 'columns'> = {},
  ): LookUp<Row<S, T, K>, Row<S, T, C>> {
    const plain = selection(from, key, how)
    return { plain, locking: { build: (...on) => sql`${plain.build(...on)} for no key update` } }
  }

  /** Deletes the rows whose `key` columns have the values bound by those names. */
  function deletion<T extends keyof S & string, K extends Columns<S, T>>(
    from: T,
    key: readonly K[],
  ): Statement<Row<S, T, K>, never> {
    return { build: (_, p) => sql`delete from ${table(from)} where ${isEach(key, p)}` }
  }

  /** Inserts one row, with each of `columns` bound by its own name. `ending` may return some of it. */
  function insertion<T extends keyof S & string, C extends Columns<S, T>, O = never>(
    into: T,
    columns: readonly C[],
    ending: RawBuilder<O> = sql``,
  ): Statement<Row<S, T, C>, O> {
    const names = sql.join(columns.map((column) => sql.ref(column)))
    return {
      build: (_, p) =>
        sql`insert into ${table(into)} (${names}) values (${sql.join(columns.map((column) => p(column)))}) ${ending}`,
    }
  }

  /** Replaces `columns` of the row whose `key` columns have the values bound by those names. */
  function replacement<T extends keyof S & string, C extends Columns<S, T>, K extends Columns<S, T>>(
    replaced: T,
    key: readonly K[],
    columns: readonly C[],
  ): Statement<Row<S, T, C | K>, never> {
    return {
      build: (_, p) => {
        const equal = (column: C | K) => sql`${sql.ref(column)} = ${p(column)}`
        return sql`update ${table(replaced)} set ${sql.join(columns.map(equal))}
          where ${sql.join(key.map(equal), sql` and `)}`
      },
    }
  }

  return { statement, lookUp, selection, lookUpBy, deletion, insertion, replacement }
}

/** For the tables of the core. */
export const { statement, lookUp, selection, lookUpBy, deletion, insertion, replacement } = statementsOf()

/** Limits the number of shapes, since they may depend on what callers search for. */
const maxShapes = 500

/** A statement whose query depends on which values are bound. `build` is called once for each set of names. */
export function shapes<S>(build: (bound: ReadonlySet<string>) => S): (values: Bindings) => S {
  const built = new Map<string, S>()
  return (values) => {
    const names = Object.keys(values).filter((name) => values[name] !== undefined)
    const shape = names.join(' ')
    const known = built.get(shape)
    if (known !== undefined) return known
    if (built.size === maxShapes) built.clear()
    const statement = build(new Set(names))
    built.set(shape, statement)
    return statement
  }
}

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** The statements of one store, compiled for its dialect. */
export class CompiledStatements {
  readonly dialect: Dialect
  readonly tables: StoreTables
  readonly clock = new StoreClock()
  readonly #db: Kysely<Schema>
  readonly #compiled: WeakMap<object, CompiledQuery>

  /** @param compiled statements of other stores with the same table names */
  constructor(
    db: Kysely<Schema>,
    { dialect, tables }: { readonly dialect: Dialect; readonly tables: StoreTables },
    compiled = new WeakMap<object, CompiledQuery>(),
  ) {
    this.#db = db
    this.dialect = dialect
    this.tables = tables
    this.#compiled = compiled
  }

  bind<P extends Bindings, O>(statement: Statement<P, O>, values: Bindings): CompiledQuery<O> {
    const { query, queryId, sql, parameters } = this.#compiled.get(statement) ?? this.#compile(statement)
    const bound = parameters.map((parameter) => (parameter instanceof Placeholder ? values[parameter.name] : parameter))
    return { query, queryId, sql, parameters: bound }
  }

  #compile<P, O>(statement: Statement<P, O>): CompiledQuery {
    const named = <T>(name: string): RawBuilder<T> => this.dialect.bound(sql`${new Placeholder(name)}`)
    const compiled = statement.build(this.#db, named, this.dialect).compile(this.#db)
    this.#compiled.set(statement, compiled)
    return compiled
  }
}
