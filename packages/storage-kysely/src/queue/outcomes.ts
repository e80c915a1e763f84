import type { AttemptOutcome, DeliveryQueue } from '@sav/core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { QueryRunner } from '../statements/query-runner.js'
import { insertions, rowsStatement, withInput } from '../statements/rows-statement.js'
import { type QueryParams, statement, table } from '../statements/statement.js'
import { tables } from '../tables/tables.js'
import { queueKey } from './claims.js'

type HeldDelivery = Parameters<DeliveryQueue['intend']>[0]

export const heldKey = { ...queueKey, lease_token: 'text' } as const

/** Removes the deliveries that have ended from the queue. */
const endDeliveries = rowsStatement(
  heldKey,
  (rows) => sql<{ id: string }>`
    delete from ${table('delivery_queue')} where (account_id, created_at, id, lease_token) in (${rows}) returning id`,
)
// Not `id`, which the statement returns: there SQLite knows only the plain names of the table.
const retryColumns = {
  account_id: 'text',
  created_at: 'text',
  delivery_id: 'text',
  lease_token: 'text',
  attempt_count: 'integer',
  run_attempt_count: 'integer',
  next_attempt_at: 'text',
} as const
const leaveForRetry = sql`
  update ${table('delivery_queue')}
  set lane = 'retry', attempt_count = input.attempt_count, run_attempt_count = input.run_attempt_count,
    next_attempt_at = input.next_attempt_at, available_at = input.next_attempt_at, lease_token = null, intended_at = null
  from input`
const isHeld = sql`delivery_queue.account_id = input.account_id and delivery_queue.created_at = input.created_at
  and delivery_queue.id = input.delivery_id and delivery_queue.lease_token = input.lease_token`
const retryDeliveries = rowsStatement(
  retryColumns,
  (rows) => sql<{ id: string }>`${withInput(retryColumns, rows)} ${leaveForRetry} where ${isHeld} returning id`,
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
/** Changes no index. On PostgreSQL the new version of a row then stays in its page. */
const setResult = (from: 'input' | 'held') => sql`
  update ${table('deliveries')}
  set ${sql.join(updated.map((column) => sql`${sql.ref(column)} = ${sql.ref(`${from}.${column}`)}`))}
  from ${sql.id(from)} where deliveries.account_id = ${sql.ref(`${from}.account_id`)}`
const updateDeliveries = rowsStatement(
  resultColumns,
  (rows) => sql<never>`${withInput(resultColumns, rows)} ${setResult('input')} and deliveries.id = input.id`,
)

const attemptColumns = tables.attempts.casts(tables.attempts.names)
const addAttempts = insertions('attempts', attemptColumns)

const { id: _, ...resultOnly } = resultColumns
const outcomeColumns = { ...retryColumns, ...resultOnly, ...attemptColumns } as const
const attemptNames = sql.join(tables.attempts.names.map((column) => sql.ref(column)))
/**
 * All changes of an outcome, for deliveries that are still held. `taken` is how they leave their place in the queue.
 */
const recordTaken = (taken: RawBuilder<unknown>) =>
  rowsStatement(
    outcomeColumns,
    (rows) => sql<{ id: string }>`
      ${withInput(outcomeColumns, rows)},
      held as (${taken} where ${isHeld} returning input.*),
      changed as (${setResult('held')} and deliveries.id = held.delivery_id)
      insert into ${table('attempts')} (${attemptNames}) select ${attemptNames} from held returning delivery_id as id`,
  )
const recordEnded = recordTaken(sql`delete from ${table('delivery_queue')} using input`)
const recordRetried = recordTaken(leaveForRetry)

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
const toOutcome = (outcome: AttemptOutcome) => {
  const { id: _, ...result } = toResult(outcome)
  return { ...toRetry(outcome), ...result, ...toAttemptRow(outcome) }
}

/** Runs in a transaction. As `DeliveryQueue.record` promises it. */
export async function record(db: QueryRunner, outcomes: readonly AttemptOutcome[]): Promise<Set<string>> {
  const recorded = new Set<string>()
  for (const round of onceEach(outcomes)) for (const id of await recordRound(db, round)) recorded.add(id)
  return recorded
}

/**
 * In groups with one outcome of each delivery. There are two where an attempt was made again after its lease had run out, and
 * the outcome of before could not be recorded until then: which of them counts, only its lease tells.
 */
function onceEach(outcomes: readonly AttemptOutcome[]): (readonly AttemptOutcome[])[] {
  const one = new Map(outcomes.map((outcome) => [outcome.delivery.id, outcome]))
  if (one.size === outcomes.length) return [outcomes]
  return [[...one.values()], ...onceEach(outcomes.filter((outcome) => one.get(outcome.delivery.id) !== outcome))]
}

async function recordRound(db: QueryRunner, outcomes: readonly AttemptOutcome[]): Promise<Set<string>> {
  const recordAll = db.dialect.changesInPassing ? recordAtOnce : recordInSteps
  const recorded = new Set((await recordAll(db, outcomes)).map(({ id }) => id))
  const failed = outcomes.filter(({ delivery, update }) => update.state === 'failed' && recorded.has(delivery.id))
  await noteFailed(
    db,
    failed.map(({ delivery }) => delivery),
  )
  return recorded
}

type RecordedDelivery = { readonly id: string }

/** One round trip, with the commit behind it. */
async function recordAtOnce(db: QueryRunner, outcomes: readonly AttemptOutcome[]): Promise<RecordedDelivery[]> {
  const { again = [], ended = [] } = Object.groupBy(outcomes, endOf)
  const recorded = await Promise.all([
    db.each(recordEnded, ended.map(toOutcome)),
    db.each(recordRetried, again.map(toOutcome)),
  ])
  return recorded.flat()
}

async function recordInSteps(db: QueryRunner, outcomes: readonly AttemptOutcome[]): Promise<RecordedDelivery[]> {
  const { again = [], ended = [] } = Object.groupBy(outcomes, endOf)
  const held = await Promise.all([
    db.each(endDeliveries, ended.map(toHeld)),
    db.each(retryDeliveries, again.map(toRetry)),
  ])
  const ids = new Set(held.flat().map(({ id }) => id))
  const recorded = outcomes.filter(({ delivery }) => ids.has(delivery.id))
  await db.sendEach(updateDeliveries, recorded.map(toResult))
  await db.sendEach(addAttempts, recorded.map(toAttemptRow))
  return held.flat()
}

type OneDelivery = { readonly account_id: string; readonly id: string }

const addFailed = statement(
  (_, p: QueryParams<{ rows: string }>, { jsonRows }) => sql<never>`
    insert into ${table('failed_deliveries')} (account_id, created_at, id, event, channel, target)
    select account_id, created_at, id, event, channel, target from ${table('deliveries')}
    where (account_id, id) in (select account_id, id from ${jsonRows(p('rows'), { account_id: 'text', id: 'text' })})`,
)

/** Runs in the transaction in which these deliveries failed. */
export async function noteFailed(db: QueryRunner, failed: readonly OneDelivery[]): Promise<void> {
  if (failed.length === 0) return
  await db.send(addFailed, { rows: JSON.stringify(failed.map(({ account_id, id }) => ({ account_id, id }))) })
}
