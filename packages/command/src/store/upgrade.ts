import { basename, dirname, extname, join } from 'node:path'
import { CommandError, messageOf } from '../process/command-error.js'
import { writeWhole } from '../process/whole-file.js'
import type { DatabaseAddress } from '../settings/database-address.js'
import type { Settings } from '../settings/settings.js'
import type { StoreStorage } from './database.js'
import { noteFor, stampOf, withoutSeal } from './note.js'
import { seal } from './seal.js'
import { storeKey } from './store-key.js'

/** Announces the next step, at the terminal or in the log. */
export type Announce = (sentence: string) => void

export interface UpgradeResult {
  readonly migrations: readonly string[]
  /** The path of a copy of the store as it was before; null if the store was empty, or is on PostgreSQL. */
  readonly backup: string | null
}

/**
 * Brings the schema up to date. A SQLite store with data is copied first, since after a migration that `breaks`, no
 * earlier release can use the store.
 */
export async function upgrade(storage: StoreStorage, settings: Settings, announce: Announce): Promise<UpgradeResult> {
  const { database } = settings
  const pending = await storage.pendingMigrations()
  if (pending.length === 0 || !(await holdsSomething(storage)))
    return { migrations: await storage.migrate(), backup: null }
  const secretKey = await storeKey(storage, settings)
  const backup =
    database.kind === 'sqlite' ? await copyBefore(pending, { storage, database, secretKey, announce }) : null
  announce(`Migrating ${database.name} to the schema of this release: ${pending.join(', ')}.`)
  return { migrations: await storage.migrate(), backup }
}

async function holdsSomething(storage: StoreStorage): Promise<boolean> {
  if (!(await storage.hasTables())) return false
  return (await storage.db.selectFrom('accounts').select('id').limit(1).execute()).length > 0
}

async function copyBefore(
  [first = '']: readonly string[],
  {
    storage,
    database,
    secretKey,
    announce,
  }: {
    readonly storage: StoreStorage
    /** The key with which the copy is sealed; null if the key is missing. */
    readonly secretKey: Uint8Array | null
    readonly database: Extract<DatabaseAddress, { kind: 'sqlite' }>
    readonly announce: Announce
  },
): Promise<string> {
  const { backUp, completeBackup } = await import('@sav/storage-kysely/backup')
  const note = noteFor({ of: database.name, secretKey })
  const stem = basename(database.path, extname(database.path))
  const file = join(dirname(database.path), `${stem}-before-${first}-${stampOf(note)}.db`)
  announce(`Copying ${database.name} as it is to ${file} first.${secretKey === null ? ` ${withoutSeal}` : ''}`)
  try {
    await writeWhole(file, async (unfinished) => {
      // A store with a prefix shares its file with another program. The whole file is copied, which is not a backup of
      // ours.
      if (database.prefix !== '' && 'copyTo' in storage) return storage.copyTo(unfinished, () => {})
      const source = { storage, name: database.name, contents: null, withContents: false }
      await backUp(source, { file: unfinished, note, progress: () => {} })
      await completeBackup(unfinished)
      if (secretKey !== null) await seal(unfinished, secretKey)
    })
  } catch (error) {
    throw new CommandError(
      'backup_failed',
      `The store could not be copied before its schema changes, so nothing was changed: ${messageOf(error)} Make room in ${dirname(file)}, and start again.`,
      { cause: error },
    )
  }
  return file
}
