import type { SoughtWord } from '@sav/core/internal'
import type { RawBuilder, SqlBool } from 'kysely'

/** The columns that rows which are handed over are read as. */
export type InputColumns = Readonly<Record<string, 'text' | 'integer'>>

/** The few things in which databases really differ. Everything else is written once. */
export interface Dialect {
  /** What the database calls itself. */
  readonly database: string
  /**
   * Whether what a transaction reads has to be locked when a write of its depends on it (`for update`). False where a
   * transaction keeps every other writer out from its beginning.
   */
  readonly locksRows: boolean
  /** Where a row lies, by which a statement changes the rows that it has just locked; null where none locks any. */
  readonly place: RawBuilder<unknown> | null
  /** Whether a statement may change several tables (`with … as (delete … returning …)`). */
  readonly changesInPassing: boolean
  /** How a statement writes a value that is bound to it. */
  bound<T>(value: RawBuilder<T>): RawBuilder<T>
  /** A table called `input`: a row for each object of the JSON array `json`, with `columns`. */
  jsonRows(json: RawBuilder<unknown>, columns: InputColumns): RawBuilder<unknown>
  /**
   * The same of arrays, as `arrayText` writes them: `array` gives that of each column. Null where many rows reach a statement
   * best as values bound one by one.
   */
  readonly arrayRows:
    | ((array: (column: string) => RawBuilder<unknown>, columns: InputColumns) => RawBuilder<unknown>)
    | null
  /**
   * The rows of `table` that `where` holds for, one account after the other: by an index that begins with the account, and
   * never by reading all of it. To be said as `from … where …`, with `table` under its name. `accounts` is a table called that.
   */
  ofEachAccount(
    table: 'audit' | 'deliveries' | 'events' | 'failed_deliveries',
    where: RawBuilder<unknown>,
    accounts?: RawBuilder<unknown>,
  ): { readonly from: RawBuilder<unknown>; readonly where: RawBuilder<unknown> }
  /** Milliseconds since the Unix epoch: by the database's clock where several machines share it, else as the caller says. */
  now(own: RawBuilder<number>): RawBuilder<number>
  /** Keeps out every other transaction that locks `name` as well, until this one ends. Used where `locksRows`. */
  lockName(name: RawBuilder<string>): RawBuilder<unknown>
  /** The words that the account's rows have to have, as `found` takes them. */
  searchOf(account_id: string, words: readonly SoughtWord[]): string
  /**
   * Ids of the rows of `table` that hold every word of a search, by the index of its words. What that index may not know
   * yet is found by `unindexed`, which holds for a row of the account that has them all.
   */
  found(table: SearchedTable, search: RawBuilder<string>, unindexed: RawBuilder<SqlBool>): RawBuilder<unknown>
  readonly ddl: Ddl
}

/** Columns of folded text, in whose words a search looks. */
export const searched = {
  cases: ['recherche', 'recherche_client'],
  clients: ['recherche_nom', 'recherche_email'],
} as const

export type SearchedTable = keyof typeof searched

/** The name that a table, an index or a trigger of the store has in the database (`TableNames`). */
export type NameOf = (plain: string) => RawBuilder<unknown>

/** What only migrations ask for. */
export interface Ddl {
  /** One row if there is such a table, with its schema where a database has them; looked for as a query would without one. */
  findTable(name: string, schema: string | null): RawBuilder<{ readonly schema: string | null }>
  /** Where a table is looked for without a named schema, in that order; it is made in the first. */
  readonly schemas: RawBuilder<{ readonly schema: string | null }>
  /** Compares by code point: instants and ids sort by it. */
  readonly text: RawBuilder<unknown>
  readonly integer: RawBuilder<unknown>
  readonly bytes: RawBuilder<unknown>
  /** A number that the store gives each row, never twice. */
  readonly identity: RawBuilder<unknown>
  /**
   * For a table whose rows change soon after they are written, where space left beside them makes that cheaper: so much
   * of a page is filled at first. At 50 a whole page may change in one transaction.
   */
  fillFactor(table: RawBuilder<unknown>, percent: number): readonly RawBuilder<unknown>[]
  /** Nothing where a database cannot take a foreign key away. */
  dropForeignKey(table: RawBuilder<unknown>, name: string): readonly RawBuilder<unknown>[]
  /** The index that `Dialect.found` reads. */
  indexWords(table: SearchedTable, name: NameOf): readonly RawBuilder<unknown>[]
  /** Takes that index away, with whatever keeps it. */
  dropWords(table: SearchedTable, name: NameOf): readonly RawBuilder<unknown>[]
  /** From now on the words of a row that is deleted go with it. */
  forgetWords(table: SearchedTable, name: NameOf): readonly RawBuilder<unknown>[]
  /** From now on that index grows in steps of some 2 ms, which no caller's transaction has to wait for longer. */
  indexInSteps(table: SearchedTable, name: NameOf): readonly RawBuilder<unknown>[]
  /** From now on words are put into that index in the background, and by no caller's transaction. */
  indexAfterwards(table: SearchedTable, name: NameOf): readonly RawBuilder<unknown>[]
  /**
   * Lets no two rows of `table` with the same `poseur_id` have times `[debut_ms, fin_ms)` that overlap;
   * a row without a time overlaps none. No time is longer than `longestMs`.
   */
  refuseOverlaps(
    table: RawBuilder<unknown>,
    options: { readonly name: NameOf; readonly longestMs: number },
  ): readonly RawBuilder<unknown>[]
  /** Ends the definition of a table whose rows lie in the order of its primary key, where a database can do that. */
  readonly clustered: RawBuilder<unknown>
}
