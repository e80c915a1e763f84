import { Secret } from '../crypto/secret.js'
import { sha256Of } from '../node-crypto.js'
import { TtlCache } from '../running/ttl-cache.js'
import type { Clock } from '../time/clock.js'
import type { ApiKeyRecord } from './api-key.js'
import type { KeyReads } from './key-store.js'
import { hasValidChecksum, looksLikeKey } from './key-text.js'

/** What is known of keys that were presented a moment ago. */
export interface KnownKeys {
  /** What was kept of the key, or null when it is malformed or unknown. */
  find(key: string, keys: Pick<KeyReads, 'findByHash'>): Promise<ApiKeyRecord | null>
  /** The next `find` asks the store; what is being read right now is not kept. */
  forget(id: string): void
}

/** A key is cached for this long, so that a revocation holds everywhere within a second. */
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
      // What decides is this comparison, not that of a database, which may take two texts for one.
      const isIt = record !== null && new Secret(record.hash).equals(new Secret(keyHash))
      // Unknown keys are not remembered: they would let a guesser fill the memory.
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
