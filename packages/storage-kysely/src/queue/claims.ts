import type { ClaimedDelivery, ClaimRequest } from '@sav/core/ports'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Session } from '../statements/session.js'
import { type Named, statement, table } from '../statements/statement.js'

/** Whether the endpoint behind `target` is neither disabled nor removed: by the index webhook_endpoints_id. */
export const isServed = (target: RawBuilder<unknown>): RawBuilder<SqlBool> => sql`not exists (
  select 1 from ${table('webhook_endpoints')}
  where webhook_endpoints.id = ${target} and (disabled_at is not null or removed_at is not null)
)`

/**
 * As `waiting`, each lane of each target that something waits for: a loose scan over the index delivery_queue_due, in which
 * each step of the recursion asks for the next target.
 */
export const waitingTargets = sql`
  waiting (lane, target) as (
    select lane, (select min(target) from ${table('delivery_queue')} where delivery_queue.lane = lanes.lane)
    from (select 'first' as lane union all select 'retry') as lanes
    union all
    select lane, (
      select min(target) from ${table('delivery_queue')}
      where delivery_queue.lane = waiting.lane and delivery_queue.target > waiting.target
    )
    from waiting where target is not null
  )`

export const queueKey = { account_id: 'text', created_at: 'text', id: 'text' } as const
/** Of the queue and of `input`, by the primary key. */
export const isInput = sql<SqlBool>`delivery_queue.account_id = input.account_id
  and delivery_queue.created_at = input.created_at and delivery_queue.id = input.id`

type Claimable = Omit<ClaimedDelivery, 'lease_token' | 'leased_until'>

/**
 * In the order of the index delivery_queue_due, which knows nothing of leases, so that to claim a delivery changes no index;
 * those under a lease are read in passing. What another process is claiming is left to it.
 */
const listClaimable = statement(
  (_, p: Named<ClaimRequest & { readonly now: string }>, { locksRows }) => sql<Claimable>`
    select id, account_id, created_at, channel, target, lane, event_id, event,
      (select body from ${table('events')}
        where events.account_id = delivery_queue.account_id and events.id = delivery_queue.event_id) as body,
      attempt_count, run_attempt_count, run_started_at, next_attempt_at, intended_at, traceparent
    from ${table('delivery_queue')}
    where lane = ${p('lane')} and target = ${p('target')} and channel = ${p('channel')}
      and next_attempt_at <= ${p('now')} and available_at <= ${p('now')}
      and ${isServed(p('target'))}
    order by next_attempt_at limit ${p('limit')}
    ${locksRows ? sql`for no key update of delivery_queue skip locked` : sql``}`,
)

const takeDeliveries = statement(
  (_, p: Named<{ rows: string; token: string; until: string }>, { jsonRows }) =>
    sql<never>`update ${table('delivery_queue')} set lease_token = ${p('token')}, available_at = ${p('until')}
      from ${jsonRows(p('rows'), queueKey)} where ${isInput}`,
)

export interface Lease {
  /** Instants. */
  readonly now: string
  readonly leasedUntil: string
  readonly token: string
}

/**
 * In a transaction: as `DeliveryQueue.claim` promises it. The look-ups are sent side by side. One statement that finds and
 * takes for all targets at once would save a round trip on PostgreSQL, and took a third of the deliveries a second away.
 */
export async function claim(
  session: Session,
  requests: readonly ClaimRequest[],
  { now, leasedUntil, token }: Lease,
): Promise<ClaimedDelivery[]> {
  const found = await Promise.all(
    requests.map(({ lane, target, channel, limit }) =>
      session.all(listClaimable, { lane, target, channel, limit, now }),
    ),
  )
  const claimable = found.flat()
  if (claimable.length === 0) return []
  const rows = JSON.stringify(claimable.map(({ account_id, created_at, id }) => ({ account_id, created_at, id })))
  await session.send(takeDeliveries, { rows, token, until: leasedUntil })
  return claimable.map((due) => ({ ...due, lease_token: token, leased_until: leasedUntil }))
}
