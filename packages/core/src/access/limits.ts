import { sha256Of } from '../node-crypto.js'
import type { Clock } from '../time/clock.js'
import {
  accountQuota,
  type LimitedKind,
  type LimitPolicy,
  type Quota,
  type RateLimit,
  type RateLimitState,
} from './rate-limit.js'
import { networkOf, TokenBuckets } from './token-buckets.js'

/** The caller of a request with a valid key or session. */
export interface LimitedCaller {
  readonly account_id: string
  /** The id of the key, or of the user. */
  readonly id: string
}

/** Rate limits. Each process counts separately. */
export interface Limits {
  /**
   * Counts a call for its key or user, and for its account. Returns the state of the limit that refuses the call, or
   * else that of the key or user. Null when limits are off.
   */
  take(caller: LimitedCaller, kind: LimitedKind): RateLimitState | null
  /**
   * Counts a call without a valid key, or a failed sign-in. For a key or an invitation, call it only after its hash was
   * looked up and not found: otherwise other callers at the same address could block a valid one. For a check that
   * costs more, call it before the check, and take the count back with `authenticated` if the check succeeds. Null when
   * limits are off.
   */
  failedAuthentication(ip: string): RateLimitState | null
  /** Takes back a count of `failedAuthentication`, after the attempt succeeded. */
  authenticated(ip: string): void
  /** Counts a request that needs no key. Null when limits are off. */
  publicLook(ip: string): RateLimitState | null
  /** Counts a view of the page behind a link, from any address. Null when limits are off. */
  pageReading(secret: string): RateLimitState | null
}

const perMinute = (quota: number): Quota => ({ quota, windowSeconds: 60 })

export function createLimits(rateLimit: RateLimit, clock: Pick<Clock, 'now'>): Limits {
  if (rateLimit === null)
    return {
      take: () => null,
      failedAuthentication: () => null,
      authenticated: () => {},
      publicLook: () => null,
      pageReading: () => null,
    }

  const buckets = (policy: LimitPolicy, quota: Quota) => new TokenBuckets(policy, quota)
  const ofCallers = (kind: LimitedKind) => buckets(kind, rateLimit[kind])
  const ofAccounts = (kind: LimitedKind) => buckets(`account-${kind}`, accountQuota(rateLimit, kind))
  const callers = { reads: ofCallers('reads'), writes: ofCallers('writes') }
  const accounts = { reads: ofAccounts('reads'), writes: ofAccounts('writes') }
  const failed = buckets('failed-authentications', perMinute(20))
  const looks = buckets('public-looks', perMinute(20))
  // Only one household and the scanners of its mailbox open a link, so this limit is enough for them.
  const readings = buckets('page-readings', perMinute(60))
  return {
    take({ account_id, id }, kind) {
      const caller = callers[kind].count(id, clock.now())
      if (!caller.allowed) return caller
      const account = accounts[kind].count(account_id, clock.now())
      return account.allowed ? caller : account
    },
    failedAuthentication: (ip) => failed.count(networkOf(ip), clock.now()),
    authenticated: (ip) => failed.giveBack(networkOf(ip)),
    publicLook: (ip) => looks.count(networkOf(ip), clock.now()),
    pageReading: (secret) => readings.count(sha256Of(secret), clock.now()),
  }
}
