import { nodeCrypto } from '../node-crypto.js'
import { type FindKey, keyIdOf } from './sealing.js'

/** Texts that go to callers and come back. They are signed, not secret, and each is for one owner alone. */
export interface SignedTexts {
  /** In URLs as in JSON: `version.key.text.signature`. */
  sign(owner: string, text: string): string
  /** The text; null if it was not signed here, for this owner, or was changed. */
  open(owner: string, signed: string): string | null
}

export interface SignedTextsOptions {
  /** 32 bytes; the key that signs is derived from it (RFC 5869), and signs nothing else. */
  readonly secretKey: Uint8Array
  /** Verifies what another key has signed, while a rotation of keys is under way. */
  readonly findKey?: FindKey | undefined
  /** What these texts are for: those of another purpose do not open. */
  readonly purpose: string
  /** The beginning of these texts. A new form of the text takes a new one. */
  readonly version: string
}

/** Signs texts for one purpose, by a key that is derived from the secret key and signs nothing else. */
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
