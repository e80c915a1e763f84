import type { EventReads, OutboxEntry, Outbox as OutboxPort, StoredEvent } from '@sav/core/ports'
import { type RawBuilder, sql } from 'kysely'
import { Repository } from '../statements/query-runner.js'
import { insertions, rowsStatement, withInput } from '../statements/rows-statement.js'
import { deletion, ignoringDeferred, insertion, type QueryParams, statement, table } from '../statements/statement.js'
import { tables } from '../tables/tables.js'

// By the primary keys.
const listSubscribers = ignoringDeferred(
  statement(
    (_, p: QueryParams<{ account_id: string; event: string }>) => sql<{ target: string }>`
      select endpoint_id as target from ${table('endpoint_events')}
      where account_id = ${p('account_id')} and event = ${p('event')}
      union all select target from ${table('subscriptions')} where event = ${p('event')}`,
  ),
)
const listSubscribersOfMany = rowsStatement(
  { account_id: 'text', event: 'text' },
  (rows) => sql<{ account_id: string; target: string }>`
    ${withInput({ account_id: 'text', event: 'text' }, rows)}
    select input.account_id, endpoint_id as target from input cross join ${table('endpoint_events')}
    where endpoint_events.account_id = input.account_id and endpoint_events.event = input.event
    union all
    select input.account_id, target from input cross join ${table('subscriptions')}
    where subscriptions.event = input.event`,
  { ignoresDeferred: true },
)
const unsubscribe = deletion('subscriptions', ['target'])
// Another process may subscribe the same handler at the same time.
const addSubscription = insertion('subscriptions', ['event', 'target'], sql`on conflict (event, target) do nothing`)
const addEvents = insertions('events', tables.events.casts(tables.events.names))
const deliveryColumns = tables.deliveries.casts([
  'account_id',
  'id',
  'event_id',
  'event',
  'channel',
  'target',
  'created_at',
])
const tracedColumns = { ...deliveryColumns, traceparent: 'text' } as const
const laterColumns = { ...deliveryColumns, due_at: 'text' } as const

/** Deliveries whose first attempt is due at `due`. */
const insertDeliveries = (columns: object, due: 'created_at' | 'due_at') => (rows: RawBuilder<unknown>) =>
  sql<never>`
  ${withInput(columns, rows)}
  insert into ${table('deliveries')} (
    account_id, id, event_id, event, channel, target, state, attempt_count, next_attempt_at, created_at
  )
  select account_id, id, event_id, event, channel, target, 'pending', 0, ${sql.ref(due)}, created_at from input`
/** The same deliveries in the queue, waiting for it. `columns` may have their trace context. */
const enqueueDeliveries = (columns: object, due: 'created_at' | 'due_at') => (rows: RawBuilder<unknown>) => {
  const at = sql.ref(due)
  const traced = 'traceparent' in columns ? sql`, traceparent` : sql``
  return sql<never>`
    ${withInput(columns, rows)}
    insert into ${table('delivery_queue')} (
      account_id, created_at, id, event_id, event, channel, target, lane, attempt_count, run_attempt_count,
      run_started_at, next_attempt_at, available_at${traced}
    )
    select account_id, created_at, id, event_id, event, channel, target, 'first', 0, 0, ${at}, ${at}, ${at}${traced} from input`
}
const addDeliveries = rowsStatement(deliveryColumns, insertDeliveries(deliveryColumns, 'created_at'))
const addToQueue = rowsStatement(deliveryColumns, enqueueDeliveries(deliveryColumns, 'created_at'))
/** A statement of its own, so that deliveries without a trace bind no value more. */
const addTracedToQueue = rowsStatement(tracedColumns, enqueueDeliveries(tracedColumns, 'created_at'))
const addLaterDeliveries = rowsStatement(laterColumns, insertDeliveries(laterColumns, 'due_at'))
const addLaterToQueue = rowsStatement(laterColumns, enqueueDeliveries(laterColumns, 'due_at'))

export class Outbox extends Repository implements OutboxPort {
  /** Callers that share a commit ask once for each account. */
  subscribers(account_id: string, event: string): Promise<string[]> {
    return this.db.batched(`subscribers ${event}`, account_id, async (asked) => {
      const accounts = [...new Set(asked)]
      const targets = await (accounts.length === 1
        ? this.#subscribersOfOne(account_id, event)
        : this.#subscribers(accounts, event))
      return asked.map((account) => targets.get(account) ?? [])
    })
  }

  async #subscribersOfOne(account_id: string, event: string): Promise<Map<string, string[]>> {
    const rows = await this.db.all(listSubscribers, { account_id, event })
    return new Map([[account_id, rows.map(({ target }) => target)]])
  }

  async #subscribers(accounts: readonly string[], event: string): Promise<Map<string, string[]>> {
    const rows = await this.db.each(
      listSubscribersOfMany,
      accounts.map((account_id) => ({ account_id, event })),
    )
    const grouped = Map.groupBy(rows, ({ account_id }) => account_id)
    return new Map([...grouped].map(([account_id, found]) => [account_id, found.map(({ target }) => target)]))
  }

  async subscribe(target: string, events: readonly string[]): Promise<void> {
    await this.db.run(unsubscribe, { target })
    for (const event of events) await this.db.run(addSubscription, { event, target })
  }

  async add({ account_id, id, event, body, created_at, traceparent, deliveries }: OutboxEntry): Promise<void> {
    await this.db.defer(addEvents, [{ account_id, id, event, body, created_at }])
    if (deliveries.length === 0) return
    this.db.leavesDue = true
    const added = { account_id, event_id: id, event, created_at }
    const rows = deliveries.map((delivery) => ({ ...added, ...delivery }))
    await this.db.defer(addDeliveries, rows)
    if (traceparent === undefined) await this.db.defer(addToQueue, rows)
    else
      await this.db.defer(
        addTracedToQueue,
        rows.map((row) => ({ ...row, traceparent })),
      )
  }

  async addDeliveries(more: Parameters<OutboxPort['addDeliveries']>[0]): Promise<void> {
    const { account_id, id: event_id, event, created_at, due_at, deliveries } = more
    this.db.leavesDue = true
    // With the instant of the event, by which retention and the deliveries of one event are found.
    const rows = deliveries.map((delivery) => ({ account_id, event_id, event, created_at, due_at, ...delivery }))
    await this.db.sendEach(addLaterDeliveries, rows)
    await this.db.sendEach(addLaterToQueue, rows)
  }
}

// By the primary key.
const listEvents = statement((db, p: QueryParams<{ account_id: string; from: string; limit: number }>) =>
  db
    .selectFrom('events')
    .select(['id', 'event', 'body'])
    .where('account_id', '=', p('account_id'))
    .where('id', '>=', p('from'))
    .orderBy('id')
    .limit(p('limit')),
)

export class Events extends Repository implements EventReads {
  since(account_id: string, from: string, limit: number): Promise<StoredEvent[]> {
    return this.db.all(listEvents, { account_id, from, limit })
  }
}
