import type {
  AttemptOutcome,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryQueue as DeliveryQueuePort,
  DeliveryState,
  DueTarget,
  RetentionBounds,
} from '@sav/core/ports'
import { type RawBuilder, sql } from 'kysely'
import { fromAttempt } from '../rows.js'
import { insertions, rowsStatement, withInput } from '../statements/rows-statement.js'
import type { Session } from '../statements/session.js'
import { type Named, statement, table } from '../statements/statement.js'
import type { Wakes } from '../wakes.js'
import { claim, isServed, type Lease, waitingTargets } from './claims.js'
import { type ExpireBounds, expire, purge, purgeable } from './retention.js'

/**
 * `columns` of the targets that are due: each target is asked, by the index deliveries_due, for `column` (never null) of its
 * oldest delivery that is due, as `due`, so that no backlog is read. In passing it reads those under a lease.
 */
function selectDue<O>(column: string, columns: RawBuilder<O>, now: RawBuilder<string>): RawBuilder<O> {
  return sql`
    with recursive ${waitingTargets},
    oldest (lane, target, due) as (
      select lane, target, (
        select ${sql.ref(column)} from ${table('deliveries')}
        where deliveries.lane = waiting.lane and deliveries.target = waiting.target
          and next_attempt_at <= ${now} and available_at <= ${now}
        order by next_attempt_at limit 1
      )
      from waiting where target is not null
    )
    select ${columns} from oldest where due is not null and ${isServed(sql.ref('oldest.target'))}`
}

const listDue = statement((_, p: Named<{ now: string }>) =>
  selectDue('channel', sql<DueTarget>`lane, target, due as channel`, p('now')),
)
const findOldestDue = statement((_, p: Named<{ now: string }>) =>
  selectDue('next_attempt_at', sql<{ oldest: string | null }>`min(due) as oldest`, p('now')),
)

const heldKey = { account_id: 'text', id: 'text', lease_token: 'text' } as const

const releaseDeliveries = statement(
  (_, p: Named<{ rows: string }>, { jsonRows }) =>
    sql<never>`update ${table('deliveries')} set lease_token = null, available_at = next_attempt_at
      from ${jsonRows(p('rows'), heldKey)}
      where deliveries.account_id = input.account_id and deliveries.id = input.id
        and deliveries.lease_token = input.lease_token`,
)

const intendDelivery = statement((db, p: Named<{ account_id: string; id: string; lease_token: string; at: string }>) =>
  db
    .updateTable('deliveries')
    .set({ intended_at: p('at') })
    .where('account_id', '=', p('account_id'))
    .where('id', '=', p('id'))
    .where('lease_token', '=', p('lease_token')),
)

const updated = ['state', 'attempt_count', 'run_attempt_count', 'next_attempt_at', 'last_status', 'last_error'] as const
// Not `id`, which the statement returns: there SQLite knows the plain names of the table alone.
const resultColumns = {
  account_id: 'text',
  delivery_id: 'text',
  lease_token: 'text',
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
    ${withInput(resultColumns, rows)}
    update ${table('deliveries')}
    set ${sql.join(updated.map((column) => sql`${sql.ref(column)} = input.${sql.ref(column)}`))},
      lane = 'retry', lease_token = null, intended_at = null, available_at = input.next_attempt_at
    from input
    where deliveries.account_id = input.account_id and deliveries.id = input.delivery_id
      and deliveries.lease_token = input.lease_token
    returning id`,
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
const addAttempts = insertions('attempts', attemptColumns)

const countOf = (state: DeliveryState) => sql<number>`
  cast(coalesce(sum((
    select count(*) from ${table('deliveries')} where deliveries.account_id = accounts.id and state = ${sql.lit(state)}
  )), 0) as bigint)`
/** For each account, by the indexes deliveries_undelivered and deliveries_delivered alone. */
const countStates = statement(
  () => sql<Record<DeliveryState, number>>`
    select ${countOf('pending')} as pending, ${countOf('delivered')} as delivered, ${countOf('failed')} as failed
    from ${table('accounts')}`,
)

export class DeliveryQueue implements DeliveryQueuePort {
  readonly #reads: Session
  readonly #transaction: <T>(work: (session: Session) => Promise<T>) => Promise<T>
  readonly #wakes: Wakes

  constructor(reads: Session, transaction: <T>(work: (session: Session) => Promise<T>) => Promise<T>, wakes: Wakes) {
    this.#reads = reads
    this.#transaction = transaction
    this.#wakes = wakes
  }

  due(now: string): Promise<DueTarget[]> {
    return this.#reads.all(listDue, { now })
  }

  async oldestDue(now: string): Promise<string | null> {
    return (await this.#reads.one(findOldestDue, { now })).oldest
  }

  claim(requests: readonly ClaimRequest[], lease: Lease): Promise<ClaimedDelivery[]> {
    return this.#transaction((session) => claim(session, requests, lease))
  }

  record(outcomes: readonly AttemptOutcome[]): Promise<Set<string>> {
    return this.#transaction(async (session) => {
      const updates = outcomes.map(({ delivery: { account_id, id, lease_token }, update }) => {
        return { account_id, delivery_id: id, lease_token, ...update }
      })
      const held = await session.each(updateDeliveries, updates)
      const recorded = new Set(held.map(({ id }) => id))
      const attempts = outcomes
        .filter(({ delivery }) => recorded.has(delivery.id))
        .map(({ delivery: { account_id, id }, attempt }) => fromAttempt(account_id, id, attempt))
      await session.sendEach(addAttempts, attempts)
      return recorded
    })
  }

  async release(deliveries: readonly Pick<ClaimedDelivery, 'id' | 'account_id' | 'lease_token'>[]): Promise<void> {
    const rows = JSON.stringify(deliveries.map(({ account_id, id, lease_token }) => ({ account_id, id, lease_token })))
    await this.#transaction(async (session) => {
      if ((await session.run(releaseDeliveries, { rows })) > 0) session.leavesDue = true
    })
  }

  async intend(
    { account_id, id, lease_token }: Pick<ClaimedDelivery, 'id' | 'account_id' | 'lease_token'>,
    at: string,
  ): Promise<boolean> {
    const values = { account_id, id, lease_token, at }
    return this.#transaction(async (session) => (await session.run(intendDelivery, values)) === 1)
  }

  counts(): Promise<Record<DeliveryState, number>> {
    return this.#reads.one(countStates, {})
  }

  expire(bounds: ExpireBounds): Promise<number> {
    return this.#transaction((session) => expire(session, bounds))
  }

  purge(bounds: RetentionBounds & { readonly limit: number }): Promise<number> {
    return this.#transaction((session) => purge(session, bounds))
  }

  purgeable(bounds: RetentionBounds): Promise<number> {
    return purgeable(this.#reads, bounds)
  }

  watch(wake: () => void): () => void {
    return this.#wakes.watch(wake)
  }
}
