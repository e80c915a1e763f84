import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConflictError, keyIdOf } from '@sav/core'
import { openSqlite, type SqliteStorage } from '@sav/storage-kysely/sqlite'
import { CommandError } from './command-error.js'
import { composeWithoutWorker, type Keys } from './compose.js'
import { makeSecretKey, readSecretKeys, secretKeyFinder } from './secret-key.js'
import { keyFact } from './secret-key-rotation.js'
import type { Settings } from './settings.js'

export interface OpenStore extends Keys {
  readonly storage: SqliteStorage
}

/** What `makeStore` had to make. */
export interface Made {
  readonly migrations: readonly string[]
  readonly secretKey: boolean
  readonly account: boolean
}

/**
 * Opens a store that `sav init` has made, on the schema of this version and with its own secret key.
 * @throws CommandError when any of this is not so, saying what to do; UnavailableError when it is busy or away
 */
export async function openStore(settings: Settings): Promise<OpenStore> {
  const storage = await openFile(settings)
  try {
    await bringUpToDate(storage, settings)
    return { storage, ...(await matchingKeys(storage, settings)) }
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** The store; made first where there is none yet, or only the beginnings of one. */
export async function openOrMakeStore(settings: Settings): Promise<OpenStore> {
  try {
    return await openStore(settings)
  } catch (error) {
    if (error instanceof CommandError && error.code === 'not_initialised') return makeStore(settings)
    throw error
  }
}

/**
 * Makes what is missing of a store: its directory, its schema, its secret key and the account `default`. What is there
 * stays as it is, the key above all: without it nothing that it sealed can be opened again.
 */
export async function makeStore(settings: Settings): Promise<OpenStore & { readonly made: Made }> {
  await mkdir(dirname(settings.database), { recursive: true, mode: 0o700 })
  const storage = await openDatabase(settings.database)
  try {
    const migrations = await storage.migrate()
    const isNew = (await storage.fact(keyFact)) === null
    const secretKey = isNew && (await makeKeyUnlessThere(settings))
    if (isNew) await noteKey(storage, settings)
    const opened = { storage, ...(await matchingKeys(storage, settings)) }
    return { ...opened, made: { migrations, secretKey, account: await addDefaultAccount(settings, opened) } }
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** @throws CommandError when it is not initialised */
export async function openFile(settings: Settings): Promise<SqliteStorage> {
  const { database } = settings
  await access(database, constants.R_OK | constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? notInitialised(database) : error
  })
  const storage = await openDatabase(database)
  try {
    if (!(await isInitialised(storage))) throw notInitialised(database)
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

async function openDatabase(path: string): Promise<SqliteStorage> {
  return openSqlite(path).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'SQLITE_NOTADB')) throw error
    throw new CommandError('not_a_database', `${path} is no SQLite database: point SAV_DATABASE to another file.`, {
      cause: error,
    })
  })
}

/** An interrupted first start leaves a file without a schema, or a schema without the note of its key. */
async function isInitialised(storage: SqliteStorage): Promise<boolean> {
  const tables = await storage.db.introspection.getTables()
  return tables.some(({ name }) => name === 'facts') && (await storage.fact(keyFact)) !== null
}

async function bringUpToDate(storage: SqliteStorage, { autoMigrate }: Settings): Promise<void> {
  const pending = await storage.pendingMigrations()
  if (pending.length === 0) return
  if (autoMigrate) await storage.migrate()
  else
    throw new CommandError('pending_migrations', `The store misses ${pending.join(', ')}: run \`sav migrate\` first.`)
}

async function matchingKeys(storage: SqliteStorage, settings: Settings): Promise<Keys> {
  const problem = await keyProblem(storage, settings)
  if (problem !== null) throw new CommandError('wrong_secret_key', problem)
  return { secretKey: await newestKey(settings), findSecretKey: secretKeyFinder(settings) }
}

async function newestKey(settings: Settings): Promise<Uint8Array> {
  const [key] = await readSecretKeys(settings)
  if (key === undefined) throw new Error(`${settings.secretKeyFile} has just gone.`)
  return key
}

/** Null, or why the key of the settings is not the one that sealed the store's secrets, and what to do about it. */
export async function keyProblem(storage: SqliteStorage, settings: Settings): Promise<string | null> {
  const expected = await storage.fact(keyFact)
  const [newest, ...earlier] = await readSecretKeys(settings)
  const restore = 'restore it from your backup, or name the right one with SAV_SECRET_KEY or SAV_SECRET_KEY_FILE'
  if (newest === undefined)
    return `The store was made with the secret key ${expected}, and ${settings.secretKeyFile} is missing: ${restore}.`
  if ([newest, ...earlier].some((key) => keyIdOf(key) === expected)) return null
  const where = settings.secretKey === null ? settings.secretKeyFile : 'SAV_SECRET_KEY'
  return `The store was made with the secret key ${expected}, and ${where} holds ${keyIdOf(newest)}: ${restore}.`
}

async function makeKeyUnlessThere(settings: Settings): Promise<boolean> {
  if ((await readSecretKeys(settings)).length > 0) return false
  return makeSecretKey(settings.secretKeyFile)
}

async function noteKey(storage: SqliteStorage, settings: Settings): Promise<void> {
  const key = await newestKey(settings)
  await storage.transaction(async (tx) => {
    if ((await tx.fact(keyFact)) === null) await tx.setFact(keyFact, keyIdOf(key))
  })
}

async function addDefaultAccount(settings: Settings, store: OpenStore): Promise<boolean> {
  try {
    await composeWithoutWorker(settings, store).accounts.add('default')
    return true
  } catch (error) {
    if (error instanceof ConflictError) return false
    throw error
  }
}

function notInitialised(database: string): CommandError {
  return new CommandError(
    'not_initialised',
    `There is no store at ${database}: run \`sav init\` first, or point SAV_DATABASE to the right one.`,
  )
}
