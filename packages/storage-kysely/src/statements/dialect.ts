import type { SoughtWord } from '@sav/core/adapter'
import type { RawBuilder, SqlBool } from 'kysely'

/** The columns and types of passed rows. */
export type InputColumns = Readonly<Record<string, 'text' | 'integer'>>

/** The few real differences between the databases. Everything else is written once. */
export interface Dialect {
  /** The name of the database. */
  readonly database: string
  /**
   * Whether a transaction has to lock what it reads (`for update`) before a write that depends on it. False if a
   * transaction excludes every other writer from its beginning.
   */
  readonly locksRows: boolean
  /**
   * The physical place of a row, by which a statement changes rows that it has just locked; null if rows are not
   * locked.
   */
  readonly place: RawBuilder<unknown> | null
  /** How a statement writes a bound value. */
  bound<T>(value: RawBuilder<T>): RawBuilder<T>
  /** A table called `input`, with `columns`: a row for each object of the JSON array `json`. */
  jsonRows(json: RawBuilder<unknown>, columns: InputColumns): RawBuilder<unknown>
  /**
   * Like `jsonRows`, but from arrays as written by `arrayText`: `array` returns the array of a column. Null if values
   * bound one by one are the fastest way to pass many rows. On PostgreSQL, a creation takes a third longer that way.
   */
  readonly arrayRows:
    | ((array: (column: string) => RawBuilder<unknown>, columns: InputColumns) => RawBuilder<unknown>)
    | null
  /**
   * The rows of `table` that match `where`, one account after the other: by an index that begins with the account,
   * without reading all of it. Used as `from … where …`, with `table` under its name. `accounts`: a table or query
   * named `accounts`, instead of the store's.
   */
  ofEachAccount(
    table: 'audit' | 'deliveries' | 'events' | 'failed_deliveries',
    where: RawBuilder<unknown>,
    accounts?: RawBuilder<unknown>,
  ): { readonly from: RawBuilder<unknown>; readonly where: RawBuilder<unknown> }
  /** Milliseconds since the Unix epoch by the database's clock; null if all processes run on one machine. */
  readonly clock: RawBuilder<number> | null
  /**
   * What follows `input` in an insert that reads nothing else. It adds no rows. Citus passes an insert to the schema's
   * node if the insert reads a table there; all other inserts are two-phase.
   */
  readonly besideInput: RawBuilder<unknown>
  /**
   * The next `count` ids of a table; null if only an insert assigns them. On Citus, an insert that assigns them is
   * two-phase too.
   */
  readonly nextIds: ((table: 'cases' | 'clients', count: RawBuilder<number>) => RawBuilder<{ id: number }>) | null
  /** Excludes every other transaction that locks `name`, until this one ends. Used with `locksRows`. */
  lockName(name: RawBuilder<string>): RawBuilder<unknown>
  /** The words that the account's rows must have, in the form that `found` takes. */
  searchOf(account_id: string, words: readonly SoughtWord[]): string
  /**
   * Ids of the rows of `table` with every word of a search, by the index of its words. `unindexed` finds rows not
   * indexed yet: it matches a row of the account with all words.
   */
  found(table: SearchedTable, search: RawBuilder<string>, unindexed: RawBuilder<SqlBool>): RawBuilder<unknown>
  readonly ddl: Ddl
}

/** Columns of folded text for searches. */
export const searched = {
  cases: ['recherche', 'recherche_client'],
  clients: ['recherche_nom', 'recherche_email'],
} as const

export type SearchedTable = keyof typeof searched

/** The name of a table, index or trigger of the store in the database (`TableNames`). */
export type NameOf = (plain: string) => RawBuilder<unknown>

/** The statements of a migration, in order. */
export type Definitions = (ddl: Ddl, name: NameOf) => readonly RawBuilder<unknown>[]

/** The part of a dialect for migrations. */
export interface Ddl {
  /**
   * One row if the table exists, with its schema if the database has schemas. It searches where a query without a
   * schema would.
   */
  findTable(name: string, schema: string | null): RawBuilder<{ readonly schema: string | null }>
  /** The schemas searched for a table without a named schema, in that order. A new table is created in the first. */
  readonly schemas: RawBuilder<{ readonly schema: string | null }>
  /** Compares by code point: instants and ids sort by it. */
  readonly text: RawBuilder<unknown>
  readonly integer: RawBuilder<unknown>
  readonly bytes: RawBuilder<unknown>
  /** A number that the store assigns to each row, and never twice. */
  readonly identity: RawBuilder<unknown>
  /**
   * Ends the definition of a table, and sets how full a page is at first: if rows change soon after they are written,
   * free space beside them makes that cheaper. At 50, a whole page may change in one transaction.
   */
  fillFactor(percent: number): RawBuilder<unknown>
  /** The index that `Dialect.found` reads. A background job puts the words of new rows into it (`WordIndexing`). */
  indexWords(table: SearchedTable, name: NameOf): readonly RawBuilder<unknown>[]
  /**
   * Refuses two rows of `table` with the same `poseur_id` whose times `[debut_ms, fin_ms)` overlap. A row without a
   * time overlaps none. No time is longer than `longestMs`.
   */
  refuseOverlaps(
    table: RawBuilder<unknown>,
    options: { readonly name: NameOf; readonly longestMs: number },
  ): readonly RawBuilder<unknown>[]
  /**
   * Ends the definition of a table whose rows are stored in the order of its primary key, if the database can do that.
   */
  readonly clustered: RawBuilder<unknown>
}
