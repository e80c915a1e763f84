import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Storage, UnavailableError } from '@sav/core/ports'
import type { Kysely } from 'kysely'
import { LogCopying, pagesOfLog } from './log-copying.js'
import { type QueueInThread, queueInThread } from './queue-in-thread.js'
import { onCallersSqlite, type SqliteDatabaseOfCaller, type SqliteTransactionOfCaller } from './sqlite/callers.js'
import type { GroupLimits } from './sqlite/commit-groups.js'
import { SqliteConnection } from './sqlite/connection.js'
import { type Connections, type DatabaseParts, SqliteDatabase } from './sqlite/database.js'
import { sqliteDialect } from './sqlite/dialect.js'
import { asUnavailable, whenNotBusy } from './sqlite/errors.js'
import { type CopyProgress, copyDatabase } from './sqlite/file-copy.js'
import { type FeatureTables, partsOf } from './storage/feature-tables.js'
import { inTransaction } from './storage/in-transaction.js'
import { migrate } from './storage/migrate.js'
import { type OpenedStorage, openedOn } from './storage/opened-storage.js'
import { placeOf, type StorePlace, usualPrefix } from './storage/place.js'
import { storageOn } from './storage/storage.js'
import type { Schema } from './tables/tables.js'

export type { QueueInThread } from './queue-in-thread.js'
export type { SqliteDatabaseOfCaller, SqliteTransactionOfCaller } from './sqlite/callers.js'
export type { KyselyTransaction } from './storage/in-transaction.js'
export type { FailedReport, OpenedStorage, WaitingLetters } from './storage/opened-storage.js'
export type { Schema } from './tables/tables.js'

/** The options of a file. Times are in milliseconds. */
export interface SqliteOptions {
  /** How long a call waits for another process that locks the database. Default: 5000. */
  readonly busyTimeoutMs?: number
  /**
   * The prefix of its tables, indexes and triggers in a shared database: `sav_`. It never changes for a store. Default:
   * none in a file that the storage opens; in the caller's database `sav_`, or none if the store there has none.
   */
  readonly prefix?: string
  /** The features whose rows the store has besides those of the core. Default: none. */
  readonly features?: readonly FeatureTables[]
  /** Whether the file is only read, over one connection: it may be on a read-only file system. Default: false. */
  readonly readonly?: boolean
}

/** The current settings, for the diagnosis of an installation. */
export interface SqliteFacts {
  readonly sqlite_version: string
  readonly journal_mode: string
  readonly synchronous: 'OFF' | 'NORMAL' | 'FULL' | 'EXTRA'
  readonly foreign_keys: 'OFF' | 'ON'
}

/** The options of a queue's thread. */
export interface QueueInThreadOptions {
  /**
   * When the thread starts: at once, or with the first claim of 16 deliveries or more. Until it answers, the storage's
   * own queue serves. Default: `'at once'`.
   */
  readonly starts?: 'at once' | 'under load'
}

/** An open store in a file. */
export interface SqliteStorage extends OpenedStorage<SqliteTransactionOfCaller> {
  /** Its transactions share commits with the storage's. */
  readonly db: Kysely<Schema>
  /**
   * Runs `work` in a transaction on the caller's own connection to the same database. When `work` resolves, commits
   * what `storageInside` has written, and what the caller has written on `database` meanwhile. Rolls everything back if
   * `work` rejects, or resolves while one of its calls is still running.
   * @throws UnavailableError when others keep the database, or the connection, for too long
   */
  transactionOn<T>(database: SqliteDatabaseOfCaller, work: (storageInside: Storage) => Promise<T>): Promise<T>
  facts(): SqliteFacts
  /**
   * Reads the whole file, and returns the first damage as a sentence, or null. It blocks this process meanwhile.
   * @throws UnavailableError when it cannot be read at all
   */
  quickCheck(): string | null
  /**
   * A second `queue` in its own thread: a busy process continues to send while the thread claims, records and waits for
   * the disk. Closing the storage closes it first.
   * @throws TypeError for a database with one connection: in memory, or the caller's
   */
  queueInThread(options?: QueueInThreadOptions): QueueInThread
  /**
   * Copies the database into an empty file, as of one moment, while others continue to write to it.
   * @throws UnavailableError when the disk is full or fails; Error when the copy differs from its source
   */
  copyTo(file: string, progress: CopyProgress): Promise<void>
}

const groupLimits = { maxMembers: 256, maxMs: 50 }

/** A path, or a better-sqlite3 database that the caller has opened, and closes. */
export type SqliteSource = string | { readonly database: SqliteDatabaseOfCaller }

/**
 * Opens a SQLite database, and creates it if it does not exist: a file in an existing directory, or `:memory:`.
 *
 * On the caller's database, everything uses that one connection: a second one in the same process would block both for
 * the owner's busy timeout. Transactions take turns and commit separately. Ours are not left open between two turns of
 * the event loop, and wait for the caller's. Rows that the caller writes in the same turn, in parallel with a call of
 * the service, may become part of that call's transaction: `storage.db` and `storage.inTransaction` keep them apart.
 * The connection gets `synchronous = FULL` and `secure_delete = ON`.
 * @throws UnavailableError when the file cannot be opened or stays locked
 * @throws TypeError for a database in a transaction
 * @throws Error for the caller's database if it has two stores and `prefix` is missing
 */
export async function openSqlite(
  source: SqliteSource,
  { busyTimeoutMs = 5000, prefix, features = [], readonly = false }: SqliteOptions = {},
): Promise<SqliteStorage> {
  if (typeof source !== 'string') return openOfCaller(source.database, { busyTimeoutMs, prefix, features })
  const parts = { names: { schema: null, prefix: prefix ?? '' }, ...partsOf(features) }
  const path = source
  const deadline = performance.now() + busyTimeoutMs
  const writer = await connect(path, { readonly }, deadline)
  // A database in memory is seen only by the connection that created it, so reads use that one too, and must not see
  // uncommitted rows of a group. A read-only file needs only one connection.
  if (path === ':memory:' || readonly)
    return storageOf({ writer, reader: null }, { ...groupLimits, maxMembers: 1, busyTimeoutMs }, { path, ...parts })
  try {
    const reader = await connect(path, { readonly: true }, deadline)
    return storageOf({ writer, reader }, { ...groupLimits, busyTimeoutMs }, { path, ...parts })
  } catch (error) {
    writer.close()
    throw error
  }
}

async function openOfCaller(
  database: SqliteDatabaseOfCaller,
  {
    busyTimeoutMs,
    prefix,
    features,
  }: Required<Pick<SqliteOptions, 'busyTimeoutMs' | 'features'>> & { readonly prefix: string | undefined },
): Promise<SqliteStorage> {
  if (database.inTransaction)
    throw new TypeError('This database is in a transaction: end it first, then open the store.')
  const writer = new SqliteConnection(database, { isOwn: false })
  writer.pragma('synchronous = FULL')
  writer.pragma('secure_delete = ON')
  const limits = { ...groupLimits, maxMembers: 1, busyTimeoutMs }
  const connections = { writer, reader: null }
  const place = prefix === undefined ? await placeIn(connections, limits) : { names: { schema: null, prefix } }
  return storageOf(connections, limits, { path: database.name, ...partsOf(features), ...place })
}

function placeIn(connections: Connections, limits: GroupLimits): Promise<StorePlace> {
  const { kysely } = new SqliteDatabase(connections, limits, { names: { schema: null, prefix: '' }, ...partsOf([]) })
  return placeOf(kysely, sqliteDialect, { schema: null, prefix: usualPrefix })
}

interface ConnectOptions {
  readonly readonly: boolean
}

async function connect(path: string, options: ConnectOptions, deadline: number) {
  if (path !== ':memory:' && !existsSync(dirname(path))) {
    const message = `The database ${path} cannot be opened: its directory does not exist.`
    throw new UnavailableError(message, { retryAfterSeconds: 10 })
  }
  const connection = await whenNotBusy(() => SqliteConnection.open(path, options), deadline, path)
  try {
    await whenNotBusy(() => configure(connection, options), deadline, path)
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
}

function configure(connection: SqliteConnection, { readonly }: ConnectOptions): void {
  // On every connection: when a WAL file is opened again, SQLite's default becomes NORMAL, which may lose commits in a
  // power cut.
  connection.pragma('synchronous = FULL')
  connection.pragma('foreign_keys = ON')
  if (readonly) return
  connection.pragma('journal_mode = WAL')
  // Deleted data is overwritten: an erasure leaves no words in free pages.
  connection.pragma('secure_delete = ON')
  // Otherwise the journals of savepoints use temporary files: 20,000 transactions a second instead of 24,000.
  connection.pragma('temp_store = MEMORY')
  connection.pragma(`wal_autocheckpoint = ${pagesOfLog}`)
  // In bytes. A long reader lets the log grow to hundreds of MB, and SQLite would keep that size.
  connection.pragma(`journal_size_limit = ${pagesOfLog * 4096}`)
}

const synchronousNames = ['OFF', 'NORMAL', 'FULL', 'EXTRA'] as const

function storageOf(
  connections: Connections,
  limits: GroupLimits,
  { path, notice = null, ...parts }: { readonly path: string } & DatabaseParts & Partial<Pick<StorePlace, 'notice'>>,
): SqliteStorage {
  const { writer } = connections
  const database = new SqliteDatabase(connections, limits, parts)
  const layout = { dialect: sqliteDialect, ...parts }
  const migrating = () =>
    database.kysely
      .withoutPlugins()
      .transaction()
      .execute((trx) => migrate(trx, layout))
  const opened = openedOn(database, layout, {
    migrate: migrating,
    notice,
    failure: asUnavailable,
    join: onCallersSqlite,
  })
  const copying = connections.reader === null ? null : new LogCopying(writer)
  database.afterCommit = () => void copying?.look()
  const queues: QueueInThread[] = []
  const copies = new Set<Promise<void>>()
  let damageInThread: string | null = null
  return {
    ...opened,
    damage: () => writer.damage ?? connections.reader?.damage ?? damageInThread,
    quickCheck: () => (connections.reader ?? writer).quickCheck(),
    async close() {
      // Failures of threads and copies are reported elsewhere. Here, they only need to end.
      await Promise.allSettled([...queues.map((queue) => queue.close()), ...copies, copying?.close()])
      await opened.close()
    },
    transactionOn: (theirs, work) =>
      database.transactionOn(theirs, async (begun) => {
        const inside = inTransaction(begun, database)
        const result = await work(storageOn(inside))
        await inside.refuseUnawaited()
        return result
      }),
    queueInThread({ starts = 'at once' } = {}) {
      if (connections.reader === null)
        throw new TypeError('The queue of a database with one connection cannot run in its own thread.')
      const of = { path, busyTimeoutMs: limits.busyTimeoutMs, prefix: parts.names.prefix }
      const watch = (wake: () => void) => opened.queue.watch(wake)
      const queue = queueInThread(of, {
        watch,
        committed: (transactions) => database.onCommit(transactions),
        damaged(sentence) {
          damageInThread ??= sentence
        },
        untilLoad: starts === 'under load' ? opened.queue : undefined,
      })
      queues.push(queue)
      return queue
    },
    facts: () => ({
      sqlite_version: writer.version,
      journal_mode: String(writer.pragma('journal_mode')),
      synchronous: synchronousNames[Number(writer.pragma('synchronous'))] ?? 'OFF',
      foreign_keys: writer.pragma('foreign_keys') === 1 ? 'ON' : 'OFF',
    }),
    async copyTo(file, progress) {
      const copy = copyDatabase(path, file, progress)
      copies.add(copy)
      await copy.finally(() => copies.delete(copy))
    },
  }
}
