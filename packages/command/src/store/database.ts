import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { PostgresStorage } from '@sav/storage-kysely/postgres'
import type { SqliteStorage } from '@sav/storage-kysely/sqlite'
import { closedAfter } from '../process/closing.js'
import { CommandError } from '../process/command-error.js'
import type { DatabaseAddress } from '../settings/database-address.js'
import { refusalOf, refuseUnwritable } from './store-files.js'

/** A store on SQLite or PostgreSQL. */
export type StoreStorage = SqliteStorage | PostgresStorage

/**
 * Opens the database, whatever its content. Loads only the driver that it needs.
 * @throws CommandError for a file that is missing, a backup, or not a database; UnavailableError when it is busy or
 *   unreachable
 */
export async function openDatabase(database: DatabaseAddress): Promise<StoreStorage> {
  if (database.kind === 'postgres') return openServer(database)
  if (refusalOf(database.path) === 'ENOENT') throw notInitialised(database)
  await refuseBackup(database.path)
  return openFile(database.path, database)
}

/** Like `openDatabase`, but if the file cannot be written to, it is opened for reading, and every write is refused. */
export async function openToRead(database: DatabaseAddress): Promise<StoreStorage> {
  return openDatabase(database).catch((error: unknown) => {
    if (!(error instanceof CommandError && error.code === 'read_only') || database.kind === 'postgres') throw error
    return openReadOnly(database, error)
  })
}

/**
 * Like `open`, but with only those features whose tables the store has. Tables of other features must not be added to a
 * store of a program that embeds only the core: after that, the program could no longer erase a client.
 */
export const asHeld =
  (open: typeof openDatabase): typeof openDatabase =>
  async (database) => {
    const storage = await open(database)
    if ((await storage.pendingMigrations()).length === 0) return storage
    const held = await heldIn(storage, database).finally(() => storage.close())
    return open({ ...database, tables: async () => held })
  }

/** Those of the command's features that have no tables, or whose tables the store has. */
export async function heldIn(storage: StoreStorage, { tables }: Pick<DatabaseAddress, 'tables'>) {
  const held = await storage.featuresHeld()
  return (await tables()).filter(({ name, migrations }) => migrations === undefined || held.includes(name))
}

/**
 * Opens a file for reading. If it has no write-ahead log (`-wal`), SQLite would have to create one, so a copy of the
 * file is opened.
 */
async function openReadOnly(
  { path, prefix, tables }: Extract<DatabaseAddress, { kind: 'sqlite' }>,
  refusal: CommandError,
): Promise<StoreStorage> {
  const { openSqlite } = await import('@sav/storage-kysely/sqlite')
  const how = { prefix, features: await tables() }
  if (existsSync(`${path}-wal`)) return onlyReading(await openSqlite(path, { ...how, readonly: true }), refusal)
  const directory = await mkdtemp(join(tmpdir(), 'sav-read-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const copy = join(directory, basename(path))
    await copyFile(path, copy)
    const storage = onlyReading(await openSqlite(copy, how), refusal)
    return { ...storage, close: () => storage.close().finally(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

const onlyReading = (storage: StoreStorage, refusal: CommandError): StoreStorage => ({
  ...storage,
  transaction: () => Promise.reject(refusal),
})

/** Like `openDatabase`, but creates a missing file. */
export async function openOrMakeDatabase(database: DatabaseAddress): Promise<StoreStorage> {
  if (database.kind === 'postgres') return openServer(database)
  await mkdir(dirname(database.path), { recursive: true, mode: 0o700 })
  await refuseBackup(database.path)
  return openFile(database.path, database)
}

/** @param beside a sentence about a store in another layout: see `storeBeside` */
export function notInitialised({ name }: DatabaseAddress, beside = ''): CommandError {
  return new CommandError(
    'not_initialised',
    `There is no store at ${name}: run \`sav init\` first, or point SAV_DATABASE to the right one.${beside}`,
  )
}

/** @throws CommandError for a database without a store, and for the file of another program */
export async function refuseWithoutStore(storage: StoreStorage, database: DatabaseAddress): Promise<void> {
  if (await storage.hasTables()) return
  const beside = await storeBeside(database)
  await refuseForeign(storage, database, beside)
  throw notInitialised(database, beside)
}

/** @throws CommandError for the file of another program. On a server, several programs often share a database. */
export async function refuseForeign(
  storage: StoreStorage,
  { kind, name }: DatabaseAddress,
  beside = '',
): Promise<void> {
  if (kind === 'postgres') return
  // The tables are listed first, because another process may create the store between the two checks.
  const [table] = await storage.db.introspection.getTables()
  if (table === undefined || (await storage.hasTables())) return
  throw new CommandError(
    'foreign_database',
    `There is no store at ${name}, but tables of another program (${table.name}): point SAV_DATABASE to another file.${beside}`,
  )
}

/**
 * A sentence about a store that another program created beside its own tables, in the default layout; empty if there is
 * none.
 */
async function storeBeside(database: DatabaseAddress): Promise<string> {
  const opening =
    database.kind === 'postgres'
      ? openServer({ ...database, schema: 'sav' })
      : openFile(database.path, { ...database, prefix: 'sav_' })
  if (!(await closedAfter<StoreStorage, boolean>(opening, (storage) => storage.hasTables()))) return ''
  const [layout, flag] =
    database.kind === 'postgres'
      ? ['in the schema sav', '--schema sav']
      : ['whose tables begin with sav_', '--prefix sav_']
  return ` The database has a store ${layout}, created by a program of yours: ${flag} names it.`
}

/** Whether the database has tables of a store, even if the store is incomplete. */
export async function isThere(database: DatabaseAddress): Promise<boolean> {
  if (database.kind === 'sqlite' && !existsSync(database.path)) return false
  return closedAfter(openDatabase(database), (storage) => storage.hasTables())
}

/** Refuses a sealed backup: opening it as a store would write to it before its seal is checked. */
async function refuseBackup(path: string): Promise<void> {
  const { readBackupNote } = await import('@sav/storage-kysely/backup')
  if (readBackupNote(path)?.sealed_by === undefined) return
  throw new CommandError(
    'is_a_backup',
    `${path} is a backup, not a store: \`sav restore ${path} --to sqlite:PATH\` makes a store from it.`,
  )
}

async function openServer({
  url,
  direct,
  schema,
  tables,
}: Extract<DatabaseAddress, { kind: 'postgres' }>): Promise<PostgresStorage> {
  const { openPostgres } = await import('@sav/storage-kysely/postgres')
  return openPostgres(url, { direct, features: await tables(), ...(schema !== null && { schema }) })
}

async function openFile(
  path: string,
  { prefix, tables }: Extract<DatabaseAddress, { kind: 'sqlite' }>,
): Promise<SqliteStorage> {
  refuseUnwritable(path)
  const { openSqlite } = await import('@sav/storage-kysely/sqlite')
  return openSqlite(path, { prefix, features: await tables() }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'SQLITE_NOTADB')) throw error
    throw new CommandError('not_a_database', `${path} is not a SQLite database: point SAV_DATABASE to another file.`, {
      cause: error,
    })
  })
}
