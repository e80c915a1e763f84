import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConflictError } from '@sav/core'
import { keyIdOf, secretKeyFact } from '@sav/core/internal'
import { closedAfter } from '../process/closing.js'
import { CommandError } from '../process/command-error.js'
import type { Settings } from '../settings/settings.js'
import { compose, type Keys } from './compose.js'
import { refuseUnfinishedCopy } from './copy-refusals.js'
import { notInitialised, openDatabase, openOrMakeDatabase, type StoreStorage } from './database.js'
import { keylessStore } from './keyless-store.js'
import { cliActor } from './local-actor.js'
import { makeSecretKey, readSecretKeys, secretKeyFinder } from './secret-key.js'
import { keyProblem } from './store-key.js'
import { type Announce, upgrade } from './upgrade.js'

export interface OpenStore extends Keys {
  readonly storage: StoreStorage
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
export async function openStore(settings: Settings, announce: Announce): Promise<OpenStore> {
  const storage = await openInitialised(settings)
  return closingUnless(storage, async () => {
    await bringUpToDate(storage, settings, announce)
    return { storage, ...(await matchingKeys(storage, settings)) }
  })
}

/** The same, for a command: without its key it does what needs none. */
export async function openStoreForCommand(settings: Settings, announce: Announce): Promise<OpenStore> {
  const storage = await openInitialised(settings)
  return closingUnless(storage, async () => {
    await bringUpToDate(storage, settings, announce)
    const problem = await keyProblem(storage, settings)
    if (problem !== null) return keylessStore(storage, wrongKey(problem))
    return { storage, ...(await matchingKeys(storage, settings)) }
  })
}

/**
 * The store; made first where there is none yet, or only the beginnings of one. The schema is left to `sav migrate`
 * where the settings say so.
 */
export async function openOrMakeStore(settings: Settings, announce: Announce): Promise<OpenStore> {
  try {
    return await openStore(settings, announce)
  } catch (error) {
    if (!(error instanceof CommandError && error.code === 'not_initialised')) throw error
    if (!settings.autoMigrate) await refuseWithoutSchema(settings)
    return makeStore(settings, announce)
  }
}

/**
 * Makes what is missing of a store: its directory, its schema, its secret key and the account `default`. What is there
 * stays as it is, the key above all: without it nothing that it sealed can be opened again.
 */
export async function makeStore(settings: Settings, announce: Announce): Promise<OpenStore & { readonly made: Made }> {
  const storage = await openOrMakeDatabase(settings.database)
  return closingUnless(storage, async () => {
    await refuseNewer(storage, settings)
    const { migrations } = await upgrade(storage, settings, announce)
    await refuseUnfinishedCopy({ ...settings.database, storage })
    const isNew = (await storage.reads.facts.get(secretKeyFact)) === null
    const secretKey = isNew && (await makeKeyUnlessThere(settings))
    if (isNew) await noteKey(storage, settings)
    const opened = { storage, ...(await matchingKeys(storage, settings)) }
    return { ...opened, made: { migrations, secretKey, account: await addDefaultAccount(settings, opened) } }
  })
}

/** @throws CommandError when it is not initialised */
export async function openInitialised(settings: Settings): Promise<StoreStorage> {
  const storage = await openDatabase(settings.database)
  return closingUnless(storage, async () => {
    if (!(await storage.hasTables())) throw notInitialised(settings.database)
    await refuseNewer(storage, settings)
    await refuseUnfinishedCopy({ ...settings.database, storage })
    // An interrupted first start leaves a schema without the note of its key.
    if ((await storage.reads.facts.get(secretKeyFact)) === null) throw notInitialised(settings.database)
    return storage
  })
}

/** @throws CommandError for a store that a later release has changed: part of it might seem to work */
export async function refuseNewer(storage: StoreStorage, { database }: Pick<Settings, 'database'>): Promise<void> {
  const newer = await storage.newerMigrations()
  if (newer.length > 0)
    throw new CommandError(
      'newer_schema',
      `${database.name} belongs to a newer release of sav (${newer.join(', ')}): use that release, or restore the backup that was made before it.`,
    )
}

/** What `work` resolves to; when it rejects, the store is closed first. */
async function closingUnless<T>(storage: StoreStorage, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await storage.close()
    throw error
  }
}

async function refuseWithoutSchema({ database }: Settings): Promise<void> {
  return closedAfter(openDatabase(database), async (storage) => {
    const pending = await storage.pendingMigrations()
    if (pending.length > 0) throw pendingMigrations(pending)
  })
}

async function bringUpToDate(storage: StoreStorage, settings: Settings, announce: Announce): Promise<void> {
  const pending = await storage.pendingMigrations()
  if (pending.length === 0) return
  if (!settings.autoMigrate) throw pendingMigrations(pending)
  await upgrade(storage, settings, announce)
}

function pendingMigrations(pending: readonly string[]): CommandError {
  return new CommandError('pending_migrations', `The store misses ${pending.join(', ')}: run \`sav migrate\` first.`)
}

async function matchingKeys(storage: StoreStorage, settings: Settings): Promise<Keys> {
  const problem = await keyProblem(storage, settings)
  if (problem !== null) throw wrongKey(problem)
  return { secretKey: await newestKey(settings), findSecretKey: secretKeyFinder(settings) }
}

const wrongKey = (problem: string) => new CommandError('wrong_secret_key', problem)

async function newestKey(settings: Settings): Promise<Uint8Array> {
  const [key] = await readSecretKeys(settings)
  if (key === undefined) throw new Error(`${settings.secretKeyFile} has just gone.`)
  return key
}

async function makeKeyUnlessThere(settings: Settings): Promise<boolean> {
  if ((await readSecretKeys(settings)).length > 0) return false
  await mkdir(dirname(settings.secretKeyFile), { recursive: true, mode: 0o700 })
  return makeSecretKey(settings.secretKeyFile)
}

async function noteKey(storage: StoreStorage, settings: Settings): Promise<void> {
  const key = await newestKey(settings)
  await storage.transaction(async (tx) => {
    if ((await tx.facts.get(secretKeyFact)) === null) await tx.facts.set(secretKeyFact, keyIdOf(key))
  })
}

async function addDefaultAccount(settings: Settings, store: OpenStore): Promise<boolean> {
  try {
    await compose(settings, store).accounts.add(cliActor('default'), 'default')
    return true
  } catch (error) {
    if (error instanceof ConflictError) return false
    throw error
  }
}
