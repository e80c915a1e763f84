import type { Delivery } from '../../delivery/delivery.js'
import type { DeliveryFilter, DeliveryWrites, HourOfDeliveries } from '../../delivery/delivery-store.js'
import type { EventReads } from '../../delivery/event-store.js'
import { isLetter } from '../../delivery/letter-access.js'
import type { Outbox } from '../../delivery/outbox-store.js'
import type { ReplayWrites } from '../../delivery/replay-store.js'
import { by, ownedBy, reversed } from './rows.js'
import { type DeliveryRow, keyOf, type Table, type Tables } from './tables.js'

function deliveryOf(row: DeliveryRow): Delivery {
  const {
    body,
    lane,
    run_attempt_count,
    run_started_at,
    lease_token,
    leased_until,
    intended_at,
    traceparent,
    ...delivery
  } = row
  return delivery
}

const newestFirst = reversed(
  by<{ readonly created_at: string; readonly id: string }>(
    ({ created_at }) => created_at,
    ({ id }) => id,
  ),
)

export function memoryDeliveries(tables: Tables): DeliveryWrites {
  const { deliveries, attempts } = tables
  const matching = (account_id: string, { state, endpoint_id, event, letters, since = '' }: DeliveryFilter) =>
    deliveries.where(
      (row) =>
        row.account_id === account_id &&
        (state === undefined || row.state === state) &&
        (endpoint_id === undefined || row.endpoint_id === endpoint_id) &&
        (event === undefined || row.event === event) &&
        (letters !== false || !isLetter(row)) &&
        row.created_at >= since,
    )
  return {
    async find(account_id, id) {
      const row = ownedBy(account_id, deliveries.get(id))
      return row === undefined ? null : deliveryOf(row)
    },
    async attempts(account_id, delivery_id) {
      if (ownedBy(account_id, deliveries.get(delivery_id)) === undefined) return []
      return [...(attempts.get(delivery_id) ?? [])]
    },
    async bodies(account_id, event_ids) {
      const found = tables.events.where((event) => event.account_id === account_id && event_ids.includes(event.id))
      return new Map(found.map(({ id, body }) => [id, body]))
    },
    async ofEvent(account_id, event_id) {
      const rows = deliveries.where((row) => row.account_id === account_id && row.event_id === event_id)
      return rows.sort(by(({ id }) => id)).map(deliveryOf)
    },
    async list(account_id, { after, limit, ...filter }) {
      const found = matching(account_id, filter).filter((row) => after === undefined || newestFirst(row, after) > 0)
      return found.sort(newestFirst).slice(0, limit).map(deliveryOf)
    },
    async count(account_id, filter) {
      return matching(account_id, filter).length
    },
    async activity(account_id, endpoint_id, since) {
      const hours = new Map<string, HourOfDeliveries>()
      for (const { created_at, state } of matching(account_id, { endpoint_id, since })) {
        const heure = created_at.slice(0, 13)
        const key = `${heure} ${state}`
        hours.set(key, { heure, state, nombre: (hours.get(key)?.nombre ?? 0) + 1 })
      }
      return [...hours.values()]
    },
    async waiting(account_id, now) {
      const found = matching(account_id, { state: 'pending' }).sort(reversed(newestFirst))
      const isTaken = ({ leased_until }: DeliveryRow) => leased_until !== null && leased_until > now
      return {
        total: found.length,
        due: found.filter((row) => !isTaken(row) && (row.next_attempt_at ?? '') <= now).length,
        in_flight: found.filter(isTaken).length,
        oldest: found[0]?.created_at ?? null,
      }
    },
    async reopen(account_id, id, at) {
      const row = ownedBy(account_id, deliveries.get(id))
      if (row === undefined || (row.leased_until !== null && row.leased_until > at)) return false
      deliveries.put(id, {
        ...row,
        state: 'pending',
        // A replay waits with the retries, so that it does not hold up live traffic.
        lane: 'retry',
        next_attempt_at: at,
        run_attempt_count: 0,
        run_started_at: at,
        lease_token: null,
        leased_until: null,
        intended_at: null,
      })
      tables.leavesDue = true
      return true
    },
    async forgetResponses(account_id, event_id) {
      for (const row of deliveries.where((row) => row.account_id === account_id && row.event_id === event_id)) {
        const made = attempts.get(row.id) ?? []
        const forgotten = made.map((attempt) => ({ ...attempt, error: null, response_headers: null, response: null }))
        attempts.put(row.id, forgotten)
        deliveries.put(row.id, { ...row, last_error: null })
      }
    },
  }
}

export const memoryEvents = ({ events }: Tables): EventReads => ({
  async since(account_id, from, limit) {
    const found = events.where((event) => event.account_id === account_id && event.id >= from)
    return found
      .sort(by(({ id }) => id))
      .slice(0, limit)
      .map(({ id, event, body }) => ({ id, event, body }))
  },
})

export function memoryReplays({ replays }: Tables): ReplayWrites {
  return {
    find: async (account_id, id) => ownedBy(account_id, replays.get(id)) ?? null,
    async list(account_id, limit) {
      return replays
        .where((job) => job.account_id === account_id)
        .sort(newestFirst)
        .slice(0, limit)
    },
    async running() {
      return replays.where(({ state }) => state === 'running').sort(reversed(newestFirst))
    },
    async add(job) {
      replays.put(job.id, job)
    },
    async update(job) {
      if (ownedBy(job.account_id, replays.get(job.id)) !== undefined) replays.put(job.id, job)
    },
  }
}

/** By target and kind of event. */
export const subscriptionsOf = (tables: Tables): Table<string, { readonly target: string; readonly event: string }> =>
  tables.own('subscriptions')

export function memoryOutbox(tables: Tables): Outbox {
  const { endpoints, events, deliveries } = tables
  return {
    async subscribers(account_id, event) {
      const chosen = endpoints.where(
        (endpoint) =>
          endpoint.account_id === account_id &&
          endpoint.removed_at === null &&
          endpoint.events.some((kind) => kind === event),
      )
      const handlers = subscriptionsOf(tables).where((subscription) => subscription.event === event)
      return [...chosen.map(({ id }) => id), ...handlers.map(({ target }) => target)]
    },
    async subscribe(target, chosen) {
      const subscriptions = subscriptionsOf(tables)
      for (const { event } of subscriptions.where((subscription) => subscription.target === target))
        subscriptions.remove(keyOf(target, event))
      for (const event of chosen) subscriptions.put(keyOf(target, event), { target, event })
    },
    async add(entry) {
      const { deliveries: _, ...event } = entry
      events.put(entry.id, event)
      await this.addDeliveries({ ...entry, due_at: entry.created_at })
    },
    async addDeliveries({ id: event_id, account_id, event, created_at, due_at, deliveries: added }) {
      const { body = '', traceparent = null } = events.get(event_id) ?? {}
      if (added.length > 0) tables.leavesDue = true
      for (const { id, channel, target } of added) {
        deliveries.put(id, {
          id,
          account_id,
          event_id,
          event,
          body,
          channel,
          lane: 'first',
          endpoint_id: target,
          state: 'pending',
          attempt_count: 0,
          run_attempt_count: 0,
          run_started_at: due_at,
          next_attempt_at: due_at,
          last_status: null,
          last_error: null,
          lease_token: null,
          leased_until: null,
          intended_at: null,
          traceparent,
          created_at,
        })
      }
    },
  }
}
