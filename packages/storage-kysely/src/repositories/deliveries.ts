import type {
  AttemptRecord,
  Delivery,
  DeliveryFilter,
  DeliveryState,
  DeliveryWrites,
  HistoryQuery,
  ReplayJob,
  ReplayWrites,
} from '@sav/core/ports'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { Repository } from '../statements/query-runner.js'
import { rowsStatement, withInput } from '../statements/rows-statement.js'
import {
  insertion,
  lookUpBy,
  type QueryParams,
  replacement,
  selection,
  shapes,
  statement,
  table,
} from '../statements/statement.js'
import { tables } from '../tables/tables.js'
import { beginsAfter, isAfter, type PlaceParams, placeParams } from './pages.js'

type HourOfDeliveries = Awaited<ReturnType<DeliveryWrites['activity']>>[number]
type WaitingDeliveries = Awaited<ReturnType<DeliveryWrites['waiting']>>

type OneOfAccount = { readonly account_id: string; readonly id: string }

const deliveryColumns = [...tables.deliveries.without('target'), 'target as endpoint_id'] as const

const shown = sql.join(deliveryColumns.map((column) => sql`deliveries.${sql.raw(column)}`))

const findDelivery = statement((db, p: QueryParams<OneOfAccount>) =>
  db
    .selectFrom('deliveries')
    .select(deliveryColumns)
    .where('account_id', '=', p('account_id'))
    .where('id', '=', p('id')),
)
// Uses the primary key.
const findBodies = rowsStatement(
  { account_id: 'text', id: 'text' },
  (rows) => sql<{ id: string; body: string }>`
    ${withInput({ account_id: 'text', id: 'text' }, rows)}
    select events.id, events.body from input cross join ${table('events')}
    where events.account_id = input.account_id and events.id = input.id`,
)
const listAttempts = selection('attempts', ['account_id', 'delivery_id'], {
  columns: tables.attempts.without('account_id', 'delivery_id'),
  order: ['n'],
})

// Deliveries are created with their event, so the index deliveries_recent finds them.
const listOfEvent = statement((db, p: QueryParams<{ account_id: string; event_id: string }>) =>
  db
    .selectFrom('deliveries')
    .select(deliveryColumns)
    .where('account_id', '=', p('account_id'))
    .where('event_id', '=', p('event_id'))
    .where('created_at', '=', ({ selectFrom }) =>
      selectFrom('events')
        .select('events.created_at')
        .where('events.account_id', '=', p('account_id'))
        .where('events.id', '=', p('event_id')),
    )
    .orderBy('id'),
)
const forgetAttempts = replacement('attempts', ['account_id', 'delivery_id'], ['error', 'response_headers', 'response'])
const noResponse = { error: null, response_headers: null, response: null }
const forgetLastError = replacement('deliveries', ['account_id', 'id'], ['last_error'])

type Filter = {
  readonly account_id: string
  readonly endpoint_id?: string | undefined
  readonly event?: string | undefined
  readonly since?: string | undefined
}
type Page = { readonly limit: number } & PlaceParams

/** The table with the rows of a state. Delivered ones are found among all deliveries. */
type Source = 'deliveries' | 'delivery_queue' | 'failed_deliveries'
const sources = { pending: 'delivery_queue', delivered: 'deliveries', failed: 'failed_deliveries' } as const

/**
 * The condition of a filter on the rows in `from`. Waiting and failed deliveries are found by the primary key. In
 * `deliveries`, those of one endpoint are found by the index deliveries_target, unless `leading` chooses another index;
 * all others by deliveries_recent. Other filters are written so that no planner prefers their index.
 */
function matching(
  from: Source,
  { p, bound, leading }: { p: QueryParams<Filter>; bound: ReadonlySet<string>; leading?: RawBuilder<SqlBool> },
): RawBuilder<SqlBool>[] {
  const of = (column: string) => sql.ref(`${from}.${column}`)
  const target = from === 'deliveries' && leading === undefined ? of('target') : sql`${of('target')} || ''`
  return [
    sql<SqlBool>`${of('account_id')} = ${p('account_id')}`,
    ...(leading === undefined ? [] : [leading]),
    ...(bound.has('endpoint_id') ? [sql<SqlBool>`${target} = ${p('endpoint_id')}`] : []),
    ...(bound.has('event') ? [sql<SqlBool>`${of('event')} = ${p('event')}`] : []),
    ...(bound.has('since') ? [sql<SqlBool>`${of('created_at')} >= ${p('since')}`] : []),
  ]
}

const all = (conditions: readonly RawBuilder<SqlBool>[]) => sql.join(conditions, sql` and `)

/** A statement for each state, because the leading table depends on the state. Each has a variant for webhooks only. */
function variants<S>(build: (state: DeliveryState | undefined, options: { readonly webhooksOnly: boolean }) => S) {
  const both = (state: DeliveryState | undefined) => ({
    all: build(state, { webhooksOnly: false }),
    webhooks: build(state, { webhooksOnly: true }),
  })
  const any = both(undefined)
  const one = { pending: both('pending'), delivered: both('delivered'), failed: both('failed') }
  return ({ state, letters }: Pick<DeliveryFilter, 'state' | 'letters'>) =>
    (state === undefined ? any : one[state])[letters === false ? 'webhooks' : 'all']
}

const listDeliveries = variants((state, { webhooksOnly }) =>
  shapes((bound) =>
    statement((_, p: QueryParams<Filter & Page>) => {
      const from = state === undefined ? 'deliveries' : sources[state]
      const [created_at, id] = [sql.ref(`${from}.created_at`), sql.ref(`${from}.id`)]
      const conditions = matching(from, { p, bound })
      if (state === 'delivered') conditions.push(sql`deliveries.state || '' = 'delivered'`)
      if (webhooksOnly) conditions.push(sql`${sql.ref(`${from}.channel`)} || '' = 'webhook'`)
      if (beginsAfter(bound)) conditions.push(isAfter([created_at, id], '<', p))
      if (from !== 'deliveries')
        conditions.push(sql`deliveries.account_id = ${sql.ref(`${from}.account_id`)} and deliveries.id = ${id}`)
      return sql<Delivery>`select ${shown}
        from ${table(from)} ${from === 'deliveries' ? sql`` : sql`cross join ${table('deliveries')}`}
        where ${all(conditions)}
        order by ${created_at} desc, ${id} desc limit ${p('limit')}`
    }),
  ),
)

const countDeliveries = variants((state, { webhooksOnly }) =>
  shapes((bound) =>
    statement((_, p: QueryParams<Filter>) => {
      const count = (from: Source, conditions: readonly RawBuilder<SqlBool>[]) =>
        sql<number>`(select count(*) from ${table(from)} where ${all(conditions)})`
      const waitingOrFailed = (from: Source) =>
        count(from, [...matching(from, { p, bound }), ...(webhooksOnly ? [sql<SqlBool>`channel = 'webhook'`] : [])])
      if (state === 'pending' || state === 'failed')
        return sql<{ count: number }>`select ${waitingOrFailed(sources[state])} as count`

      const found = count('deliveries', matching('deliveries', { p, bound }))
      // Uses the index deliveries_letters. Two counts by indexes are faster than one that reads every channel.
      const letters = count('deliveries', matching('deliveries', { p, bound, leading: sql`channel <> 'webhook'` }))
      const counted = webhooksOnly ? sql<number>`${found} - ${letters}` : found
      if (state === undefined) return sql<{ count: number }>`select ${counted} as count`
      return sql<{ count: number }>`select ${counted} - ${waitingOrFailed('delivery_queue')}
        - ${waitingOrFailed('failed_deliveries')} as count`
    }),
  ),
)

// Uses the index deliveries_target.
const countByHour = statement(
  (_, p: QueryParams<{ account_id: string; endpoint_id: string; since: string }>) =>
    sql<HourOfDeliveries>`select substr(created_at, 1, 13) as heure, state, count(*) as nombre from ${table('deliveries')}
      where account_id = ${p('account_id')} and target = ${p('endpoint_id')} and created_at >= ${p('since')}
      group by 1, 2`,
)
/**
 * Whether a row of the queue is under no lease.
 * @param storeNow by the store's clock, as the ends of leases are
 */
export const isFree = (storeNow: RawBuilder<string>) =>
  sql<SqlBool>`(lease_token is null or available_at <= ${storeNow})`

// Uses the primary key.
const countWaiting = statement(
  (_, p: QueryParams<{ account_id: string; now: string; store_now: string }>) => sql<WaitingDeliveries>`
    select count(*) as total,
      count(case when next_attempt_at <= ${p('now')} and ${isFree(p('store_now'))} then 1 end) as due,
      count(case when not ${isFree(p('store_now'))} then 1 end) as in_flight,
      min(created_at) as oldest
    from ${table('delivery_queue')} where account_id = ${p('account_id')}`,
)

type ReopenParams = OneOfAccount & { readonly at: string }

/** A delivery whose lease has not expired is not reopened, because it is being attempted. */
const reopenWaiting = statement((db, p: QueryParams<ReopenParams & { readonly store_now: string }>) =>
  db
    .updateTable('delivery_queue')
    .set({
      lane: 'retry',
      run_attempt_count: 0,
      run_started_at: p('at'),
      next_attempt_at: p('at'),
      available_at: p('at'),
      lease_token: null,
      intended_at: null,
    })
    .where('account_id', '=', p('account_id'))
    .where('created_at', '=', ({ selectFrom }) =>
      selectFrom('deliveries')
        .select('deliveries.created_at')
        .where('deliveries.account_id', '=', p('account_id'))
        .where('deliveries.id', '=', p('id')),
    )
    .where('id', '=', p('id'))
    .where(isFree(p('store_now'))),
)
const reschedule = replacement('deliveries', ['account_id', 'id'], ['next_attempt_at'])
const reopenEnded = statement((db, p: QueryParams<ReopenParams>) =>
  db
    .updateTable('deliveries')
    .set({ state: 'pending', next_attempt_at: p('at') })
    .where('account_id', '=', p('account_id'))
    .where('id', '=', p('id'))
    .where('state', '<>', 'pending'),
)
const enqueue = statement(
  (_, p: QueryParams<ReopenParams>) => sql<never>`
    insert into ${table('delivery_queue')} (
      account_id, created_at, id, event_id, event, channel, target, lane, attempt_count, run_attempt_count,
      run_started_at, next_attempt_at, available_at
    )
    select account_id, created_at, id, event_id, event, channel, target, 'retry', attempt_count, 0,
      next_attempt_at, next_attempt_at, next_attempt_at
    from ${table('deliveries')} where account_id = ${p('account_id')} and id = ${p('id')}`,
)
const leaveFailed = statement(
  (_, p: QueryParams<OneOfAccount>) => sql<never>`
    delete from ${table('failed_deliveries')} where (account_id, created_at, id) in (
      select account_id, created_at, id from ${table('deliveries')}
      where account_id = ${p('account_id')} and id = ${p('id')}
    )`,
)

export class Deliveries extends Repository implements DeliveryWrites {
  find(account_id: string, id: string): Promise<Delivery | null> {
    return this.db.first(findDelivery, { account_id, id })
  }

  async attempts(account_id: string, delivery_id: string): Promise<AttemptRecord[]> {
    return (await this.db.all(listAttempts, { account_id, delivery_id })).map((row) => tables.attempts.read(row))
  }

  async bodies(account_id: string, event_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const wanted = event_ids.map((id) => ({ account_id, id }))
    const rows = await this.db.each(findBodies, wanted)
    return new Map(rows.map(({ id, body }) => [id, body]))
  }

  ofEvent(account_id: string, event_id: string): Promise<Delivery[]> {
    return this.db.all(listOfEvent, { account_id, event_id })
  }

  activity(account_id: string, endpoint_id: string, since: string): Promise<HourOfDeliveries[]> {
    return this.db.all(countByHour, { account_id, endpoint_id, since })
  }

  waiting(account_id: string, now: string): Promise<WaitingDeliveries> {
    return this.db.one(countWaiting, { account_id, now, store_now: this.db.clock.of(now) })
  }

  async forgetResponses(account_id: string, event_id: string): Promise<void> {
    for (const { id } of await this.ofEvent(account_id, event_id)) {
      await this.db.run(forgetAttempts, { account_id, delivery_id: id, ...noResponse })
      await this.db.run(forgetLastError, { account_id, id, last_error: null })
    }
  }

  list(account_id: string, { after, state, letters, ...query }: HistoryQuery): Promise<Delivery[]> {
    const values = { account_id, ...query, ...placeParams(after) }
    return this.db.all(listDeliveries({ state, letters })(values), values)
  }

  async count(account_id: string, { state, letters, ...filter }: DeliveryFilter): Promise<number> {
    const values = { account_id, ...filter }
    return (await this.db.one(countDeliveries({ state, letters })(values), values)).count
  }

  /** Rows are always locked in this order: the queue, deliveries, failed deliveries. */
  async reopen(account_id: string, id: string, at: string): Promise<boolean> {
    const values = { account_id, id, at }
    const reopened = (await this.#reopenWaiting(values)) || (await this.#reopenEnded(values))
    if (reopened) this.db.leavesDue = true
    return reopened
  }

  async #reopenWaiting(values: ReopenParams): Promise<boolean> {
    if ((await this.db.run(reopenWaiting, { ...values, store_now: this.db.clock.of(values.at) })) === 0) return false
    await this.db.send(reschedule, { ...values, next_attempt_at: values.at })
    return true
  }

  async #reopenEnded(values: ReopenParams): Promise<boolean> {
    if ((await this.db.run(reopenEnded, values)) === 0) return false
    await this.db.send(enqueue, values)
    await this.db.send(leaveFailed, values)
    return true
  }
}

const findReplay = lookUpBy('replay_jobs', ['account_id', 'id'])
// Reads in the order of the index replay_jobs_recent.
const listReplays = shapes((bound) =>
  statement((db, p: QueryParams<{ account_id: string } & Page>) =>
    db
      .selectFrom('replay_jobs')
      .selectAll()
      .where('account_id', '=', p('account_id'))
      .$if(beginsAfter(bound), (jobs) => jobs.where(isAfter([sql.ref('created_at'), sql.ref('id')], '<', p)))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(p('limit')),
  ),
)
// Reads in the order of the index replay_jobs_running.
const listRunning = statement((db) =>
  db.selectFrom('replay_jobs').selectAll().where('state', '=', sql.lit('running')).orderBy('created_at').orderBy('id'),
)
const addReplay = insertion('replay_jobs', tables.replay_jobs.names)
const updateReplay = replacement('replay_jobs', ['account_id', 'id'], tables.replay_jobs.without('account_id', 'id'))

export class Replays extends Repository implements ReplayWrites {
  async find(account_id: string, id: string): Promise<ReplayJob | null> {
    const row = await this.db.find(findReplay, { account_id, id })
    return row && tables.replay_jobs.read(row)
  }

  async list(account_id: string, { after, limit }: Pick<HistoryQuery, 'after' | 'limit'>): Promise<ReplayJob[]> {
    const values = { account_id, limit, ...placeParams(after) }
    return (await this.db.all(listReplays(values), values)).map((row) => tables.replay_jobs.read(row))
  }

  async running(): Promise<ReplayJob[]> {
    return (await this.db.all(listRunning, {})).map((row) => tables.replay_jobs.read(row))
  }

  async add(job: ReplayJob): Promise<void> {
    await this.db.run(addReplay, tables.replay_jobs.written(job))
  }

  async update(job: ReplayJob): Promise<void> {
    await this.db.run(updateReplay, tables.replay_jobs.written(job))
  }
}
