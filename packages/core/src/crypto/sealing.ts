import { nodeCrypto, sha256Of } from '../node-crypto.js'
import type { Random } from '../values/random.js'
import { Secret } from './secret.js'

/** Encrypts secrets at rest (AES-256-GCM), each bound to its owner. */
export interface Sealer {
  /**
   * The first 16 hex characters of the key's SHA-256. With them, an error can say whether a text was sealed with
   * another key or is damaged.
   */
  readonly keyId: string
  /** Seals a text for its owner: a text that was sealed for one endpoint cannot be opened for another. */
  seal(plain: Secret, owner: string): string
  /** @throws Error when the text was sealed with another key, or the text or its owner was altered */
  open(sealed: string, owner: string): Secret
}

/**
 * Finds the key with an id. A sealer calls it again for an id that it did not know, because a key may have been added
 * meanwhile.
 */
export type FindKey = (keyId: string) => Uint8Array | undefined

/**
 * Makes a sealer.
 * @param key 32 bytes; for sealing
 * @param findKey finds other keys for opening, during a rotation
 * @throws {TypeError} for a key of another length
 */
export function createSealer(key: Uint8Array, random: Random, findKey: FindKey = () => undefined): Sealer {
  if (key.length !== 32)
    throw new TypeError(
      `the secret key must have 32 bytes (found ${key.length}): decode the text that openssl rand -base64 32 prints`,
    )
  const keyId = keyIdOf(key)
  return {
    keyId,
    seal(plain, owner) {
      const iv = random(12)
      const cipher = nodeCrypto().createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner))
      const text = Buffer.concat([cipher.update(plain.reveal(), 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v1.${keyId}.${Buffer.from(iv).toString('base64url')}.${text.toString('base64url')}`
    },
    open(sealed, owner) {
      const [version, sealedWith, iv, text] = sealed.split('.')
      if (version !== 'v1' || iv === undefined || text === undefined) throw new Error('not a sealed text')
      const itsKey = sealedWith === keyId ? key : findKey(sealedWith ?? '')
      if (itsKey === undefined) throw new Error(`sealed with key ${sealedWith}, but the key in use is ${keyId}`)
      const bytes = Buffer.from(text, 'base64url')
      const decipher = nodeCrypto().createDecipheriv('aes-256-gcm', itsKey, Buffer.from(iv, 'base64url'))
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-16))
      return new Secret(decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8'))
    },
  }
}

/** An id that distinguishes keys, and reveals nothing about them. */
export function keyIdOf(key: Uint8Array): string {
  return sha256Of(key).slice(0, 16)
}
