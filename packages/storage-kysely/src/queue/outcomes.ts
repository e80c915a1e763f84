import type { AttemptOutcome, DeliveryQueue } from '@sav/core/ports'
import { sql } from 'kysely'
import type { QueryRunner } from '../statements/query-runner.js'
import { insertions, rowsStatement, withInput } from '../statements/rows-statement.js'
import { table } from '../statements/statement.js'
import { tables } from '../tables/tables.js'
import { queueKey } from './claims.js'

type HeldDelivery = Parameters<DeliveryQueue['intend']>[0]

export const heldKey = { ...queueKey, lease_token: 'text' } as const

/** Removes ended deliveries from the queue. */
const endDeliveries = rowsStatement(
  heldKey,
  (rows) => sql<{ id: string }>`
    delete from ${table('delivery_queue')} where (account_id, created_at, id, lease_token) in (${rows}) returning id`,
)
// Not called `id`: the statement returns `id`, which SQLite accepts only unqualified.
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

const updated = ['state', 'attempt_count', 'next_attempt_at', 'last_status', 'last_error', 'last_error_code'] as const
const resultColumns = {
  account_id: 'text',
  id: 'text',
  state: 'text',
  attempt_count: 'integer',
  next_attempt_at: 'text',
  last_status: 'integer',
  last_error: 'text',
  last_error_code: 'text',
} as const
/** Updates deliveries. It changes no index, so on PostgreSQL the new version of a row stays in its page. */
const updateDeliveries = rowsStatement(
  resultColumns,
  (rows) => sql<never>`
    ${withInput(resultColumns, rows)}
    update ${table('deliveries')}
    set ${sql.join(updated.map((column) => sql`${sql.ref(column)} = ${sql.ref(`input.${column}`)}`))}
    from input where deliveries.account_id = input.account_id and deliveries.id = input.id`,
)

const addAttempts = insertions('attempts', tables.attempts.casts(tables.attempts.names))

export const heldOf = ({ account_id, created_at, id, lease_token }: HeldDelivery) => ({
  account_id,
  created_at,
  id,
  lease_token,
})

const endOf = ({ update }: AttemptOutcome) => (update.state === 'pending' ? 'again' : 'ended')
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
const toAttemptRow = ({ delivery: { account_id, id }, attempt }: AttemptOutcome) =>
  tables.attempts.written({ account_id, delivery_id: id, ...attempt })

/** Runs in a transaction. Fulfils `DeliveryQueue.record`. */
export async function record(db: QueryRunner, outcomes: readonly AttemptOutcome[]): Promise<Set<string>> {
  const recorded = new Set<string>()
  for (const round of onceEach(outcomes)) for (const id of await recordRound(db, round)) recorded.add(id)
  return recorded
}

/**
 * Groups with at most one outcome of each delivery. A delivery has two if its lease expired and it was attempted again
 * before the first outcome was recorded; only the lease determines which one counts.
 */
function onceEach(outcomes: readonly AttemptOutcome[]): (readonly AttemptOutcome[])[] {
  const one = new Map(outcomes.map((outcome) => [outcome.delivery.id, outcome]))
  if (one.size === outcomes.length) return [outcomes]
  return [[...one.values()], ...onceEach(outcomes.filter((outcome) => one.get(outcome.delivery.id) !== outcome))]
}

async function recordRound(db: QueryRunner, outcomes: readonly AttemptOutcome[]): Promise<Set<string>> {
  const { again = [], ended = [] } = Object.groupBy(outcomes, endOf)
  const held = await Promise.all([
    db.each(endDeliveries, ended.map(toHeld)),
    db.each(retryDeliveries, again.map(toRetry)),
  ])
  const ids = new Set(held.flat().map(({ id }) => id))
  const recorded = outcomes.filter(({ delivery }) => ids.has(delivery.id))
  await db.sendEach(updateDeliveries, recorded.map(toResult))
  await db.sendEach(addAttempts, recorded.map(toAttemptRow))
  const failed = recorded.filter(({ update }) => update.state === 'failed')
  await noteFailed(
    db,
    failed.map(({ delivery }) => delivery),
  )
  return ids
}

type OneDelivery = { readonly account_id: string; readonly id: string }

const deliveryKey = { account_id: 'text', id: 'text' } as const
const addFailed = rowsStatement(
  deliveryKey,
  (rows) => sql<never>`
    ${withInput(deliveryKey, rows)}
    insert into ${table('failed_deliveries')} (account_id, created_at, id, event, channel, target)
    select deliveries.account_id, created_at, deliveries.id, event, channel, target
    from input cross join ${table('deliveries')}
    where deliveries.account_id = input.account_id and deliveries.id = input.id`,
)

/** Runs in the transaction in which these deliveries failed. */
export async function noteFailed(db: QueryRunner, failed: readonly OneDelivery[]): Promise<void> {
  await db.sendEach(
    addFailed,
    failed.map(({ account_id, id }) => ({ account_id, id })),
  )
}
