import type { failures } from '@sav/core/adapter'
import type { DeliveryQueue } from '@sav/core/ports'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isFree } from '../repositories/deliveries.js'
import type { Dialect } from '../statements/dialect.js'
import type { QueryRunner } from '../statements/query-runner.js'
import { type QueryParams, statement, table } from '../statements/statement.js'
import { queueKey, waitingTargets } from './claims.js'
import { noteFailed } from './outcomes.js'

export type RetentionBounds = Parameters<DeliveryQueue['purgeable']>[0]

type Row = { readonly account_id: string; readonly created_at: string; readonly id: string }

/** Skips rows that another process works on; the next run takes them. */
const lockedApart = ({ locksRows }: Dialect, locked: 'deliveries' | 'delivery_queue') =>
  locksRows ? sql`for update of ${sql.id(locked)} skip locked` : sql``

const rowOf = (from: 'deliveries' | 'delivery_queue' | 'events') =>
  sql.join(['account_id', 'created_at', 'id'].map((column) => sql.ref(`${from}.${column}`)))

export interface ExpireBounds {
  /** Instants. */
  readonly now: string
  readonly disabledBefore: string
  readonly limit: number
}

/** Deliveries that wait for endpoints matched by `idle`, found by the index delivery_queue_due. */
const waitingFor = (idle: RawBuilder<SqlBool>, due: RawBuilder<SqlBool>, limit: RawBuilder<number>, dialect: Dialect) =>
  sql<Row>`
    select ${rowOf('delivery_queue')}
    from ${table('webhook_endpoints')} cross join ${table('delivery_queue')}
    where ${idle} and lane in ('first', 'retry') and target = webhook_endpoints.id and channel = 'webhook' and ${due}
    limit ${limit} ${lockedApart(dialect, 'delivery_queue')}`

const listRemoved = statement((_, p: QueryParams<{ store_now: string; limit: number }>, dialect) =>
  waitingFor(sql`removed_at is not null`, isFree(p('store_now')), p('limit'), dialect),
)
// The condition on `available_at` skips deliveries under a lease, which never ends before `next_attempt_at`.
const listDisabled = statement((_, p: QueryParams<{ before: string; limit: number }>, dialect) => {
  const idle = sql<SqlBool>`disabled_at is not null and removed_at is null`
  return waitingFor(idle, sql`next_attempt_at < ${p('before')} and available_at < ${p('before')}`, p('limit'), dialect)
})
/** Deliveries to removed handlers of the host. */
const listUnhandled = statement(
  (_, p: QueryParams<{ store_now: string; limit: number }>, dialect) => sql<Row>`
    with recursive ${waitingTargets()}
    select ${rowOf('delivery_queue')}
    from waiting cross join ${table('delivery_queue')}
    where waiting.target like 'host:%'
      and not exists (select 1 from ${table('subscriptions')} where subscriptions.target = waiting.target)
      and delivery_queue.lane = waiting.lane and delivery_queue.target = waiting.target and ${isFree(p('store_now'))}
    limit ${p('limit')} ${lockedApart(dialect, 'delivery_queue')}`,
)
const failDeliveries = statement(
  (_, p: QueryParams<{ rows: string; reason: string; code: string }>, { jsonRows }) =>
    sql<never>`update ${table('deliveries')}
      set state = 'failed', next_attempt_at = null, last_error = ${p('reason')}, last_error_code = ${p('code')}
      from ${jsonRows(p('rows'), { account_id: 'text', id: 'text' })}
      where deliveries.account_id = input.account_id and deliveries.id = input.id`,
)

type Reason = 'endpoint_removed' | 'endpoint_disabled' | 'handler_removed'
/** The core's texts, repeated so that a storage need not load them. */
const reasons: { readonly [code in Reason]: (typeof failures)[code]['words'] } = {
  endpoint_removed: 'endpoint removed',
  endpoint_disabled: 'endpoint disabled for too long',
  handler_removed: 'handler removed',
}

/** Runs in a transaction. Fulfils `DeliveryQueue.expire`. */
export async function expire(db: QueryRunner, { now, disabledBefore, limit }: ExpireBounds): Promise<number> {
  const store_now = db.clock.of(now)
  let expired = 0
  const fail = async (rows: readonly Row[], code: Reason) => {
    expired += rows.length
    const json = JSON.stringify(rows)
    await db.send(deleteWaiting, { rows: json })
    await db.send(failDeliveries, { rows: json, reason: reasons[code], code })
    await noteFailed(db, rows)
  }
  await fail(await db.all(listRemoved, { store_now, limit }), 'endpoint_removed')
  await fail(await db.all(listUnhandled, { store_now, limit: limit - expired }), 'handler_removed')
  const disabled = { before: disabledBefore, limit: limit - expired }
  await fail(await db.all(listDisabled, disabled), 'endpoint_disabled')
  return expired
}

/** Deliveries delivered before `before`: for each account by the index deliveries_recent. */
const deliveredBefore = (before: RawBuilder<string>, { ofEachAccount }: Dialect) => {
  const { from, where } = ofEachAccount(
    'deliveries',
    sql`deliveries.state = 'delivered' and deliveries.created_at < ${before}`,
  )
  return sql`from ${from} where ${where}`
}
const listDelivered = statement(
  (_, p: QueryParams<{ before: string; limit: number }>, dialect) => sql<Row>`
    select ${rowOf('deliveries')} ${deliveredBefore(p('before'), dialect)}
    limit ${p('limit')} ${lockedApart(dialect, 'deliveries')}`,
)
const countDelivered = statement(
  (_, p: QueryParams<{ before: string }>, dialect) => sql<{ count: number }>`
    select count(*) as count ${deliveredBefore(p('before'), dialect)}`,
)

/** Deliveries that failed before `before`: for each account by the primary key of the failed ones. */
const failedBefore = (before: RawBuilder<string>, { ofEachAccount }: Dialect) =>
  ofEachAccount('failed_deliveries', sql`failed_deliveries.created_at < ${before}`)
// Reads the state of the locked delivery, which may have been reopened meanwhile.
const listFailed = statement((_, p: QueryParams<{ before: string; limit: number }>, dialect) => {
  const { from, where } = failedBefore(p('before'), dialect)
  return sql<Row>`
    select ${rowOf('deliveries')} from ${from} cross join ${table('deliveries')}
    where ${where} and deliveries.account_id = failed_deliveries.account_id and deliveries.id = failed_deliveries.id
      and deliveries.state = 'failed'
    limit ${p('limit')} ${lockedApart(dialect, 'deliveries')}`
})
const countFailed = statement((_, p: QueryParams<{ before: string }>, dialect) => {
  const { from, where } = failedBefore(p('before'), dialect)
  return sql<{ count: number }>`select count(*) as count from ${from} where ${where}`
})

/**
 * Events before an instant, for each account by the index events_created. Their deliveries were created at the same
 * instant, so the index deliveries_recent finds them, and no index on `event_id` is needed.
 */
const eventsBefore = (before: RawBuilder<string>, remaining: RawBuilder<SqlBool>, { ofEachAccount }: Dialect) => {
  const { from, where } = ofEachAccount('events', sql`events.created_at < ${before}`)
  return sql`from ${from} where ${where} and not exists (
    select 1 from ${table('deliveries')}
    where deliveries.account_id = events.account_id and deliveries.created_at = events.created_at
      and deliveries.event_id = events.id and ${remaining}
  )`
}
const listUnreferred = statement(
  (_, p: QueryParams<{ before: string; limit: number }>, dialect) =>
    sql<Row>`select ${rowOf('events')} ${eventsBefore(p('before'), sql`true`, dialect)} limit ${p('limit')}`,
)
// Before both bounds every ended delivery is deleted, so none refers to the event.
const countUnreferred = statement(
  (_, p: QueryParams<{ before: string }>, dialect) =>
    sql<{ count: number }>`select count(*) as count ${eventsBefore(p('before'), sql`state = 'pending'`, dialect)}`,
)

const deletion = (from: 'attempts' | 'deliveries' | 'events', id: 'delivery_id' | 'id') =>
  statement(
    (_, p: QueryParams<{ rows: string }>, { jsonRows }) =>
      sql<never>`delete from ${table(from)}
        where (account_id, ${sql.ref(id)}) in (
          select account_id, id from ${jsonRows(p('rows'), { account_id: 'text', id: 'text' })}
        )`,
  )
/** Deletes rows by the primary key. */
const deletionByTime = (from: 'delivery_queue' | 'failed_deliveries') =>
  statement(
    (_, p: QueryParams<{ rows: string }>, { jsonRows }) =>
      sql<never>`delete from ${table(from)}
        where (account_id, created_at, id) in (select account_id, created_at, id from ${jsonRows(p('rows'), queueKey)})`,
  )
const deleteWaiting = deletionByTime('delivery_queue')
const deleteFailed = deletionByTime('failed_deliveries')
const deleteAttempts = deletion('attempts', 'delivery_id')
const deleteDeliveries = deletion('deliveries', 'id')
const deleteEvents = deletion('events', 'id')

const earlier = ({ deliveredBefore, failedBefore }: RetentionBounds) =>
  deliveredBefore < failedBefore ? deliveredBefore : failedBefore

/** Runs in a transaction. Fulfils `DeliveryQueue.purge`. */
export async function purge(
  db: QueryRunner,
  { limit, ...bounds }: RetentionBounds & { readonly limit: number },
): Promise<number> {
  const delivered = await db.all(listDelivered, { before: bounds.deliveredBefore, limit })
  const failed = await db.all(listFailed, { before: bounds.failedBefore, limit: limit - delivered.length })
  const ended = [...delivered, ...failed]
  await db.run(deleteAttempts, { rows: JSON.stringify(ended) })
  await db.run(deleteDeliveries, { rows: JSON.stringify(ended) })
  await db.run(deleteFailed, { rows: JSON.stringify(failed) })
  // Events are deleted only after the last delivery. Earlier, each batch would find the same events still in use.
  if (ended.length === limit) return limit

  const events = await db.all(listUnreferred, { before: earlier(bounds), limit })
  await db.run(deleteEvents, { rows: JSON.stringify(events) })
  return ended.length + events.length
}

/** Fulfils `DeliveryQueue.purgeable`. */
export async function purgeable(db: QueryRunner, bounds: RetentionBounds): Promise<number> {
  const delivered = await db.one(countDelivered, { before: bounds.deliveredBefore })
  const failed = await db.one(countFailed, { before: bounds.failedBefore })
  const events = await db.one(countUnreferred, { before: earlier(bounds) })
  return delivered.count + failed.count + events.count
}
