import type { SoughtWord } from '@sav/core/adapter'
import type { RawBuilder, SqlBool } from 'kysely'

/** The columns as which rows that are passed in are read. */
export type InputColumns = Readonly<Record<string, 'text' | 'integer'>>

/** The few real differences between the databases. Everything else is written once. */
export interface Dialect {
  /** The name of the database. */
  readonly database: string
  /**
   * Whether a transaction has to lock what it reads (`for update`) before a write that depends on it. False if a
   * transaction keeps out every other writer from its beginning.
   */
  readonly locksRows: boolean
  /** The place of a row, by which a statement changes rows that it has just locked; null if none locks any. */
  readonly place: RawBuilder<unknown> | null
  /** How a statement writes a value that is bound to it. */
  bound<T>(value: RawBuilder<T>): RawBuilder<T>
  /** A table called `input`, with `columns`: a row for each object of the JSON array `json`. */
  jsonRows(json: RawBuilder<unknown>, columns: InputColumns): RawBuilder<unknown>
  /**
   * The same for arrays, as `arrayText` writes them: `array` gives that of each column. `keepsPlan`: see `RowsOptions`. Null where values bound one by
   * one are the fastest way to pass many rows: on PostgreSQL a creation takes a third longer by them.
   */
  readonly arrayRows:
    | ((
        array: (column: string) => RawBuilder<unknown>,
        columns: InputColumns,
        options: { readonly keepsPlan?: true },
      ) => RawBuilder<unknown>)
    | null
  /**
   * The rows of `table` that match `where`, one account after the other: by an index that begins with the account, and
   * never by reading all of it. It is used as `from … where …`, with `table` under its name. `accounts` is a table of
   * that name.
   */
  ofEachAccount(
    table: 'audit' | 'deliveries' | 'events' | 'failed_deliveries',
    where: RawBuilder<unknown>,
    accounts?: RawBuilder<unknown>,
  ): { readonly from: RawBuilder<unknown>; readonly where: RawBuilder<unknown> }
  /** Milliseconds since the Unix epoch by the database's clock; null if all processes run on one machine. */
  readonly clock: RawBuilder<number> | null
  /**
   * Follows `input` in an insert that reads nothing else, and adds nothing to it. Citus passes an insert on to the node of
   * the schema if that reads a table there; all others are two-phase.
   */
  readonly besideInput: RawBuilder<unknown>
  /**
   * The next `count` ids of a table; null where only an insert gives them. On Citus one that takes them
   * itself is two-phase as well.
   */
  readonly nextIds: ((table: NumberedTable, count: RawBuilder<number>) => RawBuilder<{ readonly id: number }>) | null
  /** Keeps out every other transaction that locks `name`, until this one ends. Used where `locksRows`. */
  lockName(name: RawBuilder<string>): RawBuilder<unknown>
  /** The words that the account's rows must have, in the form that `found` takes. */
  searchOf(account_id: string, words: readonly SoughtWord[]): string
  /**
   * Ids of the rows of `table` with every word of a search, by the index of its words. Rows that this index may lack
   * yet are found by `unindexed`, which matches a row of the account with all words.
   */
  found(table: SearchedTable, search: RawBuilder<string>, unindexed: RawBuilder<SqlBool>): RawBuilder<unknown>
  readonly ddl: Ddl
}

/** Tables whose rows are added many at a time, and have ids of the database. */
export type NumberedTable = 'cases' | 'clients'

/** Columns of folded text that searches look in. */
export const searched = {
  cases: ['recherche', 'recherche_client'],
  clients: ['recherche_nom', 'recherche_email'],
} as const

export type SearchedTable = keyof typeof searched

/** The name that a table, an index or a trigger of the store has in the database (`TableNames`). */
export type NameOf = (plain: string) => RawBuilder<unknown>

/** The statements of a migration, in order. */
export type Definitions = (ddl: Ddl, name: NameOf) => readonly RawBuilder<unknown>[]

/** The part for migrations. */
export interface Ddl {
  /**
   * One row if there is such a table, with its schema if a database has schemas. It looks where a query without a
   * schema would.
   */
  findTable(name: string, schema: string | null): RawBuilder<{ readonly schema: string | null }>
  /**
   * The schemas in which a table without a named schema is looked for, in that order. A new one is made in the first.
   */
  readonly schemas: RawBuilder<{ readonly schema: string | null }>
  /** Compares by code point: instants and ids sort by it. */
  readonly text: RawBuilder<unknown>
  readonly integer: RawBuilder<unknown>
  readonly bytes: RawBuilder<unknown>
  /** A number that the store gives each row, and never twice. */
  readonly identity: RawBuilder<unknown>
  /**
   * Ends the definition of a table, and says how full a page is at first: for one whose rows change soon after they are
   * written, where free space beside them makes that cheaper. At 50 a whole page may change in one transaction.
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
   * Ends the definition of a table whose rows are stored in the order of its primary key, where a database can do that.
   */
  readonly clustered: RawBuilder<unknown>
}
