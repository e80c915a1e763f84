import { keyIdOf, secretKeyFact } from '@sav/core/adapter'
import { CommandError } from '../process/command-error.js'
import type { Settings } from '../settings/settings.js'
import type { StoreStorage } from './database.js'
import { readSecretKeys } from './secret-key.js'

/**
 * What is wrong if the configured key is not the one with which the store's secrets are sealed, and what to do about
 * it; null if it is that key.
 */
export async function keyProblem(storage: StoreStorage, settings: Settings): Promise<string | null> {
  const expected = await storage.reads.facts.get(secretKeyFact)
  const copy = settings.database.kind === 'postgres' ? 'copy it from a machine that has it, ' : ''
  const restore = `${copy}restore it from your backup, or name the right one with SAV_SECRET_KEY or SAV_SECRET_KEY_FILE. If it is lost for good: \`sav secret-key replace --forget-webhook-secrets\``
  const keys = await readSecretKeys(settings).catch((error: unknown) => {
    if (error instanceof CommandError && error.code === 'bad_secret_key') return error
    throw error
  })
  const ofStore = `The store was made with the secret key ${expected}, and`
  if (keys instanceof CommandError) return `${ofStore} ${keys.message.split(': ', 1)[0]}: ${restore}.`
  const [newest, ...earlier] = keys
  if (newest === undefined) return `${ofStore} ${settings.secretKeyFile} is missing: ${restore}.`
  if ([newest, ...earlier].some((key) => keyIdOf(key) === expected)) return null
  const where = settings.secretKey === null ? settings.secretKeyFile : 'SAV_SECRET_KEY'
  return `${ofStore} ${where} holds ${keyIdOf(newest)}: ${restore}.`
}

/** The newest key of the settings; null if the keys of the settings are not the store's. */
export async function storeKey(storage: StoreStorage, settings: Settings): Promise<Uint8Array | null> {
  if ((await keyProblem(storage, settings)) !== null) return null
  const [newest] = await readSecretKeys(settings)
  return newest ?? null
}
