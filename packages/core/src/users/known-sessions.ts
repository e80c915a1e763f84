import { isSecret } from '../crypto/prefixed-secrets.js'
import { Secret } from '../crypto/secret.js'
import { sha256Of } from '../node-crypto.js'
import { TtlCache } from '../running/ttl-cache.js'
import type { Clock } from '../time/clock.js'
import type { SessionRecord } from './session.js'
import type { SessionReads } from './session-store.js'
import type { User } from './user.js'

export interface KnownSession {
  readonly session: SessionRecord
  readonly user: User
}

/** A cache of the sessions that were presented a moment ago. */
export interface KnownSessions {
  /** Null when the secret is malformed or unknown. */
  find(secret: string, sessions: Pick<SessionReads, 'findByHash'>): Promise<KnownSession | null>
  /** The next `find` of a session of this person reads the store. A read that is under way is not cached. */
  forget(user_id: string): void
  /** The same for one session. */
  forgetSecret(secret: string): void
}

/** How long a session is cached, so that its end applies everywhere within a second. */
const ttlMs = 500

export function createKnownSessions(clock: Pick<Clock, 'monotonic'>): KnownSessions {
  /** By the SHA-256 (lowercase hex) of the secret. */
  const cache = new TtlCache<string, KnownSession>(clock, ttlMs)
  let changes = 0

  return {
    async find(secret, sessions) {
      if (!isSecret('session', secret)) return null
      const secretHash = sha256Of(secret)
      const known = cache.get(secretHash)
      if (known !== undefined) return known

      const changesBefore = changes
      const read = await sessions.findByHash(secretHash)
      // This comparison decides, not that of a database, which may take two texts for one.
      if (read === null || !new Secret(read.session.hash).equals(new Secret(secretHash))) return null
      if (changes === changesBefore) cache.set(secretHash, read)
      return read
    },
    forget(user_id) {
      changes += 1
      cache.forget(({ user }) => user.id === user_id)
    },
    forgetSecret(secret) {
      changes += 1
      cache.delete(sha256Of(secret))
    },
  }
}
