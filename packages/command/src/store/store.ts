import { existsSync, lstatSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConflictError } from '@sav/core'
import { keyIdOf, secretKeyFact } from '@sav/core/adapter'
import { closedAfter } from '../process/closing.js'
import { CommandError } from '../process/command-error.js'
import type { DatabaseAddress } from '../settings/database-address.js'
import type { Settings } from '../settings/settings.js'
import { compose, type Keys } from './compose.js'
import { refuseUnfinishedCopy } from './copy-refusals.js'
import {
  asHeld,
  isThere,
  notInitialised,
  openDatabase,
  openOrMakeDatabase,
  openToRead,
  refuseForeign,
  refuseWithoutStore,
  type StoreStorage,
} from './database.js'
import { makeFilesDirectory } from './file-contents.js'
import { keylessStore } from './keyless-store.js'
import { cliActor } from './local-actor.js'
import { makeSecretKey, readSecretKeys, secretKeyFinder } from './secret-key.js'
import { keyProblem } from './store-key.js'
import { type Announce, upgrade } from './upgrade.js'

export interface OpenStore extends Keys {
  readonly storage: StoreStorage
}

/** What `makeStore` created: the migrations that it ran, and whether it made the secret key and the account. */
export interface StoreParts {
  readonly migrations: readonly string[]
  readonly secretKey: boolean
  readonly account: boolean
}

/**
 * Opens a store that `sav init` created, with its secret key. Its schema is migrated first, if the settings allow it.
 * @throws CommandError if the store cannot be used; the message says what to do
 * @throws UnavailableError if the store is busy or unreachable
 */
export async function openStore(settings: Settings, announce: Announce): Promise<OpenStore> {
  const storage = await openInitialised(settings, openDatabase)
  return closingUnless(storage, async () => {
    await bringUpToDate(storage, settings, announce)
    return readied(storage, settings)
  })
}

/**
 * Like `openStore`, for commands: the store is never migrated. Without the secret key, everything that needs no key
 * still works.
 * @param feature the feature that the command belongs to; null for the core
 */
export async function openStoreForCommand(
  settings: Settings,
  { announce, feature }: { readonly announce: Announce; readonly feature: string | null },
): Promise<OpenStore> {
  const storage = await openInitialised(settings, asHeld(openToRead))
  return closingUnless(storage, async () => {
    await refusePending(storage)
    if (feature !== null && !storage.features.some(({ name }) => name === feature))
      throw new CommandError(
        'pending_migrations',
        `The store has no tables of ${feature}: \`sav migrate\` makes the tables of every feature.`,
      )
    const problem = await keyProblem(storage, settings)
    if (problem !== null) return keylessStore(storage, { refusal: wrongKey(problem), announce })
    return readied(storage, settings)
  })
}

/** Like `openStoreForCommand`, for a command that needs the secret key. */
export async function openStoreWithKey(settings: Settings): Promise<OpenStore> {
  const storage = await openInitialised(settings, openDatabase)
  return closingUnless(storage, async () => {
    await refusePending(storage)
    return readied(storage, settings)
  })
}

/**
 * Like `openStore`, but creates a missing store. If SAV_AUTO_MIGRATE is off, the store must already have its schema,
 * from `sav migrate`.
 */
export async function openOrMakeStore(settings: Settings, announce: Announce): Promise<OpenStore> {
  try {
    return await openStore(settings, announce)
  } catch (error) {
    if (!(error instanceof CommandError && error.code === 'not_initialised')) throw error
    if (!settings.autoMigrate) {
      if (!(await isThere(settings.database))) throw error
      await refuseWithoutSchema(settings)
    }
    await refuseKeyAlone(settings)
    const { made, ...opened } = await makeStore(settings, announce)
    announce(`Made the store ${settings.database.name}.`)
    if (made.secretKey)
      announce(
        `Made the secret key ${settings.secretKeyFile}: back it up apart from the store, whose webhook secrets it seals.`,
      )
    return opened
  }
}

/**
 * Refuses to create a store if there is already a secret key. The key's store may be on an unmounted volume, which a
 * new store would conceal.
 */
async function refuseKeyAlone({ database, secretKey, secretKeyFile }: Settings): Promise<void> {
  if (secretKey === null && !existsSync(secretKeyFile)) return
  if (await isThere(database)) return
  const key = secretKey === null ? secretKeyFile : 'SAV_SECRET_KEY'
  throw new CommandError(
    'key_without_store',
    `There is a secret key (${key}), but no store at ${database.name}. Is its volume mounted, and is SAV_DATABASE right? \`sav restore\` makes the store from a backup, \`sav init\` makes a new one for this key.`,
  )
}

/**
 * Refuses to create a key if its file is a link without a target. The store's own key may be on an unmounted volume,
 * and a new key would take its place.
 */
function refuseDeadLink({ secretKey, secretKeyFile }: Settings): void {
  if (secretKey !== null || existsSync(secretKeyFile)) return
  if (lstatSync(secretKeyFile, { throwIfNoEntry: false }) !== undefined)
    throw wrongKey(`${secretKeyFile} is a link whose target is missing: mount its volume, or remove the link.`)
}

/**
 * Creates the missing parts of a store: its directory, schema, secret key and the account `default`. Existing parts are
 * kept. Above all, the key is never replaced: without it, sealed secrets are lost.
 */
export async function makeStore(
  settings: Settings,
  announce: Announce,
): Promise<OpenStore & { readonly made: StoreParts }> {
  refuseDeadLink(settings)
  const storage = await openOrMakeDatabase(settings.database)
  return closingUnless(storage, async () => {
    await refuseForeign(storage, settings.database)
    await refuseNewer(storage, settings.database.name)
    const { migrations } = await upgrade(storage, settings, announce)
    await refuseUnfinishedCopy({ ...settings.database, storage })
    const isNew = (await storage.reads.facts.get(secretKeyFact)) === null
    const secretKey = isNew && (await makeKeyUnlessThere(settings))
    if (isNew) await noteKey(storage, settings)
    const opened = await readied(storage, settings)
    return { ...opened, made: { migrations, secretKey, account: await addDefaultAccount(settings, opened) } }
  })
}

/**
 * Opens a store that is completely initialised.
 * @throws CommandError if it is not
 */
export async function openInitialised(
  settings: Pick<Settings, 'database'>,
  open: (database: DatabaseAddress) => Promise<StoreStorage> = asHeld(openDatabase),
): Promise<StoreStorage> {
  const storage = await openTables(settings, open)
  return closingUnless(storage, async () => {
    await refuseUnfinishedCopy({ ...settings.database, storage })
    // If the first start was interrupted, the store has a schema, but no record of its key.
    if ((await storage.reads.facts.get(secretKeyFact)) === null) throw notInitialised(settings.database)
    return storage
  })
}

/**
 * Opens a store of this release or an earlier one, even if it has only its schema and no data.
 * @throws CommandError for anything else
 */
export async function openTables(
  settings: Pick<Settings, 'database'>,
  open: (database: DatabaseAddress) => Promise<StoreStorage>,
): Promise<StoreStorage> {
  const storage = await open(settings.database)
  return closingUnless(storage, async () => {
    await refuseWithoutStore(storage, settings.database)
    await refuseNewer(storage, settings.database.name)
    return storage
  })
}

/** @throws CommandError for a store that a later release has changed, even if parts of it might seem to work */
export async function refuseNewer(storage: StoreStorage, name: string): Promise<void> {
  const newer = await storage.newerMigrations()
  if (newer.length > 0)
    throw new CommandError(
      'newer_schema',
      `${name} belongs to a newer release of sav (${newer.join(', ')}): use that release, or restore the backup that was made before it.`,
    )
}

/** Returns the result of `work`. If `work` rejects, the store is closed first. */
async function closingUnless<T>(storage: StoreStorage, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await storage.close()
    throw error
  }
}

const refuseWithoutSchema = ({ database }: Settings): Promise<void> =>
  closedAfter(openDatabase(database), (storage) => refusePending(storage))

async function bringUpToDate(storage: StoreStorage, settings: Settings, announce: Announce): Promise<void> {
  if (!settings.autoMigrate) return refusePending(storage)
  if ((await storage.pendingMigrations()).length > 0) await upgrade(storage, settings, announce)
}

/** @throws CommandError if a migration is pending */
export async function refusePending(storage: StoreStorage): Promise<void> {
  const pending = await storage.pendingMigrations()
  if (pending.length > 0)
    throw new CommandError('pending_migrations', `The store lacks ${pending.join(', ')}: run \`sav migrate\` first.`)
}

/** The opened store with its keys. The directory for its files is created if it is missing. */
async function readied(storage: StoreStorage, settings: Settings): Promise<OpenStore> {
  const keys = await matchingKeys(storage, settings)
  await makeFilesDirectory(settings, storage)
  return { storage, ...keys }
}

async function matchingKeys(storage: StoreStorage, settings: Settings): Promise<Keys> {
  const problem = await keyProblem(storage, settings)
  if (problem !== null) throw wrongKey(problem)
  return { secretKey: await newestKey(settings), findSecretKey: secretKeyFinder(settings) }
}

const wrongKey = (problem: string) => new CommandError('wrong_secret_key', problem)

async function newestKey(settings: Settings): Promise<Uint8Array> {
  const [key] = await readSecretKeys(settings)
  if (key === undefined) throw new Error(`${settings.secretKeyFile} has just disappeared.`)
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
    await (await compose(settings, store)).accounts.add(cliActor('default'), 'default')
    return true
  } catch (error) {
    if (error instanceof ConflictError) return false
    throw error
  }
}
