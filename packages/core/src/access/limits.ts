import { sha256Of } from '../node-crypto.js'
import { createAddressLimit } from './address-limit.js'
import type { LimitedKind, RateLimitState } from './rate-limit.js'
import { SharedLimit, type SharedLimitDeps } from './shared-limit.js'

/** The number of calls that callers may make in a time. A key has one quota in all processes together. */
export interface Limits {
  /**
   * Counts a call of this key, or of this person; null when limits are off. It never rejects: while the store is away
   * this process decides alone.
   */
  take(caller_id: string, kind: LimitedKind): Promise<RateLimitState | null>
  /**
   * Counts a call without a valid key. It is called only for those, so that a valid key behind the same address is
   * never refused. Null when limits are off.
   */
  failedAuthentication(ip: string): RateLimitState | null
  /** Counts a request that needs no key. Null when limits are off. */
  publicLook(ip: string): RateLimitState | null
  /** Counts a reading of the page behind a link, from any address. Null when limits are off. */
  pageReading(secret: string): RateLimitState | null
}

export interface SharedLimits extends Limits {
  /** As `SharedLimit.exchange`. */
  exchange(): Promise<void>
}

export interface LimitsDeps extends Omit<SharedLimitDeps, 'rateLimit'> {
  readonly rateLimit: SharedLimitDeps['rateLimit'] | null
}

export function createLimits({ rateLimit, ...deps }: LimitsDeps): SharedLimits {
  if (rateLimit === null)
    return {
      take: async () => null,
      failedAuthentication: () => null,
      publicLook: () => null,
      pageReading: () => null,
      exchange: async () => {},
    }

  const { clock } = deps
  const callers = new SharedLimit({ ...deps, rateLimit })
  const failed = createAddressLimit('failed-authentications')
  const looks = createAddressLimit('public-looks')
  const readings = createAddressLimit('page-readings')
  return {
    take: (caller_id, kind) => callers.take(kind, caller_id),
    failedAuthentication: (ip) => failed.count(ip, clock.now()),
    publicLook: (ip) => looks.count(ip, clock.now()),
    pageReading: (secret) => readings.count(`page ${sha256Of(secret)}`, clock.now()),
    exchange: () => callers.exchange(),
  }
}
