import { Secret } from '../crypto/secret.js'
import { sha256Of } from '../node-crypto.js'
import { TtlCache } from '../running/ttl-cache.js'
import type { Clock } from '../time/clock.js'

/** A cache of the keys, or sessions, that were presented a moment ago. */
export interface KnownCredentials<Found> {
  /** Null when the secret is malformed or unknown. */
  find(secret: string, findByHash: (hash: string) => Promise<Found | null>): Promise<Found | null>
  /** The next `find` of those that match reads the store. A read that is under way is not cached. */
  forget(matches: (found: Found) => boolean): void
  /** The same for one secret. */
  forgetSecret(secret: string): void
}

/** How long one is cached, so that a revocation, or an end, applies everywhere within a second. */
const ttlMs = 500

export interface CredentialKind<Found> {
  readonly isWellFormed: (secret: string) => boolean
  /** The SHA-256 (lowercase hex) of the whole secret. */
  readonly hashOf: (found: Found) => string
}

/** Makes such a cache. */
export function createKnownCredentials<Found>(
  clock: Pick<Clock, 'monotonic'>,
  { isWellFormed, hashOf }: CredentialKind<Found>,
): KnownCredentials<Found> {
  /** By hash. */
  const cache = new TtlCache<string, Found>(clock, ttlMs)
  let changes = 0

  return {
    async find(secret, findByHash) {
      const hash = sha256Of(secret)
      const known = cache.get(hash)
      if (known !== undefined) return known
      if (!isWellFormed(secret)) return null

      const changesBefore = changes
      const found = await findByHash(hash)
      // This comparison decides, not that of a database, which may take two texts for one.
      const isIt = found !== null && new Secret(hashOf(found)).equals(new Secret(hash))
      // Unknown ones are not cached: a guesser could fill the memory with them.
      if (isIt && changes === changesBefore) cache.set(hash, found)
      return isIt ? found : null
    },
    forget(matches) {
      changes += 1
      cache.forget(matches)
    },
    forgetSecret(secret) {
      changes += 1
      cache.delete(sha256Of(secret))
    },
  }
}
