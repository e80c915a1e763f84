import { access, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PostgresStorage } from '@sav/storage-kysely/postgres'
import type { SqliteOptions, SqliteStorage } from '@sav/storage-kysely/sqlite'
import { CommandError } from '../process/command-error.js'
import type { DatabaseAddress } from '../settings/database-address.js'
import { refuseUnwritable } from './store-files.js'

/** Either store: they differ in their facts alone. */
export type StoreStorage = SqliteStorage | PostgresStorage

/**
 * Opens the database, whatever is in it. Only the driver that it needs is loaded.
 * @throws CommandError for a file that is missing, is a backup or is no database; UnavailableError when it is busy or away
 */
export async function openDatabase(database: DatabaseAddress, how: SqliteOptions = {}): Promise<StoreStorage> {
  if (database.kind === 'postgres') return openServer(database)
  await access(database.path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw notInitialised(database)
  })
  await refuseBackup(database.path)
  return openFile(database.path, how)
}

/** The same; a file is made where there is none. */
export async function openOrMakeDatabase(database: DatabaseAddress, how: SqliteOptions = {}): Promise<StoreStorage> {
  if (database.kind === 'postgres') return openServer(database)
  await mkdir(dirname(database.path), { recursive: true, mode: 0o700 })
  await refuseBackup(database.path)
  return openFile(database.path, how)
}

export function notInitialised({ name }: DatabaseAddress): CommandError {
  return new CommandError(
    'not_initialised',
    `There is no store at ${name}: run \`sav init\` first, or point SAV_DATABASE to the right one.`,
  )
}

/** To open a backup is to write to it, before its seal was checked. */
async function refuseBackup(path: string): Promise<void> {
  const { readBackupNote } = await import('@sav/storage-kysely/backup')
  if (readBackupNote(path)?.sealed_by === undefined) return
  throw new CommandError(
    'is_a_backup',
    `${path} is a backup, and no store: \`sav restore ${path} --to sqlite:PATH\` makes one of it.`,
  )
}

async function openServer({ url, direct }: Extract<DatabaseAddress, { kind: 'postgres' }>): Promise<PostgresStorage> {
  const { openPostgres } = await import('@sav/storage-kysely/postgres')
  return openPostgres(url, { direct })
}

async function openFile(path: string, how: SqliteOptions): Promise<SqliteStorage> {
  await refuseUnwritable(path)
  const { openSqlite } = await import('@sav/storage-kysely/sqlite')
  return openSqlite(path, how).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'SQLITE_NOTADB')) throw error
    throw new CommandError('not_a_database', `${path} is no SQLite database: point SAV_DATABASE to another file.`, {
      cause: error,
    })
  })
}
