import { Secret } from '../crypto/secret.js'
import { sha256Of } from '../node-crypto.js'
import { TtlCache } from '../running/ttl-cache.js'
import type { Clock } from '../time/clock.js'

/** A cache of the keys or sessions presented a moment ago. */
export interface KnownCredentials<Found> {
  /** The key or session with this secret; null when the secret is malformed or unknown. */
  find(secret: string, findByHash: (hash: string) => Promise<Found | null>): Promise<Found | null>
  /**
   * Removes matching keys or sessions, so that the next `find` reads the store. The result of a read in progress is not
   * cached.
   */
  forget(matches: (found: Found) => boolean): void
  /** Like `forget`, for one secret. */
  forgetSecret(secret: string): void
}

/** How long a key or session is cached. A revocation therefore applies in every process within a second. */
const ttlMs = 500

export interface CredentialKind<Found> {
  readonly isWellFormed: (secret: string) => boolean
  /** The SHA-256 (lowercase hex) of the whole secret. */
  readonly hashOf: (found: Found) => string
}

/** Creates a cache of keys or of sessions. */
export function createKnownCredentials<Found>(
  clock: Pick<Clock, 'monotonic'>,
  { isWellFormed, hashOf }: CredentialKind<Found>,
): KnownCredentials<Found> {
  /** Keys or sessions by the hash of their secret. */
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
      // This comparison decides, because a database may consider two different texts equal.
      const isIt = found !== null && new Secret(hashOf(found)).equals(new Secret(hash))
      // Unknown secrets are not cached, since guesses could fill the memory.
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
