/** A number of calls per window of time. An empty bucket is full again after one window. */
export interface Quota {
  /** The number of calls per window. */
  readonly quota: number
  readonly windowSeconds: number
}

export const limitedKinds = ['reads', 'writes'] as const
/** The kind of a call. Each kind has its own quota and bucket. */
export type LimitedKind = (typeof limitedKinds)[number]

/** Calls counted by address, because they have no key. */
export type AddressPolicy = 'failed-authentications' | 'public-looks' | 'page-readings'

/** The name of a limit in the headers of an answer. */
export type LimitPolicy = LimitedKind | `account-${LimitedKind}` | AddressPolicy

type Quotas = Readonly<Record<LimitedKind, Quota>>

/** The limits of each key or user, and of each account: by default five times as much. Null: no limits. */
export type RateLimit = (Quotas & { readonly account?: Quotas }) | null

const accountFactor = 5

export function accountQuota({ account, ...own }: NonNullable<RateLimit>, kind: LimitedKind): Quota {
  const { quota, windowSeconds } = own[kind]
  return account?.[kind] ?? { quota: accountFactor * quota, windowSeconds }
}

/** A bucket as the headers show it (draft-ietf-httpapi-ratelimit-headers). */
export interface RateLimitState extends Quota {
  readonly allowed: boolean
  /** Name of the quota policy. */
  readonly policy: LimitPolicy
  /** Calls that would be allowed right now. */
  readonly remaining: number
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number
  /** Seconds until one more call may be allowed, at least 1; 0 when this call is allowed. */
  readonly retryAfterSeconds: number
}

const windows: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 }

/**
 * Reads `reads=6000/min,writes=1200/min` (each per `s`, `min` or `h`), or `off`; `account-reads` and `account-writes`
 * may follow, both or none.
 * @throws RangeError with the text and what is allowed
 */
export function parseRateLimit(text: string): RateLimit {
  if (text === 'off') return null
  const quotas = new Map<string, Quota>()
  for (const part of text.split(',')) {
    const [, kind = '', calls, window = ''] =
      /^((?:account-)?(?:reads|writes))=([1-9]\d{0,8})\/(s|min|h)$/.exec(part.trim()) ?? []
    const windowSeconds = windows[window]
    if (windowSeconds === undefined) throw notARateLimit(`cannot read "${part.trim()}"`)
    if (quotas.has(kind)) throw notARateLimit(`${kind} appears twice`)
    quotas.set(kind, { quota: Number(calls), windowSeconds })
  }
  const own = pairOf(quotas, '')
  if (![...quotas.keys()].some((kind) => kind.startsWith('account-'))) return own
  return { ...own, account: pairOf(quotas, 'account-') }
}

function pairOf(quotas: ReadonlyMap<string, Quota>, prefix: '' | 'account-'): Quotas {
  const [reads, writes] = limitedKinds.map((kind) => quotas.get(`${prefix}${kind}`))
  if (!reads || !writes) throw notARateLimit(`${prefix}${reads ? 'writes' : 'reads'} is missing`)
  return { reads, writes }
}

const notARateLimit = (why: string) =>
  new RangeError(`not a rate limit: ${why}; write it like reads=6000/min,writes=1200/min (per s, min or h), or off`)

/** How fast a bucket refills, in tokens a second. */
export const rateOf = ({ quota, windowSeconds }: Quota): number => quota / windowSeconds

/** The largest rounding error of sums of tokens. */
export const roundingError = 1e-6

export const wholeSeconds = (seconds: number): number => Math.max(0, Math.ceil(seconds - roundingError))
