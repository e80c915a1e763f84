import { type Quota, rateOf } from './rate-limit.js'

/** The part of a bucket that a process leases at once. */
const leasePart = 0.05

/** The part that all processes together may spend before they have asked. */
const creditPart = 0.05

/**
 * How far below empty a bucket may go, in parts of its quota: tokens that were spent without asking are repaid later.
 */
const maxDebt = 0.1

/** How soon a process that found a bucket empty asks again, so that refused calls cost next to no transactions. */
const askAgainSeconds = 0.25

/** The largest error of sums of times: fractions of a microsecond each, and one where the store rounds. */
const roundingMs = 0.1

const tokenMs = (quota: Quota) => 1000 / rateOf(quota)

/** Tokens that a bucket holds which is full at `fullAt`; below zero when more was spent than it held. Milliseconds. */
export function tokensIn(quota: Quota, fullAt: number, now: number): number {
  return quota.quota - Math.max(0, fullAt - now) / tokenMs(quota)
}

/** The same, for comparing: a token that only a rounding has kept away counts. */
export const roundedTokensIn = (quota: Quota, fullAt: number, now: number) => tokensIn(quota, fullAt - roundingMs, now)

/** No right clock leaves more debt: a bucket further away than this counts as empty, not as blocked. */
const latestFullAt = ({ windowSeconds }: Quota, now: number) => now + (1 + maxDebt) * windowSeconds * 1000

/** When a bucket will be full that is so at `fullAt`, once `tokens` were taken, or given back where they are negative. */
export function afterTaking(quota: Quota, fullAt: number, { tokens, now }: { tokens: number; now: number }): number {
  return Math.min(Math.max(fullAt, now) + tokens * tokenMs(quota), latestFullAt(quota, now))
}

/** How many tokens a process asks for at once. */
export const leaseSize = ({ quota }: Quota): number => Math.max(1, Math.floor(leasePart * quota))

/**
 * How long a lease may be spent, in milliseconds. A bucket has refilled it by then: the processes together spend beyond
 * the bucket at most what comes in this time, a part of the quota.
 */
export const leaseMs = ({ windowSeconds }: Quota): number => leasePart * windowSeconds * 1000

/** How many tokens one of so many processes may spend before it asks: none of its slow callers then costs a transaction. */
export const creditOf = ({ quota }: Quota, processes: number): number => Math.floor((creditPart * quota) / processes)

/** How many tokens have to be in a bucket, as far as a process knows, for it to ask. */
export const worthAsking = (quota: Quota): number =>
  Math.max(1, Math.min(leaseSize(quota), askAgainSeconds * rateOf(quota)))

export interface LeaseRequest {
  /** Tokens spent unasked since the last time; negative: leased ones that come back. */
  readonly spent: number
  readonly wanted: number
}

/** Settles with the bucket of the installation what was spent, and grants whole tokens of what is there. */
export function decideLease(quota: Quota, fullAt: number, { spent, wanted }: LeaseRequest, now: number) {
  const settled = afterTaking(quota, fullAt, { tokens: spent, now })
  const there = Math.floor(roundedTokensIn(quota, settled, now))
  const granted = Math.max(0, Math.min(wanted, there))
  return { granted, fullAt: afterTaking(quota, settled, { tokens: granted, now }) }
}

/** A bucket as one process knows it. */
export interface KnownBucket {
  readonly quota: Quota
  /** The time by the store's last answer and by what this process has spent since. Milliseconds. */
  readonly fullAt: number
  /** Tokens that are this process's to spend, until `leasedUntil`. */
  readonly leased: number
  readonly leasedUntil: number
  /** Tokens that the store does not know of yet: spent without asking, or when negative, leased and not needed. */
  readonly unsettled: number
}

/** The processes that share buckets. */
export interface Company {
  /** The number of processes, this one included. */
  readonly processes: number
  /** Whether the store can be asked. */
  readonly canAsk: boolean
}

/** The present state of a bucket: tokens of an ended lease go back, and a clock that was set back blocks nothing. */
export function bucketAt(known: KnownBucket, now: number): KnownBucket {
  const { quota, leased, leasedUntil, unsettled } = known
  const fullAt = Math.min(known.fullAt, latestFullAt(quota, now))
  if (leased === 0 || now < leasedUntil) return fullAt === known.fullAt ? known : { ...known, fullAt }
  const returned = afterTaking(quota, fullAt, { tokens: -leased, now })
  return { ...known, leased: 0, unsettled: unsettled - leased, fullAt: returned }
}

/**
 * Spends one token, if there is one for this process: of its lease, or unasked. Who is alone need not ask. Who cannot ask
 * reckons that all the others spend as much. Else only so much is spent unasked as `creditOf` says; null: ask first.
 */
export function decideTake(
  known: KnownBucket,
  { processes, canAsk }: Company,
  now: number,
): { readonly allowed: boolean; readonly bucket: KnownBucket } | null {
  const current = bucketAt(known, now)
  const { quota, leased, fullAt, unsettled } = current
  if (leased >= 1) return { allowed: true, bucket: { ...current, leased: leased - 1 } }
  const tokens = roundedTokensIn(quota, fullAt, now)
  const spend = (count: number) => ({
    allowed: true,
    bucket: { ...current, unsettled: unsettled + 1, fullAt: afterTaking(quota, fullAt, { tokens: count, now }) },
  })
  const refused = { allowed: false, bucket: current }
  if (processes === 1 || !canAsk) return tokens >= 1 ? spend(processes) : refused
  if (tokens >= 1 && unsettled < creditOf(quota, processes)) return spend(1)
  return tokens >= worthAsking(quota) ? null : refused
}
