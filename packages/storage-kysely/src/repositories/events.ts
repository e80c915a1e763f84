import type { EventReads, StoredEvent } from '@sav/core/ports'
import type { Session } from '../statements/session.js'
import { type Named, statement } from '../statements/statement.js'

// By the primary key.
const listEvents = statement((db, p: Named<{ account_id: string; from: string; limit: number }>) =>
  db
    .selectFrom('events')
    .select(['id', 'event', 'body'])
    .where('account_id', '=', p('account_id'))
    .where('id', '>=', p('from'))
    .orderBy('id')
    .limit(p('limit')),
)

export class Events implements EventReads {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  since(account_id: string, from: string, limit: number): Promise<StoredEvent[]> {
    return this.#session.all(listEvents, { account_id, from, limit })
  }
}
