import type { DeliveryState } from '../values/vocabulary.js'
import type { AttemptRecord, Delivery } from './delivery.js'

/** Every filter that is present must hold. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined
  readonly endpoint_id?: string | undefined
  readonly event?: string | undefined
  /** False: by the channel `webhook` alone. */
  readonly letters?: boolean | undefined
  /** Instant: `created_at` is at or after it. */
  readonly since?: string | undefined
}

/** At most `limit` deliveries that the filter lets through. */
export interface HistoryQuery extends DeliveryFilter {
  /** Only what comes after this delivery in the order of the list: the cursor. */
  readonly after?: { readonly created_at: string; readonly id: string } | undefined
  readonly limit: number
}

/** `nombre` deliveries, at least 1, that were made in one UTC hour and are in one state now. */
export interface HourOfDeliveries {
  /** `2026-01-15T10` */
  readonly heure: string
  readonly state: DeliveryState
  readonly nombre: number
}

/** The deliveries of an account that are not final. */
export interface WaitingDeliveries {
  readonly total: number
  /** Of these, those that are due and claimed by no process: those to a disabled endpoint as well. */
  readonly due: number
  /** Of these, under a lease: being attempted, or taken to be attempted next. */
  readonly in_flight: number
  /** When the oldest of these was made. */
  readonly oldest: string | null
}

/** Deliveries and their attempts, as the history shows them. */
export interface DeliveryReads {
  find(account_id: string, id: string): Promise<Delivery | null>
  /** Oldest first. */
  attempts(account_id: string, delivery_id: string): Promise<AttemptRecord[]>
  /** The texts that attempts at these events send, by the events' ids, at most 1000; those that are not kept are missing. */
  bodies(account_id: string, event_ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The deliveries of one event, in the order of their ids. */
  ofEvent(account_id: string, event_id: string): Promise<Delivery[]>
  /** Newest first: `created_at` descending, then `id` descending. */
  list(account_id: string, query: HistoryQuery): Promise<Delivery[]>
  count(account_id: string, filter: DeliveryFilter): Promise<number>
  /** How many deliveries to an endpoint were made in each UTC hour from the instant `since` on, by their state now; those of none are not there. */
  activity(account_id: string, endpoint_id: string, since: string): Promise<HourOfDeliveries[]>
  /** What is not final, as it is at the instant `now`: costs a look at each that waits, and at nothing else. */
  waiting(account_id: string, now: string): Promise<WaitingDeliveries>
}

/** What callers do to deliveries; what attempts do to them goes through `DeliveryQueue`. */
export interface DeliveryWrites extends DeliveryReads {
  /**
   * Opens a new run on a delivery: pending again, its next attempt at `at`, offsets counted from there. False, and
   * nothing changed, when the account has no such delivery or it is being attempted right now.
   */
  reopen(account_id: string, id: string, at: string): Promise<boolean>
  /** Takes away what receivers answered to the deliveries of an event. */
  forgetResponses(account_id: string, event_id: string): Promise<void>
}
