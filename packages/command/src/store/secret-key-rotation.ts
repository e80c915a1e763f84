import { keyIdOf, secretKeyFact } from '@sav/core/adapter'
import type { Settings } from '../settings/settings.js'
import { compose } from './compose.js'
import type { StoreStorage } from './database.js'
import { newSecretKey, readSecretKeys, replaceSecretKeys, secretKeyFinder } from './secret-key.js'

/** Every rotation writes this fact first, so that two rotations cannot begin at the same time. */
const rotationFact = 'secret_key_rotated_at'

/**
 * How many keys the file keeps: the current one, and the previous one, with which processes that started before the
 * rotation still seal.
 */
const maxKeys = 2

export interface Rotation {
  readonly keyId: string
  /** Endpoints whose secrets are now sealed with the new key. */
  readonly endpoints: number
}

/**
 * Writes a new key before the others in the key file, and seals everything with it. An interrupted rotation is
 * continued. The file is written first and the store's record last, so that the file always has the key of every sealed
 * text.
 * @param settings must have the store's key in a file
 */
export async function rotateSecretKey(settings: Settings, storage: StoreStorage): Promise<Rotation> {
  await storage.transaction(async (tx) => {
    await tx.facts.set(rotationFact, new Date().toISOString())
    const keys = await readSecretKeys(settings)
    // If the newest key is not the recorded one, its rotation is unfinished, or this transaction is running again. Then
    // no key is added.
    if (keys[0] === undefined || keyIdOf(keys[0]) !== (await tx.facts.get(secretKeyFact))) return
    await replaceSecretKeys(settings.secretKeyFile, [newSecretKey(), ...keys])
  })
  return finishRotation(settings, storage)
}

/** Whether a rotation is running or was interrupted: some secrets may still be sealed with the previous key. */
export async function isRotating(settings: Settings, storage: StoreStorage): Promise<boolean> {
  const [newest] = await readSecretKeys(settings)
  return newest !== undefined && keyIdOf(newest) !== (await storage.reads.facts.get(secretKeyFact))
}

/** Performs the steps of a rotation after the new key is in the file. They may be repeated. */
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
