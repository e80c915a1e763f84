import type { Place } from '../values/cursor.js'
import type { DeliveryState } from '../values/vocabulary.js'
import type { AttemptRecord, Delivery } from './delivery.js'

/** Filters, all of which must match. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined
  readonly endpoint_id?: string | undefined
  readonly event?: string | undefined
  /** False: only deliveries of the channel `webhook`. */
  readonly letters?: boolean | undefined
  /** Only deliveries created at or after this instant. */
  readonly since?: string | undefined
}

/** At most `limit` deliveries that match the filter. */
export interface HistoryQuery extends DeliveryFilter {
  /** Only deliveries after this position in the list's order: `created_at` and `id`. */
  readonly after?: Place | undefined
  readonly limit: number
}

/** How many deliveries (`nombre`, at least 1) were created in one UTC hour and are in one state now. */
export interface HourOfDeliveries {
  /** `2026-01-15T10` */
  readonly heure: string
  readonly state: DeliveryState
  readonly nombre: number
}

/** The deliveries of an account that are not final. */
export interface WaitingDeliveries {
  readonly total: number
  /** How many are due and claimed by no process, including those to disabled endpoints. */
  readonly due: number
  /** How many are under a lease: being attempted, or about to be. */
  readonly in_flight: number
  /** When the oldest waiting delivery was created. */
  readonly oldest: string | null
}

/** Deliveries and their attempts, as the history shows them. */
export interface DeliveryReads {
  find(account_id: string, id: string): Promise<Delivery | null>
  /** The attempts of a delivery, oldest first. */
  attempts(account_id: string, delivery_id: string): Promise<AttemptRecord[]>
  /** The texts sent for these events, by event id, at most 1000. Texts that are not kept are missing. */
  bodies(account_id: string, event_ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The deliveries of one event, in the order of their ids. */
  ofEvent(account_id: string, event_id: string): Promise<Delivery[]>
  /** Deliveries, newest first: `created_at` descending, then `id` descending. */
  list(account_id: string, query: HistoryQuery): Promise<Delivery[]>
  count(account_id: string, filter: DeliveryFilter): Promise<number>
  /**
   * The deliveries to an endpoint in each UTC hour from the instant `since` on, counted by their current state. Hours
   * without deliveries are missing.
   */
  activity(account_id: string, endpoint_id: string, since: string): Promise<HourOfDeliveries[]>
  /** Counts the deliveries that are not final at the instant `now`. Its cost does not depend on the final ones. */
  waiting(account_id: string, now: string): Promise<WaitingDeliveries>
}

/** What callers do to deliveries. Attempts use `DeliveryQueue`. */
export interface DeliveryWrites extends DeliveryReads {
  /**
   * Opens a new run of attempts on a delivery. The delivery is pending again, its next attempt is due at `at`, and the
   * offsets of the schedule count from there. Resolves to false, and changes nothing, when the account has no such
   * delivery or it is being attempted.
   */
  reopen(account_id: string, id: string, at: string): Promise<boolean>
  /** Deletes the receivers' answers to the deliveries of an event. */
  forgetResponses(account_id: string, event_id: string): Promise<void>
}
