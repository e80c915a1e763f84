import { nodeCrypto } from '../node-crypto.js'
import { type FindKey, keyIdOf } from './sealing.js'

/** Texts that callers receive and send back. They are signed, not secret, and each is valid for one owner only. */
export interface SignedTexts {
  /** Signs a text. The result is safe in URLs and in JSON: `version.key.text.signature`. */
  sign(owner: string, text: string): string
  /** The text; null if it was changed, or not signed here for this owner. */
  open(owner: string, signed: string): string | null
}

export interface SignedTextsOptions {
  /** 32 bytes. The signing key is derived from it (RFC 5869) and used for nothing else. */
  readonly secretKey: Uint8Array
  /** Finds other keys to verify with, during a rotation. */
  readonly findKey?: FindKey | undefined
  /** The purpose of these texts. A text that was signed for another purpose does not open. */
  readonly purpose: string
  /** The prefix of these texts. A new format takes a new one. */
  readonly version: string
}

/** Signs texts for one purpose, with a key that is derived from the secret key for this purpose alone. */
export function signedTexts({ secretKey, findKey, purpose, version }: SignedTextsOptions): SignedTexts {
  const derived = (key: Uint8Array) =>
    new Uint8Array(nodeCrypto().hkdfSync('sha256', key, new Uint8Array(), purpose, 32))
  const keyId = keyIdOf(secretKey)
  const ownKey = derived(secretKey)
  const signature = (key: Uint8Array, owner: string, encoded: string) =>
    nodeCrypto()
      .createHmac('sha256', key)
      .update(JSON.stringify([version, owner, encoded]))
      .digest()

  function keyOf(id: string): Uint8Array | null {
    if (id === keyId) return ownKey
    const other = findKey?.(id)
    return other === undefined ? null : derived(other)
  }

  return {
    sign(owner, text) {
      const encoded = Buffer.from(text).toString('base64url')
      return `${version}.${keyId}.${encoded}.${signature(ownKey, owner, encoded).toString('base64url')}`
    },
    open(owner, signed) {
      const [itsVersion, signedWith = '', encoded = '', given = ''] = signed.split('.')
      const key = keyOf(signedWith)
      if (itsVersion !== version || key === null) return null
      const expected = signature(key, owner, encoded)
      const bytes = Buffer.from(given, 'base64url')
      const stands = bytes.length === expected.length && nodeCrypto().timingSafeEqual(bytes, expected)
      return stands ? Buffer.from(encoded, 'base64url').toString() : null
    },
  }
}
