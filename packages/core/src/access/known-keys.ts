import { Secret } from '../crypto/secret.js'
import { sha256Of } from '../node-crypto.js'
import { TtlCache } from '../running/ttl-cache.js'
import type { Clock } from '../time/clock.js'
import type { ApiKeyRecord } from './api-key.js'
import type { KeyReads } from './key-store.js'
import { hasValidChecksum, looksLikeKey } from './key-text.js'

/** A cache of the keys that were presented a moment ago. */
export interface KnownKeys {
  /** The record of the key; null when it is malformed or unknown. */
  find(key: string, keys: Pick<KeyReads, 'findByHash'>): Promise<ApiKeyRecord | null>
  /** The next `find` reads the store. A read that is under way is not cached. */
  forget(id: string): void
}

/** How long a key is cached, so that a revocation applies everywhere within a second. */
const ttlMs = 500

export function createKnownKeys(clock: Pick<Clock, 'monotonic'>): KnownKeys {
  /** By the SHA-256 (lowercase hex) of the whole key. */
  const cache = new TtlCache<string, ApiKeyRecord>(clock, ttlMs)
  let changes = 0

  return {
    async find(key, keys) {
      if (!looksLikeKey(key)) return null
      const keyHash = sha256Of(key)
      const known = cache.get(keyHash)
      if (known !== undefined) return known
      if (!hasValidChecksum(key)) return null

      const changesBefore = changes
      const record = await keys.findByHash(keyHash)
      // This comparison decides, not that of a database, which may take two texts for one.
      const isIt = record !== null && new Secret(record.hash).equals(new Secret(keyHash))
      // Unknown keys are not cached: a guesser could fill the memory with them.
      if (!isIt) cache.delete(keyHash)
      else if (changes === changesBefore) cache.set(keyHash, record)
      return isIt ? record : null
    },

    forget(id) {
      changes += 1
      cache.forget((record) => record.id === id)
    },
  }
}
