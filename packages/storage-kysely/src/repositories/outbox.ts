import type { OutboxEntry, Outbox as OutboxPort } from '@sav/core/ports'
import { sql } from 'kysely'
import { insertions, rowsStatement, withInput } from '../statements/rows-statement.js'
import type { Session } from '../statements/session.js'
import { ignoringDeferred, insertion, type Named, statement, table } from '../statements/statement.js'

// By the primary keys.
const listSubscribers = ignoringDeferred(
  statement(
    (_, p: Named<{ account_id: string; event: string }>) => sql<{ target: string }>`
      select endpoint_id as target from ${table('endpoint_events')}
      where account_id = ${p('account_id')} and event = ${p('event')}
      union all select target from ${table('subscriptions')} where event = ${p('event')}`,
  ),
)
const unsubscribe = statement((db, p: Named<{ target: string }>) =>
  db.deleteFrom('subscriptions').where('target', '=', p('target')),
)
// Another process may subscribe the same handler at the same time.
const addSubscription = insertion('subscriptions', ['event', 'target'], sql`on conflict (event, target) do nothing`)
const addEvents = insertions('events', {
  account_id: 'text',
  id: 'text',
  event: 'text',
  body: 'text',
  created_at: 'text',
})
const deliveryColumns = {
  account_id: 'text',
  id: 'text',
  event_id: 'text',
  event: 'text',
  channel: 'text',
  target: 'text',
  created_at: 'text',
} as const
const addDeliveries = rowsStatement(
  deliveryColumns,
  (rows) => sql<never>`
    ${withInput(deliveryColumns, rows)}
    insert into ${table('deliveries')} (
      account_id, id, event_id, event, channel, target, state, lane, attempt_count, run_attempt_count,
      run_started_at, next_attempt_at, available_at, created_at
    )
    select account_id, id, event_id, event, channel, target, 'pending', 'first', 0, 0,
      created_at, created_at, created_at, created_at
    from input`,
)

type Later = Omit<OutboxEntry, 'body' | 'id' | 'deliveries'> &
  OutboxEntry['deliveries'][number] & { readonly event_id: string; readonly due_at: string }

// With the instant of its event: retention and what asks for the deliveries of one event find them by that.
const addLaterDelivery = statement((db, p: Named<Later>) =>
  db.insertInto('deliveries').values({
    account_id: p('account_id'),
    id: p('id'),
    event_id: p('event_id'),
    event: p('event'),
    channel: p('channel'),
    target: p('target'),
    state: 'pending',
    lane: 'first',
    attempt_count: 0,
    run_attempt_count: 0,
    run_started_at: p('due_at'),
    next_attempt_at: p('due_at'),
    available_at: p('due_at'),
    created_at: p('created_at'),
  }),
)

export class Outbox implements OutboxPort {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async subscribers(account_id: string, event: string): Promise<string[]> {
    return (await this.#session.all(listSubscribers, { account_id, event })).map(({ target }) => target)
  }

  async subscribe(target: string, events: readonly string[]): Promise<void> {
    await this.#session.run(unsubscribe, { target })
    for (const event of events) await this.#session.run(addSubscription, { event, target })
  }

  async add({ account_id, id, event, body, created_at, deliveries }: OutboxEntry): Promise<void> {
    await this.#session.defer(addEvents, [{ account_id, id, event, body, created_at }])
    if (deliveries.length === 0) return
    this.#session.leavesDue = true
    const added = { account_id, event_id: id, event, created_at }
    const rows = deliveries.map((delivery) => ({ ...added, ...delivery }))
    await this.#session.defer(addDeliveries, rows)
  }

  async addDeliveries(more: Parameters<OutboxPort['addDeliveries']>[0]): Promise<void> {
    const { account_id, id: event_id, event, created_at, due_at, deliveries } = more
    this.#session.leavesDue = true
    for (const delivery of deliveries)
      await this.#session.run(addLaterDelivery, { account_id, event_id, event, created_at, due_at, ...delivery })
  }
}
