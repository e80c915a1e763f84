import { closeSync, existsSync, openSync } from 'node:fs'
import { UnavailableError } from '@sav/core/ports'
import type { CompiledQuery, QueryResult } from 'kysely'
import { loadDriver } from '../storage/drivers.js'
import { asSelected } from '../tables/rows.js'
import type { PreparedStatement, SqliteDatabaseOfCaller } from './callers.js'
import { damagedAt, isDamage } from './damage.js'

export const Driver: typeof import('better-sqlite3') = loadDriver('better-sqlite3')

/**
 * Creates the file with access for its owner only, even through a link. SQLite would make it readable for all, and
 * gives its log the same mode. An existing file keeps its mode and is not opened: closing it would release SQLite's
 * locks. A wrong path is left to SQLite, whose error is better.
 */
function makeForOwnerAlone(path: string): void {
  try {
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  } catch {}
}

/** The message for a call that waits for the very transaction in which it was made. */
export const takenByOwner =
  'Your own transaction on this connection has not ended. To call the service in it, use `storage.transactionOn(database, …)`.'

/** Limits the prepared statements, since their texts may depend on callers. */
const maxStatements = 1000

/**
 * One better-sqlite3 connection, with its statements prepared once. Its errors are SQLite's own, except the
 * UnavailableError of a closed connection, and of a damaged file.
 */
export class SqliteConnection {
  readonly #database: SqliteDatabaseOfCaller
  readonly #isOwn: boolean
  readonly #statements = new Map<string, PreparedStatement>()
  #isClosed = false
  /** The first damage found. */
  damage: string | null = null

  /** `isOwn`: the database is closed with this connection; otherwise the caller closes it. */
  constructor(database: SqliteDatabaseOfCaller, { isOwn }: { readonly isOwn: boolean }) {
    this.#database = database
    this.#isOwn = isOwn
  }

  static open(path: string, options: { readonly readonly: boolean }): SqliteConnection {
    if (!options.readonly && path !== ':memory:') makeForOwnerAlone(path)
    // No busy timeout: SQLite would wait on the event loop's thread.
    return new SqliteConnection(new Driver(path, { ...options, timeout: 0 }), { isOwn: true })
  }

  get path(): string {
    return this.#database.name
  }

  /** Whether a transaction is open. Also false when an error made SQLite roll it back. */
  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  /** Whether only this connection sees the database: then no other process can be waiting for it. */
  get isInMemory(): boolean {
    return this.#database.memory
  }

  /** @throws SqliteError, as busy, while the connection's owner is in a transaction */
  refuseWhileTaken(): void {
    if (!this.#isOwn && this.inTransaction) throw new Driver.SqliteError(takenByOwner, 'SQLITE_BUSY')
  }

  execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> {
    try {
      const statement = this.#prepare(sql)
      if (statement.reader) return { rows: asSelected<R>(statement.all(parameters)) }
      const { changes, lastInsertRowid } = statement.run(parameters)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    } catch (error) {
      throw this.#met(error)
    }
  }

  run(sql: string): void {
    try {
      this.#prepare(sql).run()
    } catch (error) {
      throw this.#met(error)
    }
  }

  /** The first fault that SQLite finds in the file; null: none. Reads the whole file. */
  quickCheck(): string | null {
    try {
      const found = this.#database.pragma('quick_check(1)', { simple: true })
      if (found !== 'ok') this.damage ??= damagedAt(this.#database.name).message
    } catch (error) {
      const met = this.#met(error)
      if (this.damage === null) throw met
    }
    return this.damage
  }

  #met(error: unknown): unknown {
    if (!isDamage(error)) return error
    const damaged = damagedAt(this.#database.name, error)
    this.damage ??= damaged.message
    return damaged
  }

  /** Whether `sql` returns rows and changes nothing. */
  reads(sql: string): boolean {
    const statement = this.#prepare(sql)
    return statement.reader && statement.readonly
  }

  /** Changes when another connection has committed something. */
  get dataVersion(): unknown {
    return this.#prepare('pragma data_version').pluck().get()
  }

  get version(): string {
    return String(this.#database.prepare('select sqlite_version()').pluck().get())
  }

  pragma(source: string): unknown {
    return this.#database.pragma(source, { simple: true })
  }

  close(): void {
    this.#statements.clear()
    this.#isClosed = true
    if (this.#isOwn) this.#database.close()
  }

  #prepare(sql: string): PreparedStatement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    if (this.#statements.size === maxStatements) this.#statements.clear()
    if (this.#isClosed || !this.#database.open)
      throw new UnavailableError('The database is closed.', { retryAfterSeconds: 1 })
    // The caller may have chosen another default.
    const statement = this.#database.prepare(sql).safeIntegers(false)
    this.#statements.set(sql, statement)
    return statement
  }
}
