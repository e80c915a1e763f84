import type { DeliveryQueue, RetentionBounds } from '../../delivery/delivery-queue.js'
import { isHostTarget } from '../../delivery/host-channel.js'
import { subscriptionsOf } from './delivery.js'
import { by } from './rows.js'
import type { Alone, DeliveryRow, Tables } from './tables.js'

const oldestFirst = by<DeliveryRow>(
  ({ created_at }) => created_at,
  ({ id }) => id,
)

export function memoryRetention(tables: Tables, alone: Alone): Pick<DeliveryQueue, 'expire' | 'purge' | 'purgeable'> {
  const { endpoints, events, deliveries, attempts } = tables

  /** Why a delivery waits in vain, or null when it does not. */
  function vain(row: DeliveryRow, disabledBefore: string): string | null {
    const { channel, endpoint_id } = row
    if (isHostTarget(channel))
      return subscriptionsOf(tables).where(({ target }) => target === endpoint_id).length > 0 ? null : 'handler removed'
    const endpoint = endpoints.get(endpoint_id)
    if (row.channel !== 'webhook' || row.next_attempt_at === null || endpoint === undefined) return null
    if (endpoint.removed_at !== null) return 'endpoint removed'
    const tooLong = endpoint.disabled_at !== null && row.next_attempt_at < disabledBefore
    return tooLong ? 'endpoint disabled for too long' : null
  }

  function ended({ deliveredBefore, failedBefore }: RetentionBounds): DeliveryRow[] {
    return deliveries.where(
      ({ state, created_at }) =>
        (state === 'delivered' && created_at < deliveredBefore) || (state === 'failed' && created_at < failedBefore),
    )
  }

  function unreferred({ deliveredBefore, failedBefore }: RetentionBounds, going: readonly DeliveryRow[]) {
    const gone = new Set(going)
    const referred = new Set(deliveries.where((row) => !gone.has(row)).map(({ event_id }) => event_id))
    return events.where(
      ({ id, created_at }) => created_at < deliveredBefore && created_at < failedBefore && !referred.has(id),
    )
  }

  return {
    expire: ({ now, disabledBefore, limit }) =>
      alone(() => {
        let expired = 0
        for (const row of deliveries.where(({ state }) => state === 'pending')) {
          const reason = vain(row, disabledBefore)
          const leased = row.leased_until !== null && row.leased_until > now
          if (reason === null || leased || expired === limit) continue
          const failed = { state: 'failed', next_attempt_at: null, last_error: reason } as const
          deliveries.put(row.id, { ...row, ...failed, lease_token: null, leased_until: null })
          expired += 1
        }
        return expired
      }),

    purge: ({ limit, ...bounds }) =>
      alone(() => {
        const going = ended(bounds).sort(oldestFirst).slice(0, limit)
        const orphans = unreferred(bounds, going).slice(0, limit)
        for (const { id } of going) {
          deliveries.remove(id)
          attempts.remove(id)
        }
        for (const { id } of orphans) events.remove(id)
        return going.length + orphans.length
      }),

    purgeable: async (bounds) => {
      const going = ended(bounds)
      return going.length + unreferred(bounds, going).length
    },
  }
}
