import { rm } from 'node:fs/promises'
import type { FileContents } from '@sav/core/ports'
import type Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { refuseUnopenedFeatures } from './copy/fitness.js'
import { copyStore } from './copy.js'
import type { PostgresStorage } from './postgres.js'
import { Driver } from './sqlite/connection.js'
import { asUnavailable } from './sqlite/errors.js'
import type { CopyProgress } from './sqlite/file-copy.js'
import { openSqlite, type SqliteStorage } from './sqlite.js'
import type { OpenedStorage } from './storage/opened-storage.js'
import { parsed } from './tables/rows.js'

export { copyRowsOnly, UnfitRowsError } from './rows-only.js'
export { lockFile } from './sqlite/file-lock.js'

/** The description that a backup contains of itself. */
export interface BackupNote {
  /** Name of the store. */
  readonly of: string
  /** The instant when it was made. */
  readonly at: string
  readonly release: string
  /** Where files outside the backup are; absent: they are in the backup. */
  readonly files?: string
  /** Id of the secret key that sealed the file; absent: it is not sealed. */
  readonly sealed_by?: string
}

/** A store, and where its files are. */
export interface StoreToBackUp {
  readonly storage: SqliteStorage | PostgresStorage
  /** For messages, without a password. */
  readonly name: string
  /** The prefix of its tables in a shared SQLite file; other tables are not backed up. Default: none. */
  readonly prefix?: string
  /** The contents of files that are not in the database; null: all are in it. */
  readonly contents: FileContents | null
  /** Whether the backup includes the contents. If not, it only checks that they exist. */
  readonly withContents: boolean
}

/** Called with the current step and how many items are `done`, out of `of` if that is known. */
export type BackupProgress = (what: string, done: number, of?: number) => void

/** What happened to files whose contents are outside of the database. */
export interface BackedUp {
  /** Contents that are in the backup. */
  readonly files: number
  /** Contents that stay outside, and exist. */
  readonly elsewhere: number
  /** Files whose contents are missing. */
  readonly missing: number
}

const noteFact = 'backup'

/**
 * Writes all rows of a store, as of one moment, into an empty SQLite file, with the contents of files that are
 * elsewhere, and compares each table. Others may write to the store meanwhile.
 * @throws CopyRefusedError for a PostgreSQL store on another schema, and for tables of a feature that the store was
 *   opened without; UnavailableError when the disk is full or fails
 */
export async function backUp(
  { storage, name, prefix = '', contents, withContents }: StoreToBackUp,
  { file, note, progress }: { readonly file: string; readonly note: BackupNote; readonly progress: BackupProgress },
): Promise<BackedUp> {
  await refuseUnopenedFeatures({ storage, name })
  const pages = (done: number, of: number) => progress('pages copied', done, of)
  if (!('copyTo' in storage)) await copyServer(storage, { name, file, progress })
  else if (prefix === '') await storage.copyTo(file, pages)
  else await copyPrefixed(storage, { name, prefix, file, progress, pages })
  return onFile(file, async (copy) => {
    setNote(copy, note)
    if (contents === null) return { files: 0, elsewhere: 0, missing: 0 }
    if (withContents) return fillFiles(copy, contents, (done, of) => progress('files copied', done, of))
    return compareFiles(copy, contents, (done) => progress('files listed', done))
  })
}

/** Leaves one complete file, which can be read on a read-only file system. */
export async function completeBackup(file: string): Promise<void> {
  await onFile(file, async (copy) => copy.pragma('journal_mode = DELETE'))
}

async function copyServer(
  storage: PostgresStorage,
  { name, file, progress }: { readonly name: string; readonly file: string; readonly progress: BackupProgress },
): Promise<void> {
  const target = await openSqlite(file, { features: storage.features })
  try {
    await storage.snapshot((db) =>
      copyStore(
        { kind: 'postgres', name, storage: { ...storage, db }, isSnapshot: true },
        { kind: 'sqlite', name: file, storage: target },
        progress,
      ),
    )
  } finally {
    await target.close()
  }
}

interface PrefixedCopy {
  readonly name: string
  readonly prefix: string
  readonly file: string
  readonly progress: BackupProgress
  readonly pages: CopyProgress
}

/** First copies the whole database, as of one moment, into a file beside the backup. */
async function copyPrefixed(storage: SqliteStorage, { name, prefix, file, progress, pages }: PrefixedCopy) {
  const whole = `${file}-whole`
  try {
    await storage.copyTo(whole, pages)
    const { features } = storage
    const [source, target] = [await openSqlite(whole, { prefix, features }), await openSqlite(file, { features })]
    try {
      const from = { kind: 'sqlite', name, storage: source, isSnapshot: true } as const
      await copyStore(from, { kind: 'sqlite', name: file, storage: target }, progress)
    } finally {
      await source.close()
      await target.close()
    }
  } finally {
    for (const suffix of ['', '-wal', '-shm']) await rm(`${whole}${suffix}`, { force: true })
  }
}

async function onFile<T>(file: string, work: (copy: Sqlite.Database) => Promise<T>): Promise<T> {
  const copy = new Driver(file)
  try {
    return await work(copy)
  } catch (error) {
    throw asUnavailable(error)
  } finally {
    copy.close()
  }
}

function setNote(copy: Sqlite.Database, note: BackupNote): void {
  copy.prepare('delete from facts where name = ?').run(noteFact)
  copy.prepare('insert into facts (name, value) values (?, ?)').run(noteFact, JSON.stringify(note))
}

/** Files whose contents are not in the database. */
const withoutContent = 'select account_id, sha256 from files where length(content) = 0'

/** Puts contents into the rows of their files. */
async function fillFiles(
  copy: Sqlite.Database,
  contents: FileContents,
  progress: (done: number, of: number) => void,
): Promise<BackedUp> {
  const absent = copy.prepare<[], { account_id: string; sha256: string }>(withoutContent).all()
  const fill = copy.prepare('update files set content = ? where account_id = ? and sha256 = ?')
  let missing = 0
  for (const [index, { account_id, sha256 }] of absent.entries()) {
    const content = await contents.get(account_id, sha256)
    if (content === null) missing += 1
    else fill.run(content, account_id, sha256)
    progress(index + 1, absent.length)
  }
  return { files: absent.length - missing, elsewhere: 0, missing }
}

/** Counts the contents that exist outside, and those that are missing. */
async function compareFiles(
  copy: Sqlite.Database,
  contents: FileContents,
  progress: (done: number) => void,
): Promise<BackedUp> {
  copy.exec('create temp table there (account_id text, sha256 text, primary key (account_id, sha256)) without rowid')
  const note = copy.prepare('insert or ignore into there values (?, ?)')
  let listed = 0
  for await (const { account_id, sha256 } of contents.list()) {
    note.run(account_id, sha256)
    listed += 1
    progress(listed)
  }
  const count = (which: string) =>
    copy.prepare<[], number>(`select count(*) from (${withoutContent}) ${which}`).pluck().get() ?? 0
  const named = count('')
  const missing = named - count('natural join there')
  copy.exec('drop table there')
  return { files: 0, elsewhere: named - missing, missing }
}

/** In an unchecked file, a view or a computed column of this name would run foreign SQL. */
const factsAreRows = `select 1 from sqlite_schema where name = 'facts' and type = 'table' and rootpage > 0
  and (select count(*) from pragma_table_info('facts') where name in ('name', 'value')) = 2`

/** Null for a file that is not a backup. */
export function readBackupNote(file: string): BackupNote | null {
  try {
    const database = new Driver(file, { readonly: true, fileMustExist: true })
    try {
      database.pragma('trusted_schema = OFF')
      if (database.prepare(factsAreRows).get() === undefined) return null
      const note = database.prepare<[string], string>('select value from facts where name = ?').pluck().get(noteFact)
      return note === undefined ? null : parsed<BackupNote>(note)
    } finally {
      database.close()
    }
  } catch (error) {
    if (error instanceof Driver.SqliteError || error instanceof SyntaxError) return null
    throw error
  }
}

/** Whether SQLite finds all pages of the file intact. */
export function isIntactBackup(file: string): boolean {
  try {
    const database = new Driver(file, { readonly: true, fileMustExist: true })
    try {
      return database.pragma('quick_check(1)', { simple: true }) === 'ok'
    } finally {
      database.close()
    }
  } catch (error) {
    if (error instanceof Driver.SqliteError) return false
    throw error
  }
}

/**
 * Turns a backup into a store: removes its note, the leases that were held, and rows that are useless in another store.
 */
export async function takeIntoUse({ db, tables }: Pick<OpenedStorage, 'db' | 'tables'>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const [name, table] of tables.all)
      if (table.copied === null) await sql`delete from ${sql.table(name)}`.execute(trx)
    await trx.updateTable('delivery_queue').set({ lease_token: null }).where('lease_token', 'is not', null).execute()
    await trx.deleteFrom('facts').where('name', '=', noteFact).execute()
  })
}
