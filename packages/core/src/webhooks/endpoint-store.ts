import type { DeliveryBacklog, ReceiverRecord } from '../receivers/receiver-health.js'
import type { EndpointRecord } from './endpoint.js'

/** An endpoint and its account. */
export type EndpointName = Pick<ReceiverRecord, 'account_id' | 'endpoint_id'>

/** Counts of the endpoints of all accounts, without removed ones. */
export interface TroubledEndpoints {
  readonly enabled: number
  readonly disabled: number
  /** The records of the enabled endpoints that `troubled` finds. */
  readonly troubled: readonly ReceiverRecord[]
}

/** The receivers of webhooks, including disabled ones. Their secrets are sealed. */
export interface EndpointReads {
  /** Removed endpoints are not found. */
  find(account_id: string, id: string): Promise<EndpointRecord | null>
  /** Oldest first, without removed ones. */
  list(account_id: string): Promise<EndpointRecord[]>
  /** The endpoint of a delivery's target, of any account; null when it was removed. */
  ofTarget(target: string): Promise<EndpointRecord | null>
  /**
   * What is stored about the attempts at these endpoints; never attempted ones are missing. A transaction locks the
   * records.
   */
  records(endpoints: readonly EndpointName[]): Promise<ReceiverRecord[]>
  /**
   * How many deliveries wait for these endpoints at the instant `now`. Reads only an index, in which it visits each
   * waiting delivery.
   */
  waiting(endpoints: readonly EndpointName[], now: string): Promise<DeliveryBacklog[]>
  /** Counts the endpoints, and finds those whose last attempt failed, or that failed since the instant `since`. */
  troubled(since: string): Promise<TroubledEndpoints>
}

/** Endpoints are never deleted: `removed_at` hides one, and its deliveries stay in the history. */
export interface EndpointWrites extends EndpointReads {
  add(endpoint: EndpointRecord): Promise<void>
  /** Replaces the whole record. */
  update(endpoint: EndpointRecord): Promise<void>
  /** Replaces the stored record of each endpoint. */
  keepRecords(records: readonly ReceiverRecord[]): Promise<void>
  /**
   * Endpoints of every account, including removed ones, by id after `afterId`, for sealing all secrets with a new key.
   */
  every(page: { readonly afterId: string; readonly limit: number }): Promise<EndpointRecord[]>
}
