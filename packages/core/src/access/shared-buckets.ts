import {
  type LimitedKind,
  limitedKinds,
  type Quota,
  type RateLimit,
  type RateLimitState,
  rateOf,
  roundingError,
  wholeSeconds,
} from './rate-limit.js'

/**
 * What a process tells of its buckets, by their names: tokens spent in all, tokens asked for since it last told, and
 * tokens that it thought were left when it last heard of the others.
 */
export interface Told {
  readonly id: string
  readonly buckets: Readonly<Record<string, readonly [spent: number, wanted: number, settled: number]>>
}

interface Bucket {
  readonly quota: Quota
  /** When the two levels were right, in milliseconds. */
  at: number
  /** Tokens that the bucket of the whole installation holds, as far as is known; below zero when it was overdrawn. */
  level: number
  /** Tokens that this process may spend of these. */
  allowance: number
  /** The part of every new token that is this process's. */
  share: number
  spent: number
  wanted: number
  /** What was wanted in the round before: as old as what the others told. */
  wantedBefore: number
  /** The level after the last hearing; null before the first. */
  settled: number | null
  /** What each other process had spent when it last told. */
  heard: ReadonlyMap<string, number>
}

/** What all others together told of a bucket since the last hearing. */
interface News {
  readonly heard: Map<string, number>
  spent: number
  wanted: number
  /** The sum of their levels. */
  settled: number
}

/** The part of all tokens that processes have whether they ask for any or not, so that a first call finds some. */
const evenPart = 0.1

/** How much nearer levels come to each other in each hearing, so that no process starves for a lower opinion. */
const healing = 0.1

/** The part of a greater allowance that is taken at once: others may have spent of it already, and not told yet. */
const taking = 0.25

/** The debt that an overdrawn bucket has at most, in parts of its quota: six seconds of a quota a minute. */
const maxDebt = 0.1

/**
 * Token buckets that several processes draw from, without asking each other for each token. Every one keeps its own
 * account of each bucket: it subtracts what it spends at once and what others spent when it hears of it, and between two
 * hearings it spends no more than its share of what is left. Shares follow demand. What was spent on stale knowledge is
 * repaid out of later tokens, so that over time exactly the quota is spent.
 *
 * A full bucket is forgotten: it is as good as a new one.
 */
export class SharedBuckets {
  readonly #limits: NonNullable<RateLimit>
  /** By kind and key. */
  readonly #buckets = new Map<string, Bucket>()
  #processes = 1

  constructor(limits: NonNullable<RateLimit>) {
    this.#limits = limits
  }

  get size(): number {
    return this.#buckets.size
  }

  take(kind: LimitedKind, key_id: string, now: number): RateLimitState {
    const bucket = this.#bucket(kind, `${kind} ${key_id}`, now)
    refill(bucket, now)
    bucket.wanted += 1
    const allowed = bucket.allowance >= 1 - roundingError
    if (allowed) {
      bucket.allowance -= 1
      bucket.level -= 1
      bucket.spent += 1
    }
    const { quota, allowance, share, level } = bucket
    const rate = rateOf(quota)
    return {
      ...quota,
      allowed,
      policy: kind,
      remaining: Math.max(0, Math.floor(allowance + roundingError)),
      resetSeconds: wholeSeconds((share * quota.quota - allowance) / (share * rate)),
      // Where others hold what is left, shares follow within about a second.
      retryAfterSeconds: allowed ? 0 : Math.max(1, wholeSeconds((1 - level) / rate)),
    }
  }

  /** What to tell the others now: of every bucket that is not full. */
  tell(id: string): Told {
    const buckets: Record<string, [number, number, number]> = {}
    for (const [name, { spent, wanted, settled, level }] of this.#buckets)
      buckets[name] = [spent, wanted, Math.round(settled ?? level)]
    return { id, buckets }
  }

  /** @param others what every other process told last; `tell` was called just before */
  hear(others: readonly Told[], now: number): void {
    this.#processes = others.length + 1
    const news = this.#gather(others, now)
    for (const [name, bucket] of this.#buckets) {
      refill(bucket, now)
      const heard = news.get(bucket)
      if (isFull(bucket) && heard === undefined) this.#buckets.delete(name)
      else settle(bucket, heard, 1 / this.#processes)
    }
  }

  #gather(others: readonly Told[], now: number): Map<Bucket, News> {
    const gathered = new Map<Bucket, News>()
    for (const { id, buckets } of others) {
      for (const [name, [spent, wanted, settled]] of Object.entries(buckets)) {
        const kind = limitedKinds.find((each) => name.startsWith(`${each} `))
        if (kind === undefined) continue
        const bucket = this.#bucket(kind, name, now)
        const news = gathered.get(bucket) ?? { heard: new Map<string, number>(), wanted: 0, spent: 0, settled: 0 }
        // Of what was spent before it was first heard of, only the last second counts.
        const before = bucket.heard.get(id) ?? Math.max(0, spent - wanted)
        news.spent += spent < before ? spent : spent - before
        news.wanted += wanted
        news.settled += settled
        news.heard.set(id, spent)
        gathered.set(bucket, news)
      }
    }
    return gathered
  }

  #bucket(kind: LimitedKind, name: string, now: number): Bucket {
    const known = this.#buckets.get(name)
    if (known) return known
    const quota = this.#limits[kind]
    const share = 1 / this.#processes
    // However many processes there are, the first call of a key is never refused.
    const allowance = Math.max(1, share * quota.quota)
    const level = quota.quota
    const heard = new Map<string, number>()
    const made: Bucket = {
      quota,
      at: now,
      level,
      allowance,
      share,
      spent: 0,
      wanted: 0,
      wantedBefore: 0,
      settled: null,
      heard,
    }
    this.#buckets.set(name, made)
    return made
  }
}

const isFull = ({ allowance, share, quota }: Bucket) => allowance >= share * quota.quota - roundingError

/** @param even the share of everybody before anything is wanted */
function settle(bucket: Bucket, news: News | undefined, even: number): void {
  const wanted = bucket.wantedBefore + (news?.wanted ?? 0)
  bucket.share = wanted === 0 ? even : (1 - evenPart) * (bucket.wantedBefore / wanted) + evenPart * even
  bucket.wantedBefore = bucket.wanted
  bucket.wanted = 0

  if (news) bucket.level += adjustment(bucket, news.settled / news.heard.size) - news.spent
  bucket.level = Math.max(bucket.level, -maxDebt * bucket.quota.quota)
  bucket.settled = bucket.level
  bucket.heard = news?.heard ?? new Map()

  // The fraction stays, so that a small share comes to a whole token in the end.
  const fraction = news ? Math.max(0, bucket.allowance % 1) : 0
  const due = bucket.share * bucket.level + fraction
  bucket.allowance = Math.min(due, bucket.allowance + taking * Math.max(0, due - bucket.allowance))
}

/** Towards what the others think is left; who has no opinion yet takes theirs, unless it knows of less. */
function adjustment({ settled, level }: Bucket, others: number): number {
  return settled === null ? Math.min(0, others - level) : healing * (others - settled)
}

function refill(bucket: Bucket, now: number): void {
  const { quota, share } = bucket
  // A clock that was set back fills nothing.
  const tokens = (Math.max(0, now - bucket.at) / 1000) * rateOf(quota)
  bucket.level = Math.min(quota.quota, bucket.level + tokens)
  bucket.allowance = Math.min(Math.max(bucket.allowance, share * quota.quota), bucket.allowance + share * tokens)
  bucket.at = now
}
