import type { DeliveryState } from '../values/vocabulary.js'
import type { AttemptRecord } from './delivery.js'
import type { DeliveryUpdate } from './retry-schedule.js'

/** First attempts and retries wait in separate lanes, so that neither hides the other. */
export type Lane = 'first' | 'retry'

/** A target with something due, and in which lane. */
export interface DueTarget {
  readonly target: string
  readonly channel: string
  readonly lane: Lane
}

/** The most due deliveries that are taken of one target and lane. */
export interface ClaimRequest extends DueTarget {
  readonly limit: number
}

/** Everything that an attempt needs. */
export interface ClaimedDelivery {
  readonly id: string
  readonly account_id: string
  /** The instant of its event. */
  readonly created_at: string
  readonly channel: string
  readonly target: string
  readonly lane: Lane
  readonly event_id: string
  readonly event: string
  readonly body: string
  readonly attempt_count: number
  /** The attempts made in this run: 0 before the first. */
  readonly run_attempt_count: number
  /** The instant from which this run's offsets count. */
  readonly run_started_at: string
  readonly next_attempt_at: string
  readonly lease_token: string
  readonly leased_until: string
  /** When the attempt that must not be made twice began. It is still under way, or its process died. */
  readonly intended_at: string | null
  /** The W3C trace context of what caused the event, as the outbox was given it. */
  readonly traceparent: string | null
}

/** What identifies a claimed delivery while its lease lasts. */
export type HeldDelivery = Pick<ClaimedDelivery, 'id' | 'account_id' | 'created_at' | 'lease_token'>

/** The result of one attempt, and the new state of its delivery. */
export interface AttemptOutcome {
  readonly delivery: HeldDelivery & Pick<ClaimedDelivery, 'event_id' | 'channel' | 'target'>
  readonly attempt: AttemptRecord
  readonly update: DeliveryUpdate
}

/** Instants: deliveries before them have been kept long enough. */
export interface RetentionBounds {
  readonly deliveredBefore: string
  readonly failedBefore: string
}

/** How late the queue is, over all accounts: instants at which deliveries became due. */
export interface Lateness {
  /** Null when nothing is due. */
  readonly oldest_due: string | null
  /**
   * The same, of first attempts for which no worker has done anything: none is under way to that target, and it has not
   * failed the last time. Null when there is none.
   */
  readonly oldest_unclaimed: string | null
  /** The number of targets with something that became due before `behindSince`. */
  readonly targets_behind: number
}

/** The queue that every process with a worker shares. Each method is a transaction of its own. */
export interface DeliveryQueue {
  /**
   * The targets with something due at `now`, whose endpoint is neither disabled nor removed. Costs one index probe per
   * target, whatever the backlog behind it.
   */
  due(now: string): Promise<DueTarget[]>
  /**
   * Takes at most `limit` due deliveries of each requested target and lane, oldest due first. When more than that are
   * due, one that was due before those of the last claim may wait for a second. No lane of a target is requested twice.
   * A delivery belongs to one caller until `leasedUntil`; then anyone may take it again.
   */
  claim(
    requests: readonly ClaimRequest[],
    lease: { readonly now: string; readonly leasedUntil: string; readonly token: string },
  ): Promise<ClaimedDelivery[]>
  /**
   * Records attempts in one transaction. An attempt counts only if its lease token is still the delivery's: a result
   * that comes after the delivery was taken over is dropped, even if both come together. Resolves to the ids that were
   * recorded.
   */
  record(outcomes: readonly AttemptOutcome[]): Promise<Set<string>>
  /**
   * Notes durably that an attempt which must not be made twice begins. The note stays until an outcome is recorded, or
   * until `null` takes it back, if nothing was sent. Resolves to false, and notes nothing, when the lease is no
   * longer the delivery's.
   */
  intend(delivery: HeldDelivery, at: string | null): Promise<boolean>
  /** Gives claimed deliveries back unattempted, due at once, if the lease is still theirs. */
  release(deliveries: readonly HeldDelivery[]): Promise<void>
  /** How many deliveries there are of each state, over all accounts. */
  counts(): Promise<Record<DeliveryState, number>>
  /**
   * Fails at most `limit` waiting deliveries that will not be attempted any more: `endpoint removed` for those of removed
   * endpoints, `handler removed` for those to removed handlers of the host (`host:…`),
   * `endpoint disabled for too long` for those of disabled ones whose next attempt was due before
   * `disabledBefore` (instant). Leaves alone what is being attempted. Resolves to how many it failed.
   */
  expire(bounds: { readonly now: string; readonly disabledBefore: string; readonly limit: number }): Promise<number>
  /**
   * Deletes at most `limit` deliveries with their attempts: delivered ones created before `deliveredBefore`, failed ones
   * created before `failedBefore`; and at most as many again of the events created before both that no delivery refers to.
   * Resolves to the number of rows that went; 0 when nothing is left.
   */
  purge(bounds: RetentionBounds & { readonly limit: number }): Promise<number>
  /** The number of rows that `purge` would still delete. */
  purgeable(bounds: RetentionBounds): Promise<number>
  /** How late the deliveries are that are due at `now` and that no lease holds. */
  lateness(at: { readonly now: string; readonly behindSince: string }): Promise<Lateness>
  /**
   * Calls `wake` after each commit that left something due, until the returned function is called. Commits of this
   * process call it at once. Commits of others call it soon, as a hint, not a promise: it may come for nothing, and it
   * may not come. So a process that waits polls as well.
   */
  watch(wake: () => void): () => void
}
