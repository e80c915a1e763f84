import ipaddr from 'ipaddr.js'
import { type LimitPolicy, type Quota, type RateLimitState, rateOf, roundingError, wholeSeconds } from './rate-limit.js'

/**
 * The most buckets, to bound the memory. Beyond this number, the caller seen longest ago is forgotten, which gives that
 * caller a full bucket again.
 */
const maxBuckets = 10_000

/** A token bucket for each caller of one kind, in this process. A bucket refills evenly. */
export class TokenBuckets {
  readonly #policy: LimitPolicy
  readonly #quota: Quota
  /** By caller, in the order of their last calls. */
  readonly #buckets = new Map<string, { readonly level: number; readonly at: number }>()

  /** @param policy the name of the limit in answers to callers */
  constructor(policy: LimitPolicy, quota: Quota) {
    this.#policy = policy
    this.#quota = quota
  }

  /** Counts a call, and decides whether it is allowed. `now` is in milliseconds. */
  count(caller: string, now: number): RateLimitState {
    const quota = this.#quota
    const rate = rateOf(quota)
    const before = this.#buckets.get(caller) ?? { level: quota.quota, at: now }
    const filled = Math.min(quota.quota, before.level + (Math.max(0, now - before.at) / 1000) * rate)
    const allowed = filled >= 1 - roundingError
    const level = allowed ? filled - 1 : filled
    this.#buckets.delete(caller)
    this.#buckets.set(caller, { level, at: now })
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > maxBuckets && oldest !== undefined) this.#buckets.delete(oldest)
    return {
      ...quota,
      allowed,
      policy: this.#policy,
      remaining: Math.floor(level + roundingError),
      resetSeconds: wholeSeconds((quota.quota - level) / rate),
      retryAfterSeconds: allowed ? 0 : Math.max(1, wholeSeconds((1 - level) / rate)),
    }
  }

  /** Takes back the count of an allowed call. */
  giveBack(caller: string): void {
    const known = this.#buckets.get(caller)
    if (known !== undefined)
      this.#buckets.set(caller, { ...known, level: Math.min(this.#quota.quota, known.level + 1) })
  }
}

/** An IPv4 address, or the /64 of an IPv6 address, which usually belongs to one caller. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString()
}
