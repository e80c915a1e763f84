import type { ClaimedDelivery, DeliveryQueue, DueTarget, HeldDelivery } from '../../delivery/delivery-queue.js'
import { memoryRetention } from './retention.js'
import { by, ownedBy } from './rows.js'
import { type Alone, type DeliveryRow, keyOf, type Tables } from './tables.js'

/** A row that waits for its next attempt. */
type Waiting = DeliveryRow & { readonly next_attempt_at: string }

const oldestFirst = by<Waiting>(
  (row) => row.next_attempt_at,
  (row) => row.id,
)

/** Reads and writes committed rows directly: each method runs in one go, alone. */
export function memoryQueue(tables: Tables, alone: Alone, watch: DeliveryQueue['watch']): DeliveryQueue {
  const { endpoints, deliveries, attempts } = tables

  function isHeldBack({ channel, endpoint_id }: DeliveryRow): boolean {
    const endpoint = endpoints.get(endpoint_id)
    return channel === 'webhook' && (endpoint?.disabled_at !== null || endpoint.removed_at !== null)
  }

  function isDue(row: DeliveryRow, now: string): row is Waiting {
    if (row.state !== 'pending' || row.next_attempt_at === null || row.next_attempt_at > now) return false
    return (row.leased_until === null || row.leased_until <= now) && !isHeldBack(row)
  }

  function dueAt(now: string): Waiting[] {
    const due: Waiting[] = []
    for (const row of deliveries.values()) if (isDue(row, now)) due.push(row)
    return due.sort(oldestFirst)
  }

  /** The delivery, if this lease is the one that it is under. */
  function held(lease: HeldDelivery): DeliveryRow | undefined {
    const row = ownedBy(lease.account_id, deliveries.get(lease.id))
    return row?.lease_token === lease.lease_token ? row : undefined
  }

  return {
    async due(now) {
      const targets = new Map<string, DueTarget>()
      for (const row of deliveries.values()) {
        if (!isDue(row, now)) continue
        const { endpoint_id: target, channel, lane } = row
        targets.set(keyOf(target, channel, lane), { target, channel, lane })
      }
      return [...targets.values()]
    },

    claim: (requests, { now, leasedUntil, token }) =>
      alone(() => {
        const due = dueAt(now)
        return requests.flatMap(({ target, channel, lane, limit }) =>
          due
            .filter((row) => row.endpoint_id === target && row.channel === channel && row.lane === lane)
            // A row that an earlier request took has been replaced.
            .filter((row) => deliveries.get(row.id) === row)
            .slice(0, limit)
            .map((row) => {
              const leased = { ...row, lease_token: token, leased_until: leasedUntil }
              deliveries.put(row.id, leased)
              return claimedOf(leased)
            }),
        )
      }),

    record: (outcomes) =>
      alone(() => {
        const recorded = new Set<string>()
        for (const { delivery, attempt, update } of outcomes) {
          const row = held(delivery)
          if (row === undefined) continue
          const free = { lease_token: null, leased_until: null, intended_at: null }
          deliveries.put(row.id, { ...row, ...update, lane: 'retry', ...free })
          attempts.put(row.id, [...(attempts.get(row.id) ?? []), attempt])
          recorded.add(row.id)
        }
        return recorded
      }),

    intend: (delivery, at) =>
      alone(() => {
        const row = held(delivery)
        if (row !== undefined) deliveries.put(row.id, { ...row, intended_at: at })
        return row !== undefined
      }),

    release: (claimed) =>
      alone(() => {
        for (const delivery of claimed) {
          const row = held(delivery)
          if (row !== undefined) deliveries.put(row.id, { ...row, lease_token: null, leased_until: null })
        }
      }),

    async counts() {
      const counts = { pending: 0, delivered: 0, failed: 0 }
      for (const { state } of deliveries.values()) counts[state] += 1
      return counts
    },

    ...memoryRetention(tables, alone),

    watch,

    oldestDue: async (now) => dueAt(now)[0]?.next_attempt_at ?? null,
  }
}

function claimedOf(row: Waiting & { readonly lease_token: string; readonly leased_until: string }): ClaimedDelivery {
  return {
    id: row.id,
    account_id: row.account_id,
    created_at: row.created_at,
    channel: row.channel,
    target: row.endpoint_id,
    lane: row.lane,
    event_id: row.event_id,
    event: row.event,
    body: row.body,
    attempt_count: row.attempt_count,
    run_attempt_count: row.run_attempt_count,
    run_started_at: row.run_started_at,
    next_attempt_at: row.next_attempt_at,
    lease_token: row.lease_token,
    leased_until: row.leased_until,
    intended_at: row.intended_at,
    traceparent: row.traceparent,
  }
}
