import * as z from 'zod'
import type { Clock } from '../clock.js'
import type { Random } from '../random.js'
import type { Storage } from '../storage.js'
import { toInstant } from '../time.js'
import { createAddressLimit } from './address-limit.js'
import type { LimitedKind, RateLimit, RateLimitState } from './rate-limit.js'
import { SharedBuckets } from './shared-buckets.js'

/** What callers may ask for in a while. In several processes together a key has one quota. */
export interface Limits {
  /** Counts a call of this key; null when limits are off. */
  take(key_id: string, kind: LimitedKind): RateLimitState | null
  /**
   * Counts a call without a valid key: ask it only about those, so that a valid key behind the same address is never
   * refused. Null when limits are off.
   */
  failedAuthentication(ip: string): RateLimitState | null
  /** Counts a look at something that anybody may ask for. Null when limits are off. */
  publicLook(ip: string): RateLimitState | null
}

export interface SharedLimits extends Limits {
  /** Tells the other processes of what was spent here, and hears of theirs. While it cannot, shares stay as they are. */
  exchange(): Promise<void>
}

/** A process that said nothing for so long is gone, and its share with it. */
const silenceMs = 10_000

const told = z.object({ id: z.string(), buckets: z.record(z.string(), z.tuple([z.number(), z.number(), z.number()])) })

export interface LimitsDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
  readonly rateLimit: RateLimit
}

export function createLimits({ storage, clock, random, rateLimit }: LimitsDeps): SharedLimits {
  if (rateLimit === null)
    return { take: () => null, failedAuthentication: () => null, publicLook: () => null, exchange: async () => {} }

  const id = Buffer.from(random(12)).toString('base64url')
  const buckets = new SharedBuckets(rateLimit)
  const failed = createAddressLimit('failed-authentications')
  const looks = createAddressLimit('public-looks')
  return {
    take: (key_id, kind) => buckets.take(kind, key_id, clock.now()),
    failedAuthentication: (ip) => failed.count(ip, clock.now()),
    publicLook: (ip) => looks.count(ip, clock.now()),
    async exchange() {
      const at = clock.now()
      const says = JSON.stringify(buckets.tell(id))
      const others = await storage.processes.exchange({ id, at: toInstant(at), says }, toInstant(at - silenceMs))
      // A process of another release may say something else.
      const heard = others.flatMap((text) => told.safeParse(JSON.parse(text)).data ?? [])
      buckets.hear(heard, clock.now())
    },
  }
}
