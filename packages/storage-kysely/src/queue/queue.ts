import type {
  AttemptOutcome,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryQueue as DeliveryQueuePort,
  DeliveryState,
  DueTarget,
  HeldDelivery,
  RetentionBounds,
} from '@sav/core/ports'
import { type RawBuilder, sql } from 'kysely'
import { fromAttempt } from '../rows.js'
import { insertions, rowsStatement, withInput } from '../statements/rows-statement.js'
import type { Session } from '../statements/session.js'
import { type Named, statement, table } from '../statements/statement.js'
import type { Wakes } from '../wakes.js'
import { claim, isInput, isServed, type Lease, queueKey, waitingTargets } from './claims.js'
import { noteFailed } from './failed.js'
import { type ExpireBounds, expire, purge, purgeable } from './retention.js'

/**
 * `columns` of the targets that are due: each target is asked, by the index delivery_queue_due, for `column` (never null) of its
 * oldest delivery that is due, as `due`, so that no backlog is read. In passing it reads those under a lease.
 */
function selectDue<O>(column: string, columns: RawBuilder<O>, now: RawBuilder<string>): RawBuilder<O> {
  return sql`
    with recursive ${waitingTargets},
    oldest (lane, target, due) as (
      select lane, target, (
        select ${sql.ref(column)} from ${table('delivery_queue')}
        where delivery_queue.lane = waiting.lane and delivery_queue.target = waiting.target
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

const heldKey = { ...queueKey, lease_token: 'text' } as const

const releaseDeliveries = statement(
  (_, p: Named<{ rows: string }>, { jsonRows }) =>
    sql<never>`update ${table('delivery_queue')} set lease_token = null, available_at = next_attempt_at
      from ${jsonRows(p('rows'), heldKey)}
      where ${isInput} and delivery_queue.lease_token = input.lease_token`,
)

const intendDelivery = statement((db, p: Named<HeldDelivery & { at: string }>) =>
  db
    .updateTable('delivery_queue')
    .set({ intended_at: p('at') })
    .where('account_id', '=', p('account_id'))
    .where('created_at', '=', p('created_at'))
    .where('id', '=', p('id'))
    .where('lease_token', '=', p('lease_token')),
)

/** Those that have ended leave the queue. */
const endDeliveries = rowsStatement(
  heldKey,
  (rows) => sql<{ id: string }>`
    delete from ${table('delivery_queue')} where (account_id, created_at, id, lease_token) in (${rows}) returning id`,
)
// Not `id`, which the statement returns: there SQLite knows the plain names of the table alone.
const retryColumns = {
  account_id: 'text',
  created_at: 'text',
  delivery_id: 'text',
  lease_token: 'text',
  attempt_count: 'integer',
  run_attempt_count: 'integer',
  next_attempt_at: 'text',
} as const
const retryDeliveries = rowsStatement(
  retryColumns,
  (rows) => sql<{ id: string }>`
    ${withInput(retryColumns, rows)}
    update ${table('delivery_queue')}
    set lane = 'retry', attempt_count = input.attempt_count, run_attempt_count = input.run_attempt_count,
      next_attempt_at = input.next_attempt_at, available_at = input.next_attempt_at, lease_token = null, intended_at = null
    from input
    where delivery_queue.account_id = input.account_id and delivery_queue.created_at = input.created_at
      and delivery_queue.id = input.delivery_id and delivery_queue.lease_token = input.lease_token
    returning id`,
)

const updated = ['state', 'attempt_count', 'next_attempt_at', 'last_status', 'last_error'] as const
const resultColumns = {
  account_id: 'text',
  id: 'text',
  state: 'text',
  attempt_count: 'integer',
  next_attempt_at: 'text',
  last_status: 'integer',
  last_error: 'text',
} as const
/** Changes no index: on PostgreSQL the new version of a row stays in its page. */
const updateDeliveries = rowsStatement(
  resultColumns,
  (rows) => sql<never>`
    ${withInput(resultColumns, rows)}
    update ${table('deliveries')}
    set ${sql.join(updated.map((column) => sql`${sql.ref(column)} = input.${sql.ref(column)}`))}
    from input
    where deliveries.account_id = input.account_id and deliveries.id = input.id`,
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

/** For each account, by indexes alone. */
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

const heldOf = ({ account_id, created_at, id, lease_token }: HeldDelivery) => ({
  account_id,
  created_at,
  id,
  lease_token,
})

const isRetried = ({ update }: AttemptOutcome) => update.state === 'pending'
const toHeld = ({ delivery }: AttemptOutcome) => heldOf(delivery)
const toRetry = ({
  delivery: { account_id, created_at, id, lease_token },
  update: { attempt_count, run_attempt_count, next_attempt_at },
}: AttemptOutcome) => {
  const retried = { attempt_count, run_attempt_count, next_attempt_at }
  return { account_id, created_at, delivery_id: id, lease_token, ...retried }
}
const toResult = ({ delivery: { account_id, id }, update: { run_attempt_count: _, ...result } }: AttemptOutcome) => ({
  account_id,
  id,
  ...result,
})
const toAttemptRow = ({ delivery: { account_id, id }, attempt }: AttemptOutcome) => fromAttempt(account_id, id, attempt)

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
      const [again, ended] = [outcomes.filter(isRetried), outcomes.filter((outcome) => !isRetried(outcome))]
      const held = await Promise.all([
        session.each(endDeliveries, ended.map(toHeld)),
        session.each(retryDeliveries, again.map(toRetry)),
      ])
      const ids = new Set(held.flat().map(({ id }) => id))
      const recorded = outcomes.filter(({ delivery }) => ids.has(delivery.id))
      await session.sendEach(updateDeliveries, recorded.map(toResult))
      await noteFailed(
        session,
        recorded.filter(({ update }) => update.state === 'failed').map(({ delivery }) => delivery),
      )
      await session.sendEach(addAttempts, recorded.map(toAttemptRow))
      return ids
    })
  }

  async release(deliveries: readonly HeldDelivery[]): Promise<void> {
    const rows = JSON.stringify(deliveries.map(heldOf))
    await this.#transaction(async (session) => {
      if ((await session.run(releaseDeliveries, { rows })) > 0) session.leavesDue = true
    })
  }

  async intend(delivery: HeldDelivery, at: string): Promise<boolean> {
    const values = { ...heldOf(delivery), at }
    return this.#transaction(async (session) => (await session.run(intendDelivery, values)) === 1)
  }

  async counts(): Promise<Record<DeliveryState, number>> {
    const { pending, failed, total } = await this.#reads.one(countAll, {})
    return { pending, delivered: total - pending - failed, failed }
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
