import type { Outbox, WebhookReads, WebhookWrites } from '../../ports.js'
import type { Delivery } from '../../webhooks/delivery.js'
import type { EndpointRecord } from '../../webhooks/endpoint.js'
import { by, ownedBy, reversed } from './rows.js'
import type { DeliveryRow, Tables } from './tables.js'

function deliveryOf(row: DeliveryRow): Delivery {
  const { body, run_attempt_count, run_started_at, lease_token, leased_until, ...delivery } = row
  return delivery
}

const newestFirst = reversed(
  by<{ readonly created_at: string; readonly id: string }>(
    ({ created_at }) => created_at,
    ({ id }) => id,
  ),
)

export function webhookReads({ endpoints, deliveries, attempts }: Tables): WebhookReads {
  const present = (account_id: string, endpoint: EndpointRecord | undefined) =>
    endpoint?.removed_at === null ? ownedBy(account_id, endpoint) : undefined
  return {
    findEndpoint: async (account_id, id) => present(account_id, endpoints.get(id)) ?? null,
    async listEndpoints(account_id) {
      const listed = endpoints.where((endpoint) => present(account_id, endpoint) !== undefined)
      return listed.sort(reversed(newestFirst))
    },
    async findDelivery(account_id, id) {
      const row = ownedBy(account_id, deliveries.get(id))
      return row === undefined ? null : deliveryOf(row)
    },
    async attempts(account_id, delivery_id) {
      if (ownedBy(account_id, deliveries.get(delivery_id)) === undefined) return []
      return [...(attempts.get(delivery_id) ?? [])]
    },
    async listDeliveries(account_id, { state, endpoint_id, event, since = '', after, limit }) {
      const found = deliveries.where(
        (row) =>
          row.account_id === account_id &&
          (state === undefined || row.state === state) &&
          (endpoint_id === undefined || row.endpoint_id === endpoint_id) &&
          (event === undefined || row.event === event) &&
          row.created_at >= since &&
          (after === undefined || newestFirst(row, after) > 0),
      )
      return found.sort(newestFirst).slice(0, limit).map(deliveryOf)
    },
  }
}

export function webhookWrites(tables: Tables): WebhookWrites {
  const { endpoints, deliveries } = tables
  return {
    ...webhookReads(tables),
    async addEndpoint(endpoint) {
      endpoints.put(endpoint.id, endpoint)
    },
    async updateEndpoint(endpoint) {
      if (ownedBy(endpoint.account_id, endpoints.get(endpoint.id)) === undefined) return
      endpoints.put(endpoint.id, endpoint)
    },
    async reopenDelivery(account_id, id, at) {
      const row = ownedBy(account_id, deliveries.get(id))
      if (row === undefined || (row.leased_until !== null && row.leased_until > at)) return false
      deliveries.put(id, {
        ...row,
        state: 'pending',
        next_attempt_at: at,
        run_attempt_count: 0,
        run_started_at: at,
        lease_token: null,
        leased_until: null,
      })
      return true
    },
  }
}

export function outbox({ endpoints, deliveries }: Tables): Outbox {
  return {
    async subscribers(account_id, event) {
      const chosen = endpoints.where(
        (endpoint) =>
          endpoint.account_id === account_id &&
          endpoint.removed_at === null &&
          endpoint.events.some((kind) => kind === event),
      )
      return chosen.map(({ id }) => id)
    },
    async add({ id: event_id, account_id, event, body, created_at, deliveries: added }) {
      for (const { id, channel, target } of added) {
        deliveries.put(id, {
          id,
          account_id,
          event_id,
          event,
          body,
          channel,
          endpoint_id: target,
          state: 'pending',
          attempt_count: 0,
          run_attempt_count: 0,
          run_started_at: created_at,
          next_attempt_at: created_at,
          last_status: null,
          last_error: null,
          lease_token: null,
          leased_until: null,
          created_at,
        })
      }
    },
  }
}
