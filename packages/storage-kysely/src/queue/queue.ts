import type {
  AttemptOutcome,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryQueue as DeliveryQueuePort,
  DeliveryState,
} from '@sav/core/ports'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isEnabled } from '../repositories/accounts.js'
import { isFree } from '../repositories/deliveries.js'
import type { QueryRunner } from '../statements/query-runner.js'
import { type QueryParams, statement, table } from '../statements/statement.js'
import { ClaimProgress } from './claim-progress.js'
import { claim, dueSince, isInput, isServed, type Lease, waitingTargets } from './claims.js'
import { heldKey, heldOf, record } from './outcomes.js'
import { type ExpireBounds, expire, purge, purgeable, type RetentionBounds } from './retention.js'
import type { Wakes } from './wakes.js'

type Lateness = Awaited<ReturnType<DeliveryQueuePort['lateness']>>

type DueAt = { readonly now: string /** `now` by the store's clock. */; readonly store_now: string }
type DueTarget = Omit<ClaimRequest, 'limit'>
type HeldDelivery = Parameters<DeliveryQueuePort['intend']>[0]

/**
 * Selects `columns` of the targets that are due. For each target, the index delivery_queue_due gives `column` (never
 * null) of its oldest due delivery, as `due`, so that no backlog is read. Rows under a lease are read and skipped.
 *
 * The instant is hidden from PostgreSQL's planner. Otherwise, each run would be planned again: 0.9 ms.
 */
function selectDue<O>(
  column: string,
  columns: RawBuilder<O>,
  p: QueryParams<DueAt>,
  bound: RawBuilder<unknown> = sql``,
): RawBuilder<O> {
  return sql`
    with recursive ${waitingTargets(bound)},
    oldest (lane, target, due) as (
      select lane, target, (
        select ${sql.ref(column)} from ${table('delivery_queue')}
        where delivery_queue.lane = waiting.lane and delivery_queue.target = waiting.target
          and next_attempt_at <= (select ${p('now')}) and ${isFree(sql`(select ${p('store_now')})`)} ${bound}
          and ${isEnabled(sql.ref('delivery_queue.account_id'))}
        order by next_attempt_at limit 1
      )
      from waiting where target is not null
    )
    select ${columns} from oldest where due is not null and ${isServed(sql.ref('oldest.target'))}`
}

const listDue = statement((_, p: QueryParams<DueAt & { since: string }>, { place }) =>
  selectDue('channel', sql<DueTarget>`lane, target, due as channel`, p, place === null ? sql`` : dueSince(p('since'))),
)

const isFailing = (target: RawBuilder<unknown>) => sql<SqlBool>`exists (
  select 1 from ${table('webhook_endpoints')} join ${table('endpoint_health')}
    on endpoint_health.account_id = webhook_endpoints.account_id and endpoint_health.endpoint_id = webhook_endpoints.id
  where webhook_endpoints.id = ${target} and echecs_consecutifs > 0
)`
/**
 * Whether the oldest due delivery of a target is not being attempted. Claims take the oldest first, so then none is.
 */
const isUntouched = (p: QueryParams<DueAt>) => sql<SqlBool>`(
  select ${isFree(p('store_now'))} from ${table('delivery_queue')}
  where delivery_queue.lane = oldest.lane and delivery_queue.target = oldest.target
    and next_attempt_at <= ${p('now')} and ${isEnabled(sql.ref('delivery_queue.account_id'))}
  order by next_attempt_at limit 1
)`
const findLateness = statement((_, p: QueryParams<DueAt & { behind_since: string }>) => {
  const unclaimed = sql`lane = 'first' and ${isUntouched(p)} and not ${isFailing(sql.ref('oldest.target'))}`
  const columns = sql<Lateness>`min(due) as oldest_due, min(case when ${unclaimed} then due end) as oldest_unclaimed,
    count(distinct case when due < ${p('behind_since')} then target end) as targets_behind`
  return selectDue('next_attempt_at', columns, p)
})

const releaseDeliveries = statement(
  (_, p: QueryParams<{ rows: string }>, { jsonRows }) =>
    sql<never>`update ${table('delivery_queue')} set lease_token = null, available_at = next_attempt_at
      from ${jsonRows(p('rows'), heldKey)}
      where ${isInput} and delivery_queue.lease_token = input.lease_token`,
)

const intendDelivery = statement((db, p: QueryParams<HeldDelivery & { at: string | null }>) =>
  db
    .updateTable('delivery_queue')
    .set({ intended_at: p('at') })
    .where('account_id', '=', p('account_id'))
    .where('created_at', '=', p('created_at'))
    .where('id', '=', p('id'))
    .where('lease_token', '=', p('lease_token')),
)

/** Counts for each account, using indexes only. */
const countOf = (counted: 'delivery_queue' | 'deliveries' | 'failed_deliveries') => sql<number>`
  cast(coalesce(sum((
    select count(*) from ${table(counted)} where ${sql.ref(`${counted}.account_id`)} = accounts.id
  )), 0) as bigint)`
const countAll = statement(
  () => sql<{ pending: number; failed: number; total: number }>`
    select ${countOf('delivery_queue')} as pending, ${countOf('failed_deliveries')} as failed,
      ${countOf('deliveries')} as total
    from ${table('accounts')}`,
)

export class DeliveryQueue implements DeliveryQueuePort {
  readonly #reads: QueryRunner
  readonly #transaction: <T>(work: (db: QueryRunner) => Promise<T>) => Promise<T>
  readonly #wakes: Wakes
  readonly #progress = new ClaimProgress()

  constructor(reads: QueryRunner, transaction: <T>(work: (db: QueryRunner) => Promise<T>) => Promise<T>, wakes: Wakes) {
    this.#reads = reads
    this.#transaction = transaction
    this.#wakes = wakes
  }

  #at(now: string): DueAt {
    return { now, store_now: this.#reads.clock.of(now) }
  }

  due(now: string): Promise<DueTarget[]> {
    return this.#reads.all(listDue, { ...this.#at(now), since: this.#progress.lookAt(now) })
  }

  lateness({ now, behindSince }: { readonly now: string; readonly behindSince: string }): Promise<Lateness> {
    return this.#reads.one(findLateness, { ...this.#at(now), behind_since: behindSince })
  }

  async claim(requests: readonly ClaimRequest[], lease: Lease): Promise<ClaimedDelivery[]> {
    const progress = this.#progress
    const claimed = await this.#transaction((db) => claim(db, requests, { lease, progress }))
    progress.note(requests, claimed)
    return claimed
  }

  record(outcomes: readonly AttemptOutcome[]): Promise<Set<string>> {
    return this.#transaction((db) => record(db, outcomes))
  }

  async release(deliveries: readonly HeldDelivery[]): Promise<void> {
    this.#progress.forget()
    const rows = JSON.stringify(deliveries.map(heldOf))
    await this.#transaction(async (db) => {
      if ((await db.run(releaseDeliveries, { rows })) > 0) db.leavesDue = true
    })
  }

  async intend(delivery: HeldDelivery, at: string | null): Promise<boolean> {
    const values = { ...heldOf(delivery), at }
    return this.#transaction(async (db) => (await db.run(intendDelivery, values)) === 1)
  }

  async counts(): Promise<Record<DeliveryState, number>> {
    const { pending, failed, total } = await this.#reads.one(countAll, {})
    return { pending, delivered: total - pending - failed, failed }
  }

  expire(bounds: ExpireBounds): Promise<number> {
    return this.#transaction((db) => expire(db, bounds))
  }

  purge(bounds: RetentionBounds & { readonly limit: number }): Promise<number> {
    return this.#transaction((db) => purge(db, bounds))
  }

  purgeable(bounds: RetentionBounds): Promise<number> {
    return purgeable(this.#reads, bounds)
  }

  watch(wake: () => void): () => void {
    return this.#wakes.watch(wake)
  }
}
