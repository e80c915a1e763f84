import type { EventReads, OutboxEntry, Outbox as OutboxPort, StoredEvent } from '@sav/core/ports'
import { sql } from 'kysely'
import { Repository } from '../statements/query-runner.js'
import { insertions, rowsStatement, withInput } from '../statements/rows-statement.js'
import { deletion, ignoringDeferred, insertion, type QueryParams, statement, table } from '../statements/statement.js'
import { tables } from '../tables/tables.js'

// Uses the primary keys.
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
const addDeliveries = insertions(
  'deliveries',
  tables.deliveries.casts(tables.deliveries.without('last_status', 'last_error', 'last_error_code')),
)
const addToQueue = insertions(
  'delivery_queue',
  tables.delivery_queue.casts(tables.delivery_queue.without('lease_token', 'intended_at')),
)

type NewDelivery = OutboxEntry['deliveries'][number]

/** A delivery whose first attempt is due at `due_at`, and its row in the queue. */
const waiting = <E extends object>(event: E, delivery: NewDelivery, due_at: string) => ({
  ...event,
  ...delivery,
  ...{ state: 'pending', lane: 'first', attempt_count: 0, run_attempt_count: 0 },
  ...{ next_attempt_at: due_at, run_started_at: due_at, available_at: due_at },
})

export class Outbox extends Repository implements OutboxPort {
  /** Callers that share a commit query once for each account. */
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
    const added = { account_id, event_id: id, event, created_at, traceparent: traceparent ?? null }
    const rows = deliveries.map((delivery) => waiting(added, delivery, created_at))
    await this.db.defer(addDeliveries, rows)
    await this.db.defer(addToQueue, rows)
  }

  async addDeliveries(more: Parameters<OutboxPort['addDeliveries']>[0]): Promise<void> {
    const { account_id, id: event_id, event, created_at, due_at, deliveries } = more
    this.db.leavesDue = true
    // Deliveries have the instant of their event, because retention and `ofEvent` find them by it.
    const added = { account_id, event_id, event, created_at, traceparent: null }
    const rows = deliveries.map((delivery) => waiting(added, delivery, due_at))
    await this.db.sendEach(addDeliveries, rows)
    await this.db.sendEach(addToQueue, rows)
  }
}

// Uses the primary key.
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
