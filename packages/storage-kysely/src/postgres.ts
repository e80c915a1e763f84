import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely'
import { onCallersPostgres, type PostgresTransactionOfCaller } from './postgres/callers.js'
import { PostgresDatabase } from './postgres/database.js'
import { postgresDialect } from './postgres/dialect.js'
import { failureOf } from './postgres/errors.js'
import { asLongAsItNeeds, migrateOn, onPool } from './postgres/migrating.js'
import { numberParsers, wholeNumbersOf } from './postgres/numbers.js'
import { OwnPool } from './postgres/own-connections.js'
import { readingNumbers } from './postgres/reading-numbers.js'
import type { PoolOfCaller } from './postgres/sending.js'
import { lookAtClock } from './repositories/installation.js'
import { QueryRunner } from './statements/query-runner.js'
import { type FeatureParts, type FeatureTables, partsOf } from './storage/feature-tables.js'
import type { Layout } from './storage/migrate.js'
import { type OpenedStorage, openedOn } from './storage/opened-storage.js'
import { placeOf, SeveralStoresError, type StorePlace, usualSchema } from './storage/place.js'
import { pluginsFor } from './tables/names.js'
import type { Schema } from './tables/tables.js'

export type { PgClient, PostgresTransactionOfCaller } from './postgres/callers.js'
export { fromDrizzle, fromKnex, fromPrisma, type KnexTransaction, type PrismaTransaction } from './postgres/orms.js'
export type { PoolOfCaller } from './postgres/sending.js'
export type { KyselyTransaction } from './storage/in-transaction.js'
export type { FailedReport, OpenedStorage, WaitingLetters } from './storage/opened-storage.js'
export type { Schema } from './tables/tables.js'

/** The options of a store on PostgreSQL. Times are in milliseconds. */
export interface PostgresOptions {
  /** The most connections, besides one for `queue.watch`. Default: 10. */
  readonly connections?: number
  /** How long to wait for a new or free connection, and on closing for the server to end one. Default: 5000. */
  readonly connectTimeoutMs?: number
  /** How long a statement waits for a row that another transaction has locked. Default: 4000. */
  readonly lockTimeoutMs?: number
  /** How long a statement may take. Default: 7000. A connection that is silent for longer is abandoned. */
  readonly statementTimeoutMs?: number
  /** How long a transaction may be idle. Default: 5000. */
  readonly idleTimeoutMs?: number
  /**
   * The URL where `queue.watch` listens. Behind a pooler without sessions, it must be the server's own URL. With null,
   * `queue.watch` only polls. Default: the opened URL.
   */
  readonly direct?: string | null
  /** Whether the server keeps prepared statements. Default: true, unless the URL says `prepare=false`. */
  readonly prepare?: boolean
  /**
   * The schema of its tables, which `migrate` creates if it is missing; the store creates nothing elsewhere. Stores in
   * different schemas of one database are independent. Default for a URL: the first schema of the connection's
   * `search_path`, usually `public`. Default for the caller's pool: the schema on the `search_path` that has a store,
   * or else `sav`.
   */
  readonly schema?: string
  /** The features whose rows the store has besides those of the core. Default: none. */
  readonly features?: readonly FeatureTables[]
}

/** The current settings, for the diagnosis of an installation. */
export interface PostgresFacts {
  readonly server_version: string
  readonly synchronous_commit: string
  /** Whether it refuses writes, as a standby does. */
  readonly read_only: 'on' | 'off'
  /** The most connections of all clients together. */
  readonly max_connections: string
  readonly fsync: string
}

/** The current connections of this process. */
export interface PoolUse {
  readonly limit: number
  /** In use by a call. */
  readonly busy: number
  /** Open and not in use. */
  readonly idle: number
  /** Callers waiting for one. */
  readonly waiting: number
}

/** An open store on PostgreSQL. */
export interface PostgresStorage extends OpenedStorage<PostgresTransactionOfCaller> {
  facts(): Promise<PostgresFacts>
  /** Null for the caller's own pool. */
  poolUse(): PoolUse | null
  /**
   * Runs `work` on the committed data of this moment, whatever is committed meanwhile. Its statements have no time
   * limit.
   */
  snapshot<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>
}

/** How much longer to wait for an answer than the server's own time limit. */
const graceMs = 1000

/** A URL, or a pool of `pg` that the caller has created, and ends. */
export type PostgresSource = string | { readonly pool: PoolOfCaller }

/**
 * Opens a database of PostgreSQL 15 or later, by its URL:
 * `postgres://user:password@host:5432/name?sslmode=verify-full`. `prepare=false` in it is for poolers that cannot keep
 * prepared statements (PgBouncer before 1.21).
 *
 * Over the caller's pool, numbers are read as numbers whatever its parsers are, and settings end with each transaction.
 * So a read takes three round trips instead of one, unless the pool has `pipeline: true`. Without `direct`, other
 * processes' deliveries are found by polling, within a quarter of a second.
 * @throws UnavailableError when it cannot be reached
 * @throws Error for the caller's pool if its database has two stores and `schema` is missing
 */
export async function openPostgres(source: PostgresSource, options: PostgresOptions = {}): Promise<PostgresStorage> {
  const { connections = 10, connectTimeoutMs = 5000 } = options
  const { lockTimeoutMs = 4000, statementTimeoutMs = 7000, idleTimeoutMs = 5000 } = options
  const url = typeof source === 'string' ? source : null
  const { direct: listenAt = url, prepare = url === null || !unprepared.test(url) } = options
  const pool =
    typeof source === 'string' ? newPool(source, connections, { connectTimeoutMs, statementTimeoutMs }) : source.pool
  const limits = { lockTimeoutMs, statementTimeoutMs, idleTimeoutMs }
  const { names, notice } = await placeIn(source, options.schema)
  const parts = { names, ...partsOf(options.features ?? []) }
  const database = new PostgresDatabase(pool, limits, { isOwn: url !== null, prepare, listenAt, ...parts })
  const apart: Apart = (work) =>
    database.beside(() =>
      url === null ? work(readingNumbers(pool)) : onConnectionOfItsOwn({ url, connectTimeoutMs }, work),
    )
  const poolUse = () => (pool instanceof OwnPool ? useOf(pool) : null)
  const opened = { ...storageOf(database, { apart, notice, ...parts }), poolUse }
  try {
    await lookAtClock(new QueryRunner(database.statements, database.reads))
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function placeIn(source: PostgresSource, schema: string | undefined): Promise<StorePlace> {
  if (typeof source === 'string' || schema !== undefined)
    return { names: { schema: schema ?? null, prefix: '' }, notice: null }
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: readingNumbers(source.pool) }) })
  try {
    return await placeOf(db, postgresDialect({ schema: null }), { schema: usualSchema, prefix: '' })
  } catch (error) {
    throw error instanceof SeveralStoresError ? error : failureOf(error).error
  }
}

function newPool(
  url: string,
  connections: number,
  { connectTimeoutMs, statementTimeoutMs }: { readonly [ms in 'connectTimeoutMs' | 'statementTimeoutMs']: number },
): OwnPool {
  return new OwnPool({
    connectionString: url,
    fallback_application_name: 'sav',
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs + graceMs,
    keepAlive: true,
    pipeline: true,
    types: numberParsers,
  })
}

const useOf = ({ options, totalCount, idleCount, waitingCount }: OwnPool): PoolUse => ({
  limit: options.max,
  busy: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
})

/** Runs `work` on connections whose statements have no time limit. */
type Apart = <T>(work: (pool: PostgresPool) => Promise<T>) => Promise<T>

async function onConnectionOfItsOwn<T>(
  { url, connectTimeoutMs }: { readonly url: string; readonly connectTimeoutMs: number },
  work: (pool: PostgresPool) => Promise<T>,
): Promise<T> {
  const pool = new OwnPool({
    connectionString: url,
    fallback_application_name: 'sav',
    max: 1,
    connectionTimeoutMillis: connectTimeoutMs,
    types: numberParsers,
  })
  try {
    const client = await pool.connect().catch((error: unknown) => {
      throw failureOf(error).error
    })
    client.release()
    return await work(pool)
  } finally {
    await pool.end()
  }
}

const unprepared = /[?&]prepare=false(&|$)/

function storageOf(
  database: PostgresDatabase,
  {
    apart,
    notice,
    names,
    features,
    tables,
  }: { readonly apart: Apart } & StorePlace & Pick<FeatureParts, 'features' | 'tables'>,
): Omit<PostgresStorage, 'poolUse'> {
  const { kysely: db } = database
  const layout = { dialect: postgresDialect(names), names, features, tables }
  const facts = sql`${sql.table('facts')}`.compile(db).sql
  const wholeNumbers = wholeNumbersOf(tables)
  return {
    damage: () => database.damage,
    clockDifferenceMs: () => database.statements.clock.differenceMs,
    ...openedOn(database, layout, {
      migrate: () => apart((pool) => migrateOn(pool, layout)),
      notice,
      failure: (error) => failureOf(error).error,
      join: (theirs) => onCallersPostgres(theirs, { facts, wholeNumbers }),
    }),
    snapshot: (work) => apart((pool) => snapshotOn(pool, { layout, work })),
    async facts() {
      const asked = sql<PostgresFacts>`
        select current_setting('server_version') as server_version, current_setting('fsync') as fsync,
          current_setting('synchronous_commit') as synchronous_commit,
          current_setting('transaction_read_only') as read_only, current_setting('max_connections') as max_connections`
      const { rows } = await database.reads.executeQuery(asked.compile(db))
      const [facts] = rows
      if (facts === undefined) throw new Error('A statement that always returns a row returned none.')
      return facts
    },
  }
}

function snapshotOn<T>(
  pool: PostgresPool,
  { layout, work }: { readonly layout: Layout; readonly work: (db: Kysely<Schema>) => Promise<T> },
): Promise<T> {
  return onPool(pool, pluginsFor(layout.names, layout.tables), (db) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (trx) => {
        await asLongAsItNeeds.execute(trx)
        return work(trx)
      }),
  )
}
