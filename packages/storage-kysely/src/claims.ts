import type { ClaimedDelivery, ClaimRequest } from '@sav/core/ports'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from './dialect.js'
import type { Session } from './session.js'
import { type Named, statement } from './statement.js'

/** Whether the endpoint behind `target` is neither disabled nor removed: by the index webhook_endpoints_id. */
export const isServed = (target: RawBuilder<unknown>): RawBuilder<SqlBool> => sql`not exists (
  select 1 from webhook_endpoints
  where webhook_endpoints.id = ${target} and (disabled_at is not null or removed_at is not null)
)`

type Claimable = Omit<ClaimedDelivery, 'lease_token' | 'leased_until'>
type Request = { readonly [column in 'lane' | 'target' | 'channel' | 'limit']: RawBuilder<unknown> }

/**
 * In the order of the index deliveries_due, which knows nothing of leases, so that to claim a delivery changes no index;
 * those under a lease are read in passing. What another process is claiming is left to it.
 */
const selectClaimable = (
  { lane, target, channel, limit }: Request,
  now: RawBuilder<string>,
  { locksRows }: Dialect,
) => sql<Claimable>`
  select id, account_id, channel, target, lane, event_id, event,
    (select body from events where events.account_id = deliveries.account_id and events.id = deliveries.event_id) as body,
    attempt_count, run_attempt_count, run_started_at, next_attempt_at, intended_at
  from deliveries
  where deliveries.lane = ${lane} and deliveries.target = ${target} and deliveries.channel = ${channel}
    and next_attempt_at <= ${now} and available_at <= ${now} and ${isServed(target)}
  order by next_attempt_at limit ${limit} ${locksRows ? sql`for no key update of deliveries skip locked` : sql``}`

const listClaimable = statement((_, p: Named<ClaimRequest & { readonly now: string }>, dialect) =>
  selectClaimable(
    { lane: p('lane'), target: p('target'), channel: p('channel'), limit: p('limit') },
    p('now'),
    dialect,
  ),
)

const requested = { lane: 'text', target: 'text', channel: 'text', most: 'integer' } as const
/**
 * Finds and takes in one statement, which is a transaction of its own. Nobody waits for it to be on disk: what a crash of
 * the server takes back is due once more, as what was under way then is anyway. What is taken is named by arrays, since
 * planners expect far more of a join, and would read the whole backlog for it.
 */
const claimAll = statement((_, p: Named<{ requests: string; now: string; token: string; until: string }>, dialect) => {
  const of = (column: keyof typeof requested) => sql.ref(`input.${column}`)
  const request = { lane: of('lane'), target: of('target'), channel: of('channel'), limit: of('most') }
  return sql<Claimable>`
    with due as materialized (
      select claimable.* from ${dialect.jsonRows(p('requests'), requested)}
        cross join lateral (${selectClaimable(request, p('now'), dialect)}) as claimable
    ),
    taken as (
      update deliveries set lease_token = ${p('token')}, available_at = ${p('until')}
      where account_id = any(array(select distinct account_id from due)) and id = any(array(select id from due))
        and ((account_id, id) in (select account_id, id from due)) is true
    ),
    unsynced as (select set_config('synchronous_commit', 'off', true) as setting)
    select due.* from due cross join unsynced`
})

const takeDeliveries = statement(
  (_, p: Named<{ rows: string; token: string; until: string }>, { jsonRows }) =>
    sql<never>`update deliveries set lease_token = ${p('token')}, available_at = ${p('until')}
      from ${jsonRows(p('rows'), { account_id: 'text', id: 'text' })}
      where deliveries.account_id = input.account_id and deliveries.id = input.id`,
)

export interface Sessions {
  readonly reads: Session
  readonly transaction: <T>(work: (session: Session) => Promise<T>) => Promise<T>
}

export interface Lease {
  /** Instants. */
  readonly now: string
  readonly leasedUntil: string
  readonly token: string
}

/** As `DeliveryQueue.claim` promises it. */
export async function claim(
  { reads, transaction }: Sessions,
  requests: readonly ClaimRequest[],
  { now, leasedUntil, token }: Lease,
): Promise<ClaimedDelivery[]> {
  const claimed = reads.dialect.lateral
    ? await reads.all(claimAll, { requests: JSON.stringify(requests.map(toInput)), now, token, until: leasedUntil })
    : await transaction((session) => claimOneByOne(session, requests, { now, leasedUntil, token }))
  return claimed.map((due) => ({ ...due, lease_token: token, leased_until: leasedUntil }))
}

const toInput = ({ lane, target, channel, limit }: ClaimRequest) => ({ lane, target, channel, most: limit })

async function claimOneByOne(
  session: Session,
  requests: readonly ClaimRequest[],
  { now, leasedUntil, token }: Lease,
): Promise<Claimable[]> {
  const claimable: Claimable[] = []
  for (const { lane, target, channel, limit } of requests)
    claimable.push(...(await session.all(listClaimable, { lane, target, channel, limit, now })))
  if (claimable.length === 0) return []
  const rows = JSON.stringify(claimable.map(({ account_id, id }) => ({ account_id, id })))
  await session.send(takeDeliveries, { rows, token, until: leasedUntil })
  return claimable
}
