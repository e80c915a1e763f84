import ipaddr from 'ipaddr.js'
import {
  type AddressPolicy,
  type Quota,
  type RateLimitState,
  rateOf,
  roundingError,
  wholeSeconds,
} from './rate-limit.js'

const quotas: Readonly<Record<AddressPolicy, Quota>> = {
  'failed-authentications': { quota: 20, windowSeconds: 60 },
  'public-looks': { quota: 20, windowSeconds: 60 },
  // One household reads it, and the scanners of its mailbox.
  'page-readings': { quota: 60, windowSeconds: 60 },
}

/** A bound on the memory: a caller with more addresses than this is not held up by any limit of this kind. */
const addressLimit = 10_000

/** How often callers from one address, or one IPv6 network (/64), may do what needs no key, or follow one link. */
export interface AddressLimit {
  /** Counts a call, and tells whether its address may go on. */
  count(ip: string, now: number): RateLimitState
}

/** @param policy the name under which callers are told of it */
export function createAddressLimit(policy: AddressPolicy): AddressLimit {
  const quota = quotas[policy]
  /** The addresses, the latest caller last. */
  const buckets = new Map<string, { readonly level: number; readonly at: number }>()
  const rate = rateOf(quota)

  return {
    count(ip, now) {
      const network = networkOf(ip)
      const before = buckets.get(network) ?? { level: quota.quota, at: now }
      const filled = Math.min(quota.quota, before.level + (Math.max(0, now - before.at) / 1000) * rate)
      const allowed = filled >= 1 - roundingError
      const level = allowed ? filled - 1 : filled
      buckets.delete(network)
      buckets.set(network, { level, at: now })
      const [oldest] = buckets.keys()
      if (buckets.size > addressLimit && oldest !== undefined) buckets.delete(oldest)
      return {
        ...quota,
        allowed,
        policy,
        remaining: Math.floor(level + roundingError),
        resetSeconds: wholeSeconds((quota.quota - level) / rate),
        retryAfterSeconds: allowed ? 0 : Math.max(1, wholeSeconds((1 - level) / rate)),
      }
    },
  }
}

/** An IPv4 address, or the /64 of an IPv6 one: one caller usually has all addresses of a /64. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString()
}
