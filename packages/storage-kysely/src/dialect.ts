import type { RawBuilder } from 'kysely'

/** The columns that a JSON object is read as. */
export type JsonColumns = Readonly<Record<string, 'text' | 'integer'>>

/** The few things in which databases really differ. Everything else is written once. */
export interface Dialect {
  /**
   * Whether a row that will be changed has to be locked when it is read (`for update`). False where a transaction keeps
   * every other writer out from its beginning.
   */
  readonly locksRows: boolean
  /** How a statement writes a value that is bound to it. */
  bound<T>(value: RawBuilder<T>): RawBuilder<T>
  /** A table called `input`: a row for each object of the JSON array `json`, with `columns`. */
  jsonRows(json: RawBuilder<string>, columns: JsonColumns): RawBuilder<unknown>
  readonly ddl: Ddl
}

/** What only migrations ask for. */
export interface Ddl {
  /** Compares by code point: instants and ids sort by it. */
  readonly text: RawBuilder<unknown>
  readonly integer: RawBuilder<unknown>
  readonly bytes: RawBuilder<unknown>
  /** A number that the store gives each row, never twice. */
  readonly identity: RawBuilder<unknown>
  /** Ends the definition of a table whose rows lie in the order of its primary key, where a database can do that. */
  readonly clustered: RawBuilder<unknown>
}
