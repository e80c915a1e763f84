import { type FindKey, keyIdOf, nodeCrypto } from '@sav/core/feature'

/** Digests of reports, by which a repetition is recognised. Without the key, no text can be guessed from one. */
export interface FactDigests {
  of(told: unknown): string
  /** Whether a digest may be that of `told`: one that was erased, or whose key is gone, excludes nothing. */
  mayBe(digest: string, told: unknown): boolean
}

/** What the store keeps instead of a digest for an erased client. */
export const erasedDigest = ''

/**
 * @param secretKey 32 bytes; the key of the digests is derived from it (RFC 5869), and makes nothing else
 * @param findKey the keys of earlier digests, while a rotation of keys is under way
 */
export function createFactDigests(secretKey: Uint8Array, findKey?: FindKey): FactDigests {
  const derived = (key: Uint8Array) =>
    new Uint8Array(nodeCrypto().hkdfSync('sha256', key, new Uint8Array(), 'sav field fact', 32))
  const ownId = keyIdOf(secretKey)
  const ownKey = derived(secretKey)
  const digest = (id: string, key: Uint8Array, told: unknown) =>
    `${id}.${nodeCrypto().createHmac('sha256', key).update(JSON.stringify(told)).digest('base64url')}`
  return {
    of: (told) => digest(ownId, ownKey, told),
    mayBe(found, told) {
      const [id = ''] = found.split('.', 1)
      const other = id === ownId ? ownKey : findKey?.(id)
      return other === undefined || found === digest(id, other === ownKey ? ownKey : derived(other), told)
    },
  }
}
