import type { ClaimedDelivery, ClaimRequest } from '@sav/core/ports'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isEnabled } from '../repositories/accounts.js'
import { isFree } from '../repositories/deliveries.js'
import type { Dialect } from '../statements/dialect.js'
import type { QueryRunner } from '../statements/query-runner.js'
import { type QueryParams, statement, table } from '../statements/statement.js'
import type { ClaimProgress } from './claim-progress.js'

/** Whether no endpoint `target` is disabled or removed: by the index webhook_endpoints_id. */
export const isServed = (target: RawBuilder<unknown>): RawBuilder<SqlBool> => sql`not exists (
  select 1 from ${table('webhook_endpoints')}
  where webhook_endpoints.id = ${target} and (disabled_at is not null or removed_at is not null)
)`

/**
 * Each lane of each target with waiting deliveries, as `waiting`: a loose scan over the index delivery_queue_due, in
 * which each step of the recursion finds the next target.
 */
export const waitingTargets = (bound: RawBuilder<unknown> = sql``) => sql`
  waiting (lane, target) as (
    select lane, (select min(target) from ${table('delivery_queue')} where delivery_queue.lane = lanes.lane ${bound})
    from (select 'first' as lane union all select 'retry') as lanes
    union all
    select lane, (
      select min(target) from ${table('delivery_queue')}
      where delivery_queue.lane = waiting.lane and delivery_queue.target > waiting.target ${bound}
    )
    from waiting where target is not null
  )`

export const queueKey = { account_id: 'text', created_at: 'text', id: 'text' } as const
/** The queue's rows named in `input`, by the primary key. */
export const isInput = sql<SqlBool>`delivery_queue.account_id = input.account_id
  and delivery_queue.created_at = input.created_at and delivery_queue.id = input.id`

type Claimable = Omit<ClaimedDelivery, 'lease_token' | 'leased_until'>

const claimableColumns = sql<Claimable>`id, account_id, created_at, channel, target, lane, event_id, event,
  (select body from ${table('events')}
    where events.account_id = delivery_queue.account_id and events.id = delivery_queue.event_id) as body,
  attempt_count, run_attempt_count, run_started_at, next_attempt_at, intended_at, traceparent`

type ClaimAt = ClaimRequest & { readonly now: string; readonly store_now: string }

/**
 * Selects claimable rows in the order of the index delivery_queue_due. The index does not contain leases, so claiming a
 * delivery changes no index. Rows under a lease are read and skipped. Rows that another process is claiming are skipped
 * too.
 */
const selectClaimable = <O>(
  columns: RawBuilder<O>,
  p: QueryParams<ClaimAt>,
  { dialect: { locksRows }, bound = sql`` }: { readonly dialect: Dialect; readonly bound?: RawBuilder<unknown> },
) => sql<O>`
  select ${columns} from ${table('delivery_queue')}
  where lane = ${p('lane')} and target = ${p('target')} and channel = ${p('channel')}
    and next_attempt_at <= ${p('now')} and ${isFree(p('store_now'))} ${bound}
    and ${isServed(p('target'))} and ${isEnabled(sql.ref('delivery_queue.account_id'))}
  order by next_attempt_at limit ${p('limit')}
  ${locksRows ? sql`for no key update of delivery_queue skip locked` : sql``}`

type ClaimParams = ClaimAt & {
  readonly since: string
  readonly token: string
  readonly until: string
}

const listClaimable = statement((_, p: QueryParams<ClaimAt>, dialect) =>
  selectClaimable<Claimable>(claimableColumns, p, { dialect }),
)
const takeDeliveries = statement(
  (_, p: QueryParams<{ rows: string; token: string; until: string }>, { jsonRows }) =>
    sql<never>`update ${table('delivery_queue')} set lease_token = ${p('token')}, available_at = ${p('until')}
      from ${jsonRows(p('rows'), queueKey)} where ${isInput}`,
)
/** Rows that became due earlier are not read. */
export const dueSince = (since: RawBuilder<string>) => sql`and next_attempt_at >= (select ${since})`

/** Claims rows in no particular order. */
const takeClaimable = statement(
  (_, p: QueryParams<ClaimParams>, dialect) => sql<Claimable>`
    update ${table('delivery_queue')} set lease_token = ${p('token')}, available_at = ${p('until')}
    where ${dialect.place} = any(array(${selectClaimable(sql`${dialect.place}`, p, { dialect, bound: dueSince(p('since')) })}))
    returning ${claimableColumns}`,
)

export interface Lease {
  /** Instants. */
  readonly now: string
  readonly leasedUntil: string
  readonly token: string
}

/**
 * Runs in a transaction. Fulfils `DeliveryQueue.claim`, except that `progress` leaves some rows to a later claim. The
 * statements are sent in parallel.
 */
export async function claim(
  db: QueryRunner,
  requests: readonly ClaimRequest[],
  { lease, progress }: { readonly lease: Lease; readonly progress: ClaimProgress },
): Promise<ClaimedDelivery[]> {
  const { leasedUntil, token } = lease
  const asked = requests.map((request) => ({ ...request, since: progress.upTo(request) }))
  const take = db.dialect.place === null ? findAndTake : takeAtOnce
  const times = { now: lease.now, store_now: db.clock.of(lease.now), until: db.clock.of(leasedUntil), token }
  const taken = await take(db, asked, times)
  return taken.map((due) => ({ ...due, lease_token: token, leased_until: leasedUntil }))
}

type ClaimSince = ClaimRequest & { readonly since: string }
type LeaseTimes = Pick<ClaimParams, 'now' | 'store_now' | 'until' | 'token'>

/** Claims in one round trip, which includes the commit. */
async function takeAtOnce(db: QueryRunner, requests: readonly ClaimSince[], times: LeaseTimes): Promise<Claimable[]> {
  const taken = await Promise.all(
    requests.map(({ lane, target, channel, limit, since }) =>
      db.all(takeClaimable, { lane, target, channel, limit, since, ...times }),
    ),
  )
  return taken.flatMap((rows) => rows.toSorted((a, b) => (a.next_attempt_at < b.next_attempt_at ? -1 : 1)))
}

async function findAndTake(
  db: QueryRunner,
  requests: readonly ClaimRequest[],
  { now, store_now, token, until }: LeaseTimes,
): Promise<Claimable[]> {
  const found = await Promise.all(
    requests.map(({ lane, target, channel, limit }) =>
      db.all(listClaimable, { lane, target, channel, limit, now, store_now }),
    ),
  )
  const claimable = found.flat()
  if (claimable.length === 0) return []
  const rows = JSON.stringify(claimable.map(({ account_id, created_at, id }) => ({ account_id, created_at, id })))
  await db.send(takeDeliveries, { rows, token, until })
  return claimable
}
