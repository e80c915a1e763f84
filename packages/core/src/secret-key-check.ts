import { type FindKey, keyIdOf } from './crypto/sealing.js'
import type { Storage } from './storage.js'

/** The store's record of the key with which all its secrets are sealed. */
export const secretKeyFact = 'secret_key_id'

/**
 * Records the key in a store that has no record yet.
 * @throws Error when the store's secrets are sealed with a key that is neither `secretKey` nor known to `findSecretKey`
 */
export async function noteSecretKey(
  storage: Storage,
  { secretKey, findSecretKey }: { readonly secretKey: Uint8Array; readonly findSecretKey?: FindKey | undefined },
): Promise<void> {
  const id = keyIdOf(secretKey)
  const noted = await storage.transaction(async (tx) => {
    const found = await tx.facts.get(secretKeyFact)
    if (found === null) await tx.facts.set(secretKeyFact, id)
    return found ?? id
  })
  if (noted !== id && findSecretKey?.(noted) === undefined)
    throw new Error(
      `The store was made with the secret key ${noted}, but secretKey is ${id}: pass the key that opens its secrets.`,
    )
}
