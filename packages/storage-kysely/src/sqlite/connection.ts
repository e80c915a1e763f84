import { closeSync, openSync } from 'node:fs'
import { UnavailableError } from '@sav/core/ports'
import Sqlite from 'better-sqlite3'
import type { CompiledQuery, QueryResult } from 'kysely'
import { asSelected } from '../rows.js'

/**
 * SQLite would make the file readable for everybody, and gives its log the mode of the file. One that is there keeps the
 * mode that somebody gave it; what is wrong with the path SQLite says better.
 */
function makeForOwnerAlone(path: string): void {
  try {
    closeSync(openSync(path, 'ax', 0o600))
  } catch {}
}

/** Texts of statements may come from callers of their own, so their number has a bound. */
const maxStatements = 1000

/**
 * One connection of better-sqlite3, with its statements prepared once. Its errors are SQLite's own, apart from the
 * UnavailableError of a closed one.
 */
export class SqliteConnection {
  readonly #database: Sqlite.Database
  readonly #statements = new Map<string, Sqlite.Statement>()

  constructor(path: string, options: { readonly readonly: boolean }) {
    if (!options.readonly && path !== ':memory:') makeForOwnerAlone(path)
    // No busy timeout: SQLite would wait on the event loop's own thread.
    this.#database = new Sqlite(path, { ...options, timeout: 0 })
  }

  /** False as well when an error made SQLite roll the transaction back by itself. */
  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    const statement = this.#prepare(sql)
    if (statement.reader) return { rows: asSelected<R>(statement.all(parameters)) }
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  run(sql: string): void {
    this.#prepare(sql).run()
  }

  /** Whether `sql` returns rows and changes nothing. */
  reads(sql: string): boolean {
    const statement = this.#prepare(sql)
    return statement.reader && statement.readonly
  }

  /** Differs from before once another connection has committed something. */
  get dataVersion(): unknown {
    return this.#prepare('pragma data_version').pluck().get()
  }

  get version(): string {
    return this.#database.prepare<[], string>('select sqlite_version()').pluck().get() ?? ''
  }

  /**
   * Merges at most about so many pages of an index of words; a negative number begins with whatever pieces it has. False
   * when it is in one piece, or not there.
   */
  mergeWords(words: string, pages: number): boolean {
    const isThere = this.#prepare(`select 1 from sqlite_master where type = 'table' and name = ?`).get(words)
    if (isThere === undefined) return false
    const changes = () => Number(this.#prepare('select total_changes()').pluck().get())
    const before = changes()
    this.#prepare(`insert into "${words}" ("${words}", rank) values ('merge', ?)`).run(pages)
    // SQLite's own sign that there was nothing left to merge (FTS5 §6.8).
    return changes() - before >= 2
  }

  pragma(source: string): unknown {
    return this.#database.pragma(source, { simple: true })
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #prepare(sql: string): Sqlite.Statement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    if (this.#statements.size === maxStatements) this.#statements.clear()
    if (!this.#database.open) throw new UnavailableError('The database is closed.', { retryAfterSeconds: 1 })
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
