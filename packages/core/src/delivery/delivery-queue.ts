import type { DeliveryState } from '../values/vocabulary.js'
import type { AttemptRecord } from './delivery.js'
import type { DeliveryUpdate } from './retry-schedule.js'

/** First attempts and retries wait in separate lanes, so that neither hides the other. */
export type Lane = 'first' | 'retry'

/** A target with something due in a lane. */
export interface DueTarget {
  readonly target: string
  readonly channel: string
  readonly lane: Lane
}

/** The number of due deliveries to claim for one target and lane, at most. */
export interface ClaimRequest extends DueTarget {
  readonly limit: number
}

/** Everything needed for an attempt. */
export interface ClaimedDelivery {
  readonly id: string
  readonly account_id: string
  /** When its event happened. */
  readonly created_at: string
  readonly channel: string
  readonly target: string
  readonly lane: Lane
  readonly event_id: string
  readonly event: string
  readonly body: string
  readonly attempt_count: number
  /** The number of attempts in this run. */
  readonly run_attempt_count: number
  /** The start of this run, from which its offsets count. */
  readonly run_started_at: string
  readonly next_attempt_at: string
  readonly lease_token: string
  readonly leased_until: string
  /**
   * The start of an attempt that must not be repeated, and that is still in progress or whose process died. Null if
   * there is no such attempt.
   */
  readonly intended_at: string | null
  /** The W3C trace context of the event's cause, as given to the outbox. */
  readonly traceparent: string | null
}

/** Identifies a claimed delivery while its lease lasts. */
export type HeldDelivery = Pick<ClaimedDelivery, 'id' | 'account_id' | 'created_at' | 'lease_token'>

/** The result of one attempt, and the new state of its delivery. */
export interface AttemptOutcome {
  readonly delivery: HeldDelivery & Pick<ClaimedDelivery, 'event_id' | 'channel' | 'target'>
  readonly attempt: AttemptRecord
  readonly update: DeliveryUpdate
}

/** Deliveries created before these instants may be deleted. */
export interface RetentionBounds {
  readonly deliveredBefore: string
  readonly failedBefore: string
}

/** How late the queue is, over all accounts: instants at which deliveries became due. */
export interface Lateness {
  /** Null when nothing is due. */
  readonly oldest_due: string | null
  /**
   * Like `oldest_due`, but only for first attempts that no worker has handled. Their target has no attempt in progress,
   * and its last attempt did not fail. Null when there is none.
   */
  readonly oldest_unclaimed: string | null
  /** The number of targets with deliveries due since before `behindSince`. */
  readonly targets_behind: number
}

/** The queue shared by all processes with a worker. Each method is a separate transaction. */
export interface DeliveryQueue {
  /**
   * The targets with something due at `now`, except disabled or removed endpoints. Costs one index probe per target,
   * whatever the backlog behind it.
   */
  due(now: string): Promise<DueTarget[]>
  /**
   * Claims at most `limit` due deliveries of each requested target and lane, oldest due first. While more than `limit`
   * are due, later claims continue where the last one stopped. A delivery due earlier than that, which appeared late or
   * was released by another process, may wait up to a second. No lane of a target may be requested twice. A delivery
   * belongs to one caller until `leasedUntil`; then anyone may claim it again.
   */
  claim(
    requests: readonly ClaimRequest[],
    lease: { readonly now: string; readonly leasedUntil: string; readonly token: string },
  ): Promise<ClaimedDelivery[]>
  /**
   * Records attempts in one transaction. An attempt counts only if its lease token is still the delivery's: a result
   * that arrives after another process claimed the delivery is dropped, even if both arrive together. Resolves to the
   * ids that were recorded.
   */
  record(outcomes: readonly AttemptOutcome[]): Promise<Set<string>>
  /**
   * Records durably the beginning of an attempt that must not be repeated. The record stays until an outcome is
   * recorded. If nothing was sent, a call with `null` removes it. Resolves to false, and records nothing, when the
   * delivery no longer has this lease.
   */
  intend(delivery: HeldDelivery, at: string | null): Promise<boolean>
  /**
   * Releases claimed deliveries that were not attempted, so that they are due at once. A delivery that has another
   * lease by now is not changed.
   */
  release(deliveries: readonly HeldDelivery[]): Promise<void>
  /** The number of deliveries in each state, over all accounts. */
  counts(): Promise<Record<DeliveryState, number>>
  /**
   * Fails at most `limit` waiting deliveries that will never be attempted. Their error says why: `endpoint removed`;
   * `handler removed`, for a removed handler of the host (`host:…`); or `endpoint disabled for too long`, if the next
   * attempt was due before `disabledBefore` (instant). Deliveries under a lease are not touched. Resolves to the number
   * failed.
   */
  expire(bounds: { readonly now: string; readonly disabledBefore: string; readonly limit: number }): Promise<number>
  /**
   * Deletes at most `limit` deliveries with their attempts: delivered ones created before `deliveredBefore`, failed
   * ones created before `failedBefore`. Deletes at most as many events without deliveries, created before both
   * instants. Resolves to the number of rows deleted; 0 when nothing is left.
   */
  purge(bounds: RetentionBounds & { readonly limit: number }): Promise<number>
  /** The number of rows that `purge` would delete. */
  purgeable(bounds: RetentionBounds): Promise<number>
  /** How late the queue is, counting deliveries that are due at `now` and under no lease. */
  lateness(at: { readonly now: string; readonly behindSince: string }): Promise<Lateness>
  /**
   * Calls `wake` after each commit that left something due, until the returned function is called. After commits of
   * this process it is called at once. After commits of other processes it is called soon, but without a guarantee:
   * calls may be missing or superfluous. So a waiting process also polls.
   */
  watch(wake: () => void): () => void
}
