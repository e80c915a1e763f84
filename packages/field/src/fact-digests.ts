import { type FindKey, keyIdOf, nodeCrypto } from '@sav/core/feature'

/** Keyed digests that recognise repeated reports: without the key, no text can be guessed from a digest. */
export interface FactDigests {
  of(told: unknown): string
  /** Whether a digest may be that of `told`. An erased digest, or one whose key is gone, matches anything. */
  mayBe(digest: string, told: unknown): boolean
}

/** Replaces the digest of an erased client's report. */
export const erasedDigest = ''

/**
 * @param secretKey 32 bytes; the key of the digests is derived from it (RFC 5869), and used for nothing else
 * @param findKey finds the keys of earlier digests, during a rotation
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
