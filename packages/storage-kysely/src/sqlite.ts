import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Storage, UnavailableError } from '@sav/core/ports'
import type { Kysely } from 'kysely'
import type { GroupLimits } from './group-commit.js'
import { migrate, pendingMigrations } from './migrate.js'
import type { Schema } from './schema.js'
import { SqliteConnection } from './sqlite-connection.js'
import { type Connections, SqliteDatabase } from './sqlite-database.js'
import { sqliteDialect } from './sqlite-dialect.js'
import { KyselyStorage } from './storage.js'
import { whenNotBusy } from './unavailable.js'
import { type CallersTransaction, within } from './within.js'

export type { Schema } from './schema.js'
export type { CallersTransaction } from './within.js'

export interface SqliteOptions {
  /** How long a call waits for another process that keeps the database locked. Default: 5000. */
  readonly busyTimeoutMs?: number
}

/** Settings that are in force, for whoever diagnoses an installation. */
export interface SqliteFacts {
  readonly sqlite_version: string
  readonly journal_mode: string
  readonly synchronous: 'OFF' | 'NORMAL' | 'FULL' | 'EXTRA'
  readonly foreign_keys: 'OFF' | 'ON'
}

export interface SqliteStorage extends Storage {
  /**
   * For tables of the caller's own in the same database: `db.$extendTables<Yours>()`. Its transactions share commits with
   * the storage's.
   */
  readonly db: Kysely<Schema>
  /**
   * The storage inside a transaction of the caller's own, begun by `db`: what it writes commits with the caller's rows.
   */
  within(trx: CallersTransaction): Storage
  /** Brings the schema up to date, once if several processes try. Resolves to the names of the migrations that ran. */
  migrate(): Promise<string[]>
  /** Names of the migrations that have not run yet. */
  pendingMigrations(): Promise<string[]>
  facts(): SqliteFacts
}

const groupLimits = { mostMembers: 256, longestMs: 50 }

/**
 * Opens a SQLite database, made if it does not exist: a file whose directory exists, or `:memory:`.
 * @throws UnavailableError when the file cannot be opened or stays locked
 */
export async function openSqlite(path: string, { busyTimeoutMs = 5000 }: SqliteOptions = {}): Promise<SqliteStorage> {
  const deadline = performance.now() + busyTimeoutMs
  const writer = await connect(path, { readonly: false }, deadline)
  // A database in memory is seen by one connection only; what a group has not committed yet must not be read there.
  if (path === ':memory:')
    return new OpenedSqlite({ writer, reader: null }, { ...groupLimits, mostMembers: 1, busyTimeoutMs })
  try {
    const reader = await connect(path, { readonly: true }, deadline)
    return new OpenedSqlite({ writer, reader }, { ...groupLimits, busyTimeoutMs })
  } catch (error) {
    writer.close()
    throw error
  }
}

async function connect(path: string, options: { readonly readonly: boolean }, deadline: number) {
  if (path !== ':memory:' && !existsSync(dirname(path))) {
    const message = `The database ${path} cannot be opened: its directory does not exist.`
    throw new UnavailableError(message, { retryAfterSeconds: 10 })
  }
  const connection = await whenNotBusy(() => new SqliteConnection(path, options), deadline)
  try {
    await whenNotBusy(() => configure(connection, options), deadline)
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
}

function configure(connection: SqliteConnection, { readonly }: { readonly readonly: boolean }): void {
  // On every connection: SQLite's default here turns NORMAL for a WAL file that is opened again, and NORMAL may lose
  // commits when the power fails.
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  if (readonly) return
  connection.pragma('journal_mode = WAL')
  // The journals of savepoints otherwise go to temporary files: 20,000 transactions a second instead of 24,000.
  connection.pragma('temp_store = MEMORY')
  // In pages: at the default of 1000, a load of writes copies the same few pages back again and again, and waits for the
  // disk each time. A quarter more transactions a second, for a log of up to 16 MB.
  connection.pragma('wal_autocheckpoint = 4000')
}

const synchronousNames = ['OFF', 'NORMAL', 'FULL', 'EXTRA'] as const

class OpenedSqlite extends KyselyStorage implements SqliteStorage {
  readonly db: Kysely<Schema>
  readonly #writer: SqliteConnection
  readonly #database: SqliteDatabase

  constructor(connections: Connections, limits: GroupLimits) {
    const database = new SqliteDatabase(connections, limits)
    super(database)
    this.db = database.kysely
    this.#writer = connections.writer
    this.#database = database
  }

  within(trx: CallersTransaction): Storage {
    return new KyselyStorage(within(trx, this.#database.statements))
  }

  migrate(): Promise<string[]> {
    return this.db.transaction().execute((trx) => migrate(trx, sqliteDialect))
  }

  pendingMigrations(): Promise<string[]> {
    return pendingMigrations(this.db, sqliteDialect)
  }

  facts(): SqliteFacts {
    return {
      sqlite_version: this.#writer.version,
      journal_mode: String(this.#writer.pragma('journal_mode')),
      synchronous: synchronousNames[Number(this.#writer.pragma('synchronous'))] ?? 'OFF',
      foreign_keys: this.#writer.pragma('foreign_keys') === 1 ? 'ON' : 'OFF',
    }
  }
}
