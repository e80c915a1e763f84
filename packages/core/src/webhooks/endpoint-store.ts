import type { DeliveryBacklog, ReceiverRecord } from '../receivers/receiver-health.js'
import type { EndpointRecord } from './endpoint.js'

/** An endpoint and its account. */
export type EndpointName = Pick<ReceiverRecord, 'account_id' | 'endpoint_id'>

/** The endpoints of all accounts that are not removed. */
export interface TroubledEndpoints {
  readonly enabled: number
  readonly disabled: number
  /** The records of those that are enabled. */
  readonly troubled: readonly ReceiverRecord[]
}

/** The receivers of webhooks, disabled ones too. Their secrets are sealed. */
export interface EndpointReads {
  /** Removed endpoints are not found. */
  find(account_id: string, id: string): Promise<EndpointRecord | null>
  /** Oldest first, removed ones left out. */
  list(account_id: string): Promise<EndpointRecord[]>
  /** The endpoint that a delivery's target names, whatever its account: null when it was removed. */
  ofTarget(target: string): Promise<EndpointRecord | null>
  /**
   * What is kept of the attempts at these endpoints. Those that were never attempted are missing. A transaction locks
   * them.
   */
  records(endpoints: readonly EndpointName[]): Promise<ReceiverRecord[]>
  /**
   * What waits for these endpoints at the instant `now`. An index alone answers, with a look at each delivery that
   * waits.
   */
  waiting(endpoints: readonly EndpointName[], now: string): Promise<DeliveryBacklog[]>
  /** The endpoints, with the records of those whose last attempt failed, or one since the instant `since`. */
  troubled(since: string): Promise<TroubledEndpoints>
}

/** Endpoints are never deleted: `removed_at` hides one, and its deliveries stay in the history. */
export interface EndpointWrites extends EndpointReads {
  add(endpoint: EndpointRecord): Promise<void>
  /** Replaces the whole record. */
  update(endpoint: EndpointRecord): Promise<void>
  /** Replaces what is kept of the attempts at each endpoint. */
  keepRecords(records: readonly ReceiverRecord[]): Promise<void>
  /** Endpoints of every account, removed ones too, by id after `afterId`: a new key seals all their secrets again. */
  every(page: { readonly afterId: string; readonly limit: number }): Promise<EndpointRecord[]>
}
