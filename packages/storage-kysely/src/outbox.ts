import type { Outbox, OutboxEntry } from '@sav/core/ports'
import { sql } from 'kysely'
import type { Session } from './session.js'
import { insertion, type Named, statement } from './statement.js'

// By the primary key.
const listSubscribers = statement((db, p: Named<{ account_id: string; event: string }>) =>
  db
    .selectFrom('endpoint_events')
    .select('endpoint_id')
    .where('account_id', '=', p('account_id'))
    .where('event', '=', p('event'))
    .orderBy('endpoint_id'),
)
const addEvent = insertion('events', ['account_id', 'id', 'event', 'body', 'created_at'])
const addDeliveries = statement(
  (_, p: Named<{ account_id: string; event_id: string; event: string; at: string; rows: string }>, { jsonRows }) =>
    sql<never>`insert into deliveries (
        account_id, id, event_id, event, channel, target, state, lane, attempt_count, run_attempt_count,
        run_started_at, next_attempt_at, available_at, created_at
      )
      select ${p('account_id')}, id, ${p('event_id')}, ${p('event')}, channel, target, 'pending', 'first', 0, 0,
        ${p('at')}, ${p('at')}, ${p('at')}, ${p('at')}
      from ${jsonRows(p('rows'), { id: 'text', channel: 'text', target: 'text' })}`,
)

export class KyselyOutbox implements Outbox {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async subscribers(account_id: string, event: string): Promise<string[]> {
    return (await this.#session.all(listSubscribers, { account_id, event })).map(({ endpoint_id }) => endpoint_id)
  }

  async add({ account_id, id, event, body, created_at, deliveries }: OutboxEntry): Promise<void> {
    await this.#session.send(addEvent, { account_id, id, event, body, created_at })
    if (deliveries.length === 0) return
    const rows = JSON.stringify(deliveries)
    this.#session.leavesDue = true
    await this.#session.send(addDeliveries, { account_id, event_id: id, event, at: created_at, rows })
  }
}
