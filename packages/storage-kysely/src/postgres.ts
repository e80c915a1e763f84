import type { Storage } from '@sav/core/ports'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, types } from 'pg'
import { migrate, pendingMigrations } from './migrate.js'
import { PostgresDatabase } from './postgres-database.js'
import { postgresDialect } from './postgres-dialect.js'
import { failureOf } from './postgres-errors.js'
import type { Schema } from './schema.js'
import { KyselyStorage } from './storage.js'
import { type CallersTransaction, within } from './within.js'

export type { Schema } from './schema.js'
export type { CallersTransaction } from './within.js'

export interface PostgresOptions {
  /** At most so many connections, one more for `queue.watch`. Default: 10. */
  readonly connections?: number
  /** How long to wait for a connection, new or free. Default: 5000. */
  readonly connectTimeoutMs?: number
  /** How long a statement waits for a row that another transaction has locked. Default: 4000. */
  readonly lockTimeoutMs?: number
  /** Default: 7000. A connection that is silent for longer is given up. */
  readonly statementTimeoutMs?: number
  /** How long a transaction may do nothing. Default: 5000. */
  readonly idleTimeoutMs?: number
  /**
   * Where `queue.watch` listens: behind a pooler that does not keep sessions, the URL of the server itself; null to poll
   * alone. Default: the URL that is opened.
   */
  readonly direct?: string | null
  /** Whether the server keeps statements prepared. Default: unless the URL says `prepare=false`. */
  readonly prepare?: boolean
}

/** Settings that are in force, for whoever diagnoses an installation. */
export interface PostgresFacts {
  readonly server_version: string
  readonly synchronous_commit: string
  /** Whether it refuses to write, as a standby does. */
  readonly read_only: 'on' | 'off'
  /** That everybody together may have. */
  readonly max_connections: string
  readonly fsync: string
  /** The server's clock, an instant. */
  readonly server_time: string
}

export interface PostgresStorage extends Storage {
  /** For tables of the caller's own in the same database: `db.$extendTables<Yours>()`. */
  readonly db: Kysely<Schema>
  /**
   * The storage inside a transaction of the caller's own, begun by `db`: what it writes commits with the caller's rows.
   */
  within(trx: CallersTransaction): Storage
  /** Brings the schema up to date, once if several processes try. Resolves to the names of the migrations that ran. */
  migrate(): Promise<string[]>
  /** Names of the migrations that have not run yet. */
  pendingMigrations(): Promise<string[]>
  facts(): Promise<PostgresFacts>
}

/** How much longer than the server's own limit to wait for its word that a statement took too long. */
const graceMs = 1000

/** Of the lock that migrations take; a number nobody else should use. */
const migrationLock = '7305813941720614'

/**
 * Opens a database of PostgreSQL 15 or later, by its URL: `postgres://user:password@host:5432/name?sslmode=verify-full`.
 * `prepare=false` in it is for poolers that cannot keep prepared statements (PgBouncer before 1.21).
 * @throws UnavailableError when it cannot be reached
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<PostgresStorage> {
  const { connections = 10, connectTimeoutMs = 5000, direct = url } = options
  const { prepare = !unprepared.test(url) } = options
  const { lockTimeoutMs = 4000, statementTimeoutMs = 7000, idleTimeoutMs = 5000 } = options
  const pool = new Pool({
    connectionString: url,
    fallback_application_name: 'sav',
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs + graceMs,
    keepAlive: true,
    pipeline: true,
    types: { getTypeParser: parserOf },
  })
  const limits = { lockTimeoutMs, statementTimeoutMs, idleTimeoutMs }
  const database = new PostgresDatabase(pool, limits, { prepare, listenAt: direct })
  const opened = new OpenedPostgres(database, url)
  try {
    await pool.query('select 1')
    return opened
  } catch (error) {
    await opened.close()
    throw failureOf(error).error
  }
}

const unprepared = /[?&]prepare=false(&|$)/

/** Counts and ids fit a number: they stay below 2^53. */
const parserOf: typeof types.getTypeParser = (type, format) =>
  type === types.builtins.INT8 ? Number : types.getTypeParser(type, format)

class OpenedPostgres extends KyselyStorage implements PostgresStorage {
  readonly db: Kysely<Schema>
  readonly #database: PostgresDatabase

  readonly #url: string

  constructor(database: PostgresDatabase, url: string) {
    super(database)
    this.db = database.kysely
    this.#database = database
    this.#url = url
  }

  within(trx: CallersTransaction): Storage {
    return new KyselyStorage(within(trx, this.#database.statements))
  }

  /** On a connection of its own, whose statements may take as long as they need. */
  async migrate(): Promise<string[]> {
    const pool = new Pool({ connectionString: this.#url, max: 1, types: { getTypeParser: parserOf } })
    pool.on('error', () => {})
    try {
      const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
      return await db.transaction().execute(async (trx) => {
        // Before Kysely's own lock, which it takes after it has made its tables.
        await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(trx)
        return migrate(trx, postgresDialect)
      })
    } finally {
      await pool.end()
    }
  }

  pendingMigrations(): Promise<string[]> {
    return pendingMigrations(this.db, postgresDialect)
  }

  async facts(): Promise<PostgresFacts> {
    const { rows } = await sql<PostgresFacts>`
      select current_setting('server_version') as server_version, current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as synchronous_commit,
        current_setting('transaction_read_only') as read_only, current_setting('max_connections') as max_connections,
        to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as server_time`.execute(this.db)
    const [facts] = rows
    if (facts === undefined) throw new Error('A statement that always gives a row gave none.')
    return facts
  }
}
