import type { EndpointFailures, PreviousSecret, ReceiverRecord } from '@sav/core/adapter'
import type { AttemptRecord, DeliveryState, EndpointRecord, Lane, ReplayJob } from '@sav/core/ports'
import { json, table, text, whole } from './table.js'

const sent = { none: 'what was sent is not part of the evidence' } as const

/** Deliveries and their endpoints. */
export const deliveryTables = {
  webhook_endpoints: table(
    {
      account_id: text(),
      id: text(),
      url: text(),
      description: text().orNull(),
      /** `endpoint_events` repeats it for look-ups. */
      events: json<EndpointRecord['events']>(),
      sealed_secret: text(),
      previous_secrets: json<readonly PreviousSecret[]>(),
      sealed_headers: text().orNull(),
      disabled_at: text().orNull(),
      disabled_reason: text().orNull(),
      removed_at: text().orNull(),
      failing_since: text().orNull(),
      failures: json<EndpointFailures>().orNull(),
      created_at: text(),
      updated_at: text(),
    },
    { key: ['account_id', 'id'], evidence: sent },
  ),
  /** The record of attempts at each endpoint. It is replaced at most once a second. */
  endpoint_health: table(
    {
      account_id: text(),
      endpoint_id: text(),
      minutes: json<ReceiverRecord['minutes']>(),
      echecs_consecutifs: whole(),
      echecs_depuis: text().orNull(),
      dernier_echec: text().orNull(),
      derniere_reponse: json<NonNullable<ReceiverRecord['derniere_reponse']>>().orNull(),
    },
    { key: ['account_id', 'endpoint_id'], evidence: sent },
  ),
  /** Endpoints by the kind of event that they chose; a removed endpoint has none. */
  endpoint_events: table(
    { account_id: text(), event: text(), endpoint_id: text() },
    { key: ['account_id', 'event', 'endpoint_id'], evidence: sent },
  ),
  subscriptions: table(
    {
      event: text(),
      /** A handler of the host program, as `host:…`. */
      target: text(),
    },
    { key: ['event', 'target'], evidence: sent },
  ),
  events: table(
    { account_id: text(), id: text(), event: text(), body: text(), created_at: text() },
    { key: ['account_id', 'id'], evidence: sent },
  ),
  deliveries: table(
    {
      account_id: text(),
      id: text(),
      event_id: text(),
      event: text(),
      channel: text(),
      target: text(),
      /** When it changes, the row of `delivery_queue` or `failed_deliveries` moves as well. */
      state: text<DeliveryState>(),
      attempt_count: whole(),
      /** The same as `next_attempt_at` in the queue; null once the state is final. */
      next_attempt_at: text().orNull(),
      last_status: whole().orNull(),
      last_error: text().orNull().personal(),
      last_error_code: text().orNull(),
      created_at: text(),
    },
    { key: ['account_id', 'id'], evidence: sent },
  ),
  /**
   * The data that a worker needs of each pending delivery: a separate row, so that attempts change no index of
   * `deliveries`.
   */
  delivery_queue: table(
    {
      account_id: text(),
      created_at: text(),
      id: text(),
      event_id: text(),
      event: text(),
      channel: text(),
      target: text(),
      lane: text<Lane>(),
      attempt_count: whole(),
      run_attempt_count: whole(),
      run_started_at: text(),
      /** When the next attempt is due. */
      next_attempt_at: text(),
      /** From when it may be claimed: `next_attempt_at`, or, by the store's clock, the end of the lease. */
      available_at: text(),
      lease_token: text().orNull(),
      intended_at: text().orNull(),
      /** W3C trace context; null without tracing. */
      traceparent: text().orNull(),
    },
    { key: ['account_id', 'created_at', 'id'], evidence: sent },
  ),
  /** A row for each failed delivery, for lists and counts of them. */
  failed_deliveries: table(
    { account_id: text(), created_at: text(), id: text(), event: text(), channel: text(), target: text() },
    { key: ['account_id', 'created_at', 'id'], evidence: sent },
  ),
  attempts: table(
    {
      account_id: text(),
      delivery_id: text(),
      n: whole(),
      started_at: text(),
      duration_ms: whole(),
      status: whole().orNull(),
      error: text().orNull().personal(),
      error_code: text().orNull(),
      response_headers: json<NonNullable<AttemptRecord['response_headers']>>().orNull().personal(),
      response: text().orNull().personal(),
    },
    { key: ['account_id', 'delivery_id', 'n'], evidence: sent },
  ),
  replay_jobs: table(
    {
      account_id: text(),
      id: text(),
      state: text<ReplayJob['state']>(),
      filter: json<ReplayJob['filter']>(),
      position: json<ReplayJob['position']>(),
      matched: whole(),
      retried: whole(),
      created_at: text(),
      ended_at: text().orNull(),
    },
    { key: ['account_id', 'id'], evidence: sent },
  ),
}
