import { keyIdOf, secretKeyFact } from '@sav/core/adapter'
import type { Settings } from '../settings/settings.js'
import { compose } from './compose.js'
import type { StoreStorage } from './database.js'
import { newSecretKey, readSecretKeys, replaceSecretKeys, secretKeyFinder } from './secret-key.js'

/** Set when a rotation begins, so that two cannot begin at once. */
const rotationFact = 'secret_key_rotated_at'

/** The current one, and the previous one, with which processes started before the rotation still seal. */
const maxKeys = 2

export interface Rotation {
  readonly keyId: string
  /** Endpoints whose secrets are now sealed with the new key. */
  readonly endpoints: number
}

/**
 * Puts a new key above the others, or continues an interrupted rotation, and seals everything with it. The file is
 * written first, and the store's record last: at any point in between, the file has the key of each sealed text.
 * @param settings with a key in a file, which must be the store's
 */
export async function rotateSecretKey(settings: Settings, storage: StoreStorage): Promise<Rotation> {
  await storage.transaction(async (tx) => {
    await tx.facts.set(rotationFact, new Date().toISOString())
    const keys = await readSecretKeys(settings)
    // A repeated run of this transaction may have already written its key.
    if (keys[0] === undefined || keyIdOf(keys[0]) !== (await tx.facts.get(secretKeyFact))) return
    await replaceSecretKeys(settings.secretKeyFile, [newSecretKey(), ...keys])
  })
  return finishRotation(settings, storage)
}

/** A rotation was interrupted, or is running: some secrets are sealed with the previous key. */
export async function isRotating(settings: Settings, storage: StoreStorage): Promise<boolean> {
  const [newest] = await readSecretKeys(settings)
  return newest !== undefined && keyIdOf(newest) !== (await storage.reads.facts.get(secretKeyFact))
}

/** The steps after the new key is in the file, which may be repeated. */
export async function finishRotation(settings: Settings, storage: StoreStorage): Promise<Rotation> {
  const keys = await readSecretKeys(settings)
  const [secretKey] = keys
  if (secretKey === undefined) throw new Error(`${settings.secretKeyFile} has just disappeared.`)
  const keyId = keyIdOf(secretKey)
  const { webhooks } = await compose(settings, { storage, secretKey, findSecretKey: secretKeyFinder(settings) })
  const endpoints = await webhooks.endpoints.reseal()
  await storage.transaction((tx) => tx.facts.set(secretKeyFact, keyId))
  if (settings.secretKey === null && keys.length > maxKeys)
    await replaceSecretKeys(settings.secretKeyFile, keys.slice(0, maxKeys))
  return { keyId, endpoints }
}
