import type {
  AttemptOutcome,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryQueue,
  DeliveryState,
  DueTarget,
  EndpointRecord,
  Lane,
  ReplayJob,
} from '@sav/core/ports'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type ExpireBounds, expire, type PurgeBounds, purge, purgeable } from './retention.js'
import { fromAttempt, toEndpoint, toReplay } from './rows.js'
import type { Session } from './session.js'
import { type Named, rowsStatement, statement } from './statement.js'

/** Whether the endpoint behind `target` is neither disabled nor removed: by the index webhook_endpoints_id. */
const isServed = (target: RawBuilder<unknown>): RawBuilder<SqlBool> => sql`not exists (
  select 1 from webhook_endpoints
  where webhook_endpoints.id = ${target} and (disabled_at is not null or removed_at is not null)
)`

/**
 * `columns` of the targets that are due, as a loose scan over the index deliveries_claim: each step of the recursion
 * asks it for the next target, and each target for its oldest delivery, so that no backlog is read.
 */
function selectDue<O>(columns: RawBuilder<O>, now: RawBuilder<string>): RawBuilder<O> {
  return sql`
    with recursive waiting (lane, target) as (
      select lane, (
        select min(target) from deliveries where deliveries.lane = lanes.lane and available_at is not null
      )
      from (select 'first' as lane union all select 'retry') as lanes
      union all
      select lane, (
        select min(target) from deliveries
        where deliveries.lane = waiting.lane and deliveries.target > waiting.target and available_at is not null
      )
      from waiting where target is not null
    ),
    oldest (lane, target, available_at) as (
      select lane, target, (
        select min(available_at) from deliveries
        where deliveries.lane = waiting.lane and deliveries.target = waiting.target and available_at is not null
      )
      from waiting where target is not null
    )
    select ${columns} from oldest where available_at <= ${now} and ${isServed(sql.ref('oldest.target'))}`
}

/** A column of the oldest delivery of a target that is due. */
const ofOldest = (column: 'channel' | 'next_attempt_at') => sql`(
  select ${sql.ref(column)} from deliveries
  where deliveries.lane = oldest.lane and deliveries.target = oldest.target and available_at is not null
  order by available_at limit 1
)`

const listDue = statement((_, p: Named<{ now: string }>) =>
  selectDue(sql<DueTarget>`lane, target, ${ofOldest('channel')} as channel`, p('now')),
)
const findOldestDue = statement((_, p: Named<{ now: string }>) =>
  selectDue(sql<{ oldest: string | null }>`min(${ofOldest('next_attempt_at')}) as oldest`, p('now')),
)

type Claim = { readonly lane: Lane; readonly target: string; readonly channel: string; readonly now: string }

// In the order of the index deliveries_claim.
const listClaimable = statement((db, p: Named<Claim & { readonly limit: number }>, { locksRows }) =>
  db
    .selectFrom('deliveries')
    .innerJoin('events', (join) =>
      join.onRef('events.account_id', '=', 'deliveries.account_id').onRef('events.id', '=', 'deliveries.event_id'),
    )
    .select([
      'deliveries.id',
      'deliveries.account_id',
      'channel',
      'target',
      'lane',
      'event_id',
      'deliveries.event',
      'body',
      'attempt_count',
      'run_attempt_count',
      'run_started_at',
      'next_attempt_at',
    ])
    .$narrowType<{ next_attempt_at: string }>()
    .where('lane', '=', p('lane'))
    .where('target', '=', p('target'))
    .where('channel', '=', p('channel'))
    .where('available_at', '<=', p('now'))
    .where(isServed(p('target')))
    .orderBy('available_at')
    .limit(p('limit'))
    .$if(locksRows, (due) => due.forUpdate('deliveries').skipLocked()),
)

const key = { account_id: 'text', id: 'text' } as const
const heldKey = { ...key, lease_token: 'text' } as const

const takeDeliveries = statement(
  (_, p: Named<{ rows: string; token: string; until: string }>, { jsonRows }) =>
    sql<never>`update deliveries set lease_token = ${p('token')}, available_at = ${p('until')}
      from ${jsonRows(p('rows'), key)}
      where deliveries.account_id = input.account_id and deliveries.id = input.id`,
)
const releaseDeliveries = statement(
  (_, p: Named<{ rows: string }>, { jsonRows }) =>
    sql<never>`update deliveries set lease_token = null, available_at = next_attempt_at
      from ${jsonRows(p('rows'), heldKey)}
      where deliveries.account_id = input.account_id and deliveries.id = input.id
        and deliveries.lease_token = input.lease_token`,
)

const updated = ['state', 'attempt_count', 'run_attempt_count', 'next_attempt_at', 'last_status', 'last_error'] as const
const resultColumns = {
  ...heldKey,
  state: 'text',
  attempt_count: 'integer',
  run_attempt_count: 'integer',
  next_attempt_at: 'text',
  last_status: 'integer',
  last_error: 'text',
} as const
const updateDeliveries = rowsStatement(
  resultColumns,
  (rows) => sql<{ id: string }>`
    with input (${sql.join(Object.keys(resultColumns).map((column) => sql.ref(column)))}) as (values ${rows})
    update deliveries
    set ${sql.join(updated.map((column) => sql`${sql.ref(column)} = input.${sql.ref(column)}`))},
      lane = 'retry', lease_token = null, available_at = input.next_attempt_at
    from input
    where deliveries.account_id = input.account_id and deliveries.id = input.id
      and deliveries.lease_token = input.lease_token
    returning deliveries.id`,
)

const attemptColumns = {
  account_id: 'text',
  delivery_id: 'text',
  n: 'integer',
  started_at: 'text',
  duration_ms: 'integer',
  status: 'integer',
  error: 'text',
  response_headers: 'text',
  response: 'text',
} as const
const addAttempts = rowsStatement(attemptColumns, (rows) => {
  const columns = sql.join(Object.keys(attemptColumns).map((column) => sql.ref(column)))
  return sql<never>`insert into attempts (${columns}) values ${rows}`
})

// By the index webhook_endpoints_id.
const findEndpointOfTarget = statement((db, p: Named<{ id: string }>) =>
  db.selectFrom('webhook_endpoints').selectAll().where('id', '=', p('id')).where('removed_at', 'is', null),
)

const countOf = (state: DeliveryState) => sql<number>`
  coalesce(sum((
    select count(*) from deliveries where deliveries.account_id = accounts.id and state = ${sql.lit(state)}
  )), 0)`
/** For each account, by the indexes deliveries_undelivered and deliveries_delivered alone. */
const countStates = statement(
  () => sql<Record<DeliveryState, number>>`
    select ${countOf('pending')} as pending, ${countOf('delivered')} as delivered, ${countOf('failed')} as failed
    from accounts`,
)

// In the order of the index replay_jobs_running.
const listRunning = statement((db) =>
  db.selectFrom('replay_jobs').selectAll().where('state', '=', sql.lit('running')).orderBy('created_at').orderBy('id'),
)

export class KyselyQueue implements DeliveryQueue {
  readonly #reads: Session
  readonly #transaction: <T>(work: (session: Session) => Promise<T>) => Promise<T>

  constructor(reads: Session, transaction: <T>(work: (session: Session) => Promise<T>) => Promise<T>) {
    this.#reads = reads
    this.#transaction = transaction
  }

  due(now: string): Promise<DueTarget[]> {
    return this.#reads.all(listDue, { now })
  }

  async oldestDue(now: string): Promise<string | null> {
    return (await this.#reads.one(findOldestDue, { now })).oldest
  }

  claim(
    requests: readonly ClaimRequest[],
    { now, leasedUntil, token }: { readonly now: string; readonly leasedUntil: string; readonly token: string },
  ): Promise<ClaimedDelivery[]> {
    return this.#transaction(async (session) => {
      const claimed: ClaimedDelivery[] = []
      for (const { lane, target, channel, limit } of requests)
        for (const due of await session.all(listClaimable, { lane, target, channel, now, limit }))
          claimed.push({ ...due, lease_token: token, leased_until: leasedUntil })
      if (claimed.length > 0) {
        const rows = JSON.stringify(claimed.map(({ account_id, id }) => ({ account_id, id })))
        await session.run(takeDeliveries, { rows, token, until: leasedUntil })
      }
      return claimed
    })
  }

  record(outcomes: readonly AttemptOutcome[]): Promise<Set<string>> {
    return this.#transaction(async (session) => {
      const updates = outcomes.map(({ delivery: { account_id, id, lease_token }, update }) => {
        return { account_id, id, lease_token, ...update }
      })
      const held = await session.each(updateDeliveries, updates)
      const recorded = new Set(held.map(({ id }) => id))
      const attempts = outcomes
        .filter(({ delivery }) => recorded.has(delivery.id))
        .map(({ delivery: { account_id, id }, attempt }) => fromAttempt(account_id, id, attempt))
      await session.each(addAttempts, attempts)
      return recorded
    })
  }

  async release(deliveries: readonly Pick<ClaimedDelivery, 'id' | 'account_id' | 'lease_token'>[]): Promise<void> {
    const rows = JSON.stringify(deliveries.map(({ account_id, id, lease_token }) => ({ account_id, id, lease_token })))
    await this.#transaction((session) => session.run(releaseDeliveries, { rows }))
  }

  async endpoint(target: string): Promise<EndpointRecord | null> {
    const row = await this.#reads.first(findEndpointOfTarget, { id: target })
    return row && toEndpoint(row)
  }

  counts(): Promise<Record<DeliveryState, number>> {
    return this.#reads.one(countStates, {})
  }

  async runningReplays(): Promise<ReplayJob[]> {
    return (await this.#reads.all(listRunning, {})).map(toReplay)
  }

  expire(bounds: ExpireBounds): Promise<number> {
    return this.#transaction((session) => expire(session, bounds))
  }

  purge(bounds: PurgeBounds & { readonly limit: number }): Promise<number> {
    return this.#transaction((session) => purge(session, bounds))
  }

  purgeable(bounds: PurgeBounds): Promise<number> {
    return purgeable(this.#reads, bounds)
  }
}
