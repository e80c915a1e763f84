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
  /** When an attempt that must not be repeated began. It is still in progress, or its process died. */
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

/** Instants: deliveries before them may be deleted. */
export interface RetentionBounds {
  readonly deliveredBefore: string
  readonly failedBefore: string
}

/** How late the queue is, over all accounts: instants at which deliveries became due. */
export interface Lateness {
  /** Null when nothing is due. */
  readonly oldest_due: string | null
  /**
   * Like `oldest_due`, for first attempts that no worker has handled: the target has no attempt in progress, and its
   * last one did not fail. Null when there is none.
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
   * Claims at most `limit` due deliveries of each requested target and lane, oldest due first. If more than `limit` are
   * due, one that became due before those of the last claim may wait up to a second. No lane of a target may be
   * requested twice. A delivery belongs to one caller until `leasedUntil`; then anyone may claim it again.
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
   * Records durably that an attempt begins which must not be repeated. The record stays until an outcome is recorded,
   * or until `null` removes it because nothing was sent. Resolves to false, and records nothing, when the lease is no
   * longer the delivery's.
   */
  intend(delivery: HeldDelivery, at: string | null): Promise<boolean>
  /** Releases claimed deliveries without an attempt, due at once, if the lease is still theirs. */
  release(deliveries: readonly HeldDelivery[]): Promise<void>
  /** The number of deliveries in each state, over all accounts. */
  counts(): Promise<Record<DeliveryState, number>>
  /**
   * Fails at most `limit` waiting deliveries that will never be attempted: `endpoint removed` for those of removed
   * endpoints, `handler removed` for those to removed handlers of the host (`host:…`), `endpoint disabled for too long`
   * for those of disabled ones whose next attempt was due before `disabledBefore` (instant). Deliveries under a lease
   * are not touched. Resolves to the number failed.
   */
  expire(bounds: { readonly now: string; readonly disabledBefore: string; readonly limit: number }): Promise<number>
  /**
   * Deletes at most `limit` deliveries with their attempts: delivered ones created before `deliveredBefore`, failed
   * ones created before `failedBefore`; and at most as many events, created before both, without deliveries. Resolves
   * to the number of rows deleted; 0 when nothing is left.
   */
  purge(bounds: RetentionBounds & { readonly limit: number }): Promise<number>
  /** The number of rows that `purge` would delete. */
  purgeable(bounds: RetentionBounds): Promise<number>
  /** How late the deliveries are that are due at `now` and under no lease. */
  lateness(at: { readonly now: string; readonly behindSince: string }): Promise<Lateness>
  /**
   * Calls `wake` after each commit that left something due, until the returned function is called. Commits of this
   * process call it at once. Commits of other processes call it soon, but without a guarantee: calls may be missing or
   * superfluous. So a waiting process also polls.
   */
  watch(wake: () => void): () => void
}
