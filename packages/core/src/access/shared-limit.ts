import type { Storage, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import type { Random } from '../values/random.js'
import type { StoredBucket } from './bucket-store.js'
import { type LimitedKind, type RateLimit, type RateLimitState, rateOf, wholeSeconds } from './rate-limit.js'
import {
  bucketAt,
  decideLease,
  decideTake,
  type KnownBucket,
  leaseMs,
  leaseSize,
  roundedTokensIn,
  worthAsking,
} from './token-bucket.js'

/** How long a process may be silent before it counts as gone. */
const silenceMs = 10_000

/** How long a caller waits for the store to answer. Then this process decides alone, until the answer comes. */
const patienceMs = 500

/** Full buckets are deleted in one of so many exchanges. */
const forgetEvery = 60

/** A bucket in the store, and what this process knows of it. */
interface Entry {
  readonly name: string
  readonly kind: LimitedKind
  bucket: KnownBucket
  /** The question to the store: resolves when it has answered, or cannot. */
  asking: Promise<void> | null
}

/** The part of a bucket that goes to the store. */
interface Question {
  readonly entry: Entry
  readonly spent: number
  readonly wanted: number
}

export interface SharedLimitDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
  readonly rateLimit: NonNullable<RateLimit>
}

/**
 * Token buckets that several processes draw from. The store has them, and each process leases small parts of them. So
 * the whole of a bucket can be used in any process, and only one call in many waits for the store.
 */
export class SharedLimit {
  readonly #deps: SharedLimitDeps
  readonly #id: string
  /** Buckets by name. A full one is deleted: a new one is the same. */
  readonly #entries = new Map<string, Entry>()
  #company = { processes: 1, canAsk: true }
  /** The difference between this process's clock and the common one. */
  #offsetMs = 0
  #exchanges = 0

  constructor(deps: SharedLimitDeps) {
    this.#deps = deps
    this.#id = Buffer.from(deps.random(12)).toString('base64url')
  }

  /** How many buckets this process knows. */
  get size(): number {
    return this.#entries.size
  }

  async take(kind: LimitedKind, key_id: string): Promise<RateLimitState> {
    const entry = this.#entry(kind, key_id)
    for (;;) {
      const now = this.#now()
      const taken = decideTake(entry.bucket, this.#company, now)
      if (taken !== null) {
        entry.bucket = taken.bucket
        return this.#stateOf(entry, taken.allowed, now)
      }
      entry.asking ??= this.#lease(entry)
      await this.#patiently(entry.asking)
    }
  }

  /**
   * Reports tokens that were spent without asking, and returns ended leases, in one transaction. Learns the number of
   * processes and the common time. @throws UnavailableError when the store is away: until it is back, this process
   * decides alone, and leaves the others their part.
   */
  async exchange(): Promise<void> {
    const { storage, clock } = this.#deps
    const questions = this.#unsettled()
    const answered = Promise.withResolvers<void>()
    for (const { entry } of questions) entry.asking = answered.promise
    this.#exchanges += 1
    const forgets = this.#exchanges % forgetEvery === 0
    try {
      const heard = await storage.transaction(async (tx) => {
        const own = clock.now()
        const now = await tx.processes.now(own)
        const process = { id: this.#id, at: toInstant(now) }
        const others = await tx.processes.noteAlive(process, toInstant(now - silenceMs))
        const settled = await settle(tx, questions, now)
        if (forgets) await tx.buckets.forget(Math.round(now * 1000))
        return { others, settled, offsetMs: now - own }
      })
      this.#offsetMs = heard.offsetMs
      this.#company = { processes: heard.others + 1, canAsk: true }
      this.#note(questions, heard.settled)
    } catch (error) {
      this.#company = { ...this.#company, canAsk: false }
      throw error
    } finally {
      for (const { entry } of questions) entry.asking = null
      answered.resolve()
    }
    this.#forgetFull()
  }

  #now(): number {
    return this.#deps.clock.now() + this.#offsetMs
  }

  #entry(kind: LimitedKind, key_id: string): Entry {
    const name = `${kind} ${key_id}`
    const known = this.#entries.get(name)
    if (known) return known
    const bucket = { quota: this.#deps.rateLimit[kind], fullAt: 0, leased: 0, leasedUntil: 0, unsettled: 0 }
    const made: Entry = { name, kind, bucket, asking: null }
    this.#entries.set(name, made)
    return made
  }

  /** Resolves when there is a lease, or when none can be had. */
  async #lease(entry: Entry): Promise<void> {
    const { quota, unsettled } = entry.bucket
    const questions = [{ entry, spent: unsettled, wanted: leaseSize(quota) }]
    try {
      this.#note(questions, await this.#deps.storage.transaction((tx) => settle(tx, questions, this.#now())))
    } catch {
      // The exchange fails as well: it tells the fault, and finds out when the store is back.
      this.#company = { ...this.#company, canAsk: false }
    } finally {
      entry.asking = null
    }
  }

  /** Resolves with `asking`. When that takes too long, this process decides alone until the next exchange. */
  async #patiently(asking: Promise<void>): Promise<void> {
    const late = Promise.withResolvers<void>()
    const cancel = this.#deps.clock.after(patienceMs, () => {
      this.#company = { ...this.#company, canAsk: false }
      late.resolve()
    })
    await Promise.race([asking, late.promise])
    cancel()
  }

  #unsettled(): Question[] {
    const now = this.#now()
    const questions: Question[] = []
    for (const entry of this.#entries.values()) {
      if (entry.asking !== null) continue
      entry.bucket = bucketAt(entry.bucket, now)
      const { unsettled } = entry.bucket
      if (unsettled !== 0) questions.push({ entry, spent: unsettled, wanted: 0 })
    }
    return questions
  }

  #note(questions: readonly Question[], settled: readonly LeaseGrant[]): void {
    const now = this.#now()
    for (const [index, { entry, spent }] of questions.entries()) {
      const answer = settled[index]
      if (answer === undefined) continue
      const { quota, leased, leasedUntil, unsettled } = entry.bucket
      const rest = unsettled - spent
      entry.bucket = {
        quota,
        fullAt: answer.fullAt + (rest * 1000) / rateOf(quota),
        leased: leased + answer.granted,
        leasedUntil: answer.granted > 0 ? now + leaseMs(quota) : leasedUntil,
        unsettled: rest,
      }
    }
  }

  #forgetFull(): void {
    const now = this.#now()
    for (const [name, { bucket, asking }] of this.#entries) {
      const { fullAt, leased, unsettled } = bucket
      if (asking === null && leased === 0 && unsettled === 0 && fullAt <= now) this.#entries.delete(name)
    }
  }

  #stateOf({ kind, bucket }: Entry, allowed: boolean, now: number): RateLimitState {
    const { quota, fullAt, leased } = bucket
    const { processes, canAsk } = this.#company
    const rate = rateOf(quota)
    const tokens = roundedTokensIn(quota, fullAt, now)
    // A process that cannot ask has its part of the new tokens.
    const least = canAsk && processes > 1 ? worthAsking(quota) : 1
    const mine = canAsk ? tokens : tokens / processes
    return {
      ...quota,
      allowed,
      policy: kind,
      remaining: allowed ? Math.max(0, Math.floor(leased + mine)) : 0,
      resetSeconds: wholeSeconds((quota.quota - leased - tokens) / rate),
      retryAfterSeconds: allowed ? 0 : Math.max(1, wholeSeconds((least - tokens) / rate)),
    }
  }
}

interface LeaseGrant {
  readonly granted: number
  readonly fullAt: number
}

/** One answer for each question, in their order. */
async function settle(tx: Transaction, questions: readonly Question[], now: number): Promise<LeaseGrant[]> {
  if (questions.length === 0) return []
  const claimed = await tx.buckets.claim(questions.map(({ entry }) => entry.name).toSorted())
  const fullAt = new Map(claimed.map((bucket) => [bucket.name, bucket.full_at / 1000]))
  const saved: StoredBucket[] = []
  const settled = questions.map(({ entry, spent, wanted }) => {
    const { name, bucket } = entry
    const decided = decideLease(bucket.quota, fullAt.get(name) ?? 0, { spent, wanted }, now)
    saved.push({ name, full_at: Math.round(decided.fullAt * 1000) })
    return decided
  })
  await tx.buckets.save(saved.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
  return settled
}
