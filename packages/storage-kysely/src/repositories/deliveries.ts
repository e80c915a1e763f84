import type {
  AttemptRecord,
  Delivery,
  DeliveryFilter,
  DeliveryState,
  DeliveryWrites,
  HistoryQuery,
  HourOfDeliveries,
} from '@sav/core/ports'
import { type Kysely, type SqlBool, sql } from 'kysely'
import { toAttempt } from '../rows.js'
import type { Schema } from '../schema.js'
import type { Session } from '../statements/session.js'
import { type Named, shapes, statement, table } from '../statements/statement.js'

type OneOfAccount = { readonly account_id: string; readonly id: string }

const deliveryColumns = [
  'id',
  'account_id',
  'event_id',
  'event',
  'channel',
  'target as endpoint_id',
  'state',
  'attempt_count',
  'next_attempt_at',
  'last_status',
  'last_error',
  'created_at',
] as const

const findDelivery = statement((db, p: Named<OneOfAccount>) =>
  db
    .selectFrom('deliveries')
    .select(deliveryColumns)
    .where('account_id', '=', p('account_id'))
    .where('id', '=', p('id')),
)
const listAttempts = statement((db, p: Named<{ account_id: string; delivery_id: string }>) =>
  db
    .selectFrom('attempts')
    .select(['n', 'started_at', 'duration_ms', 'status', 'error', 'response_headers', 'response'])
    .where('account_id', '=', p('account_id'))
    .where('delivery_id', '=', p('delivery_id'))
    .orderBy('n'),
)

// They were created with their event: by the index deliveries_recent.
const listOfEvent = statement((db, p: Named<{ account_id: string; event_id: string }>) =>
  db
    .selectFrom('deliveries')
    .select(deliveryColumns)
    .where('account_id', '=', p('account_id'))
    .where('event_id', '=', p('event_id'))
    .where('created_at', '=', ({ selectFrom }) =>
      selectFrom('events')
        .select('events.created_at')
        .where('events.account_id', '=', p('account_id'))
        .where('events.id', '=', p('event_id')),
    )
    .orderBy('id'),
)
const forgetAttempts = statement((db, p: Named<{ account_id: string; delivery_id: string }>) =>
  db
    .updateTable('attempts')
    .set({ error: null, response_headers: null, response: null })
    .where('account_id', '=', p('account_id'))
    .where('delivery_id', '=', p('delivery_id')),
)
const forgetLastError = statement((db, p: Named<OneOfAccount>) =>
  db
    .updateTable('deliveries')
    .set({ last_error: null })
    .where('account_id', '=', p('account_id'))
    .where('id', '=', p('id')),
)

type Filter = {
  readonly account_id: string
  readonly endpoint_id?: string | undefined
  readonly event?: string | undefined
  readonly since?: string | undefined
}
type Page = {
  readonly after_created_at?: string | undefined
  readonly after_id?: string | undefined
  readonly limit: number
}

/**
 * By the index deliveries_undelivered where the state is one of its own, else by deliveries_target for one endpoint, else
 * by deliveries_delivered or deliveries_recent. A state is written out, as an index of a part of the table needs it; what
 * does not lead is written so that no planner is tempted by its index.
 */
function matching(db: Kysely<Schema>, p: Named<Filter>, bound: ReadonlySet<string>, state: DeliveryState | undefined) {
  const stateLeads = state === 'pending' || state === 'failed' || !bound.has('endpoint_id')
  const stateOf = stateLeads ? sql<string>`state` : sql<string>`state || ''`
  const targetOf = stateLeads ? sql<string>`target || ''` : sql<string>`target`
  return db
    .selectFrom('deliveries')
    .where('account_id', '=', p('account_id'))
    .$if(state !== undefined, (found) => found.where(stateOf, '=', sql.lit(state)))
    .$if(bound.has('endpoint_id'), (found) => found.where(targetOf, '=', p('endpoint_id')))
    .$if(bound.has('event'), (found) => found.where('event', '=', p('event')))
    .$if(bound.has('since'), (found) => found.where('created_at', '>=', p('since')))
}

/** Those of them that are letters, by the index deliveries_letters. */
function lettersMatching(db: Kysely<Schema>, p: Named<Filter>, bound: ReadonlySet<string>, state?: DeliveryState) {
  return db
    .selectFrom('deliveries')
    .where('account_id', '=', p('account_id'))
    .where(sql<SqlBool>`channel <> 'webhook'`)
    .$if(state !== undefined, (found) => found.where(sql<string>`state || ''`, '=', sql.lit(state)))
    .$if(bound.has('endpoint_id'), (found) => found.where(sql<string>`target || ''`, '=', p('endpoint_id')))
    .$if(bound.has('event'), (found) => found.where('event', '=', p('event')))
    .$if(bound.has('since'), (found) => found.where('created_at', '>=', p('since')))
}

/** A statement for each state, since which index leads depends on it. */
function ofState<S>(build: (state: DeliveryState | undefined) => S) {
  const any = build(undefined)
  const one = { pending: build('pending'), delivered: build('delivered'), failed: build('failed') }
  return (state: DeliveryState | undefined) => (state === undefined ? any : one[state])
}

const listing = (letters: boolean) =>
  ofState((state) =>
    shapes((bound) =>
      statement((db, p: Named<Filter & Page>) =>
        matching(db, p, bound, state)
          .select(deliveryColumns)
          .$if(!letters, (found) => found.where(sql<string>`channel || ''`, '=', sql.lit('webhook')))
          .$if(bound.has('after_id'), (found) =>
            found.where((eb) =>
              eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(p('after_created_at'), p('after_id'))),
            ),
          )
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(p('limit')),
      ),
    ),
  )
const listDeliveries = listing(true)
const listWebhooks = listing(false)
const countDeliveries = ofState((state) =>
  shapes((bound) =>
    statement((db, p: Named<Filter>) =>
      matching(db, p, bound, state).select((eb) => eb.fn.countAll<number>().as('count')),
    ),
  ),
)
const countLetters = ofState((state) =>
  shapes((bound) =>
    statement((db, p: Named<Filter>) =>
      lettersMatching(db, p, bound, state).select((eb) => eb.fn.countAll<number>().as('count')),
    ),
  ),
)

// By the index deliveries_target.
const countByHour = statement(
  (_, p: Named<{ account_id: string; endpoint_id: string; since: string }>) =>
    sql<HourOfDeliveries>`select substr(created_at, 1, 13) as heure, state, count(*) as nombre from ${table('deliveries')}
      where account_id = ${p('account_id')} and target = ${p('endpoint_id')} and created_at >= ${p('since')}
      group by 1, 2`,
)
// The first row of the index deliveries_undelivered.
const findOldestPending = statement((db, p: Named<{ account_id: string }>) =>
  db
    .selectFrom('deliveries')
    .select('created_at')
    .where('account_id', '=', p('account_id'))
    .where('state', '=', sql.lit('pending'))
    .orderBy('created_at')
    .limit(1),
)

/** Under a lease that has not run out at `at`, it is being attempted. */
const reopenDelivery = statement((db, p: Named<OneOfAccount & { at: string }>) =>
  db
    .updateTable('deliveries')
    .set({
      state: 'pending',
      lane: 'retry',
      run_attempt_count: 0,
      run_started_at: p('at'),
      next_attempt_at: p('at'),
      available_at: p('at'),
      lease_token: null,
      intended_at: null,
    })
    .where('account_id', '=', p('account_id'))
    .where('id', '=', p('id'))
    .where((eb) => eb.or([eb('lease_token', 'is', null), eb('available_at', '<=', p('at'))])),
)

export class Deliveries implements DeliveryWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  find(account_id: string, id: string): Promise<Delivery | null> {
    return this.#session.first(findDelivery, { account_id, id })
  }

  async attempts(account_id: string, delivery_id: string): Promise<AttemptRecord[]> {
    return (await this.#session.all(listAttempts, { account_id, delivery_id })).map(toAttempt)
  }

  ofEvent(account_id: string, event_id: string): Promise<Delivery[]> {
    return this.#session.all(listOfEvent, { account_id, event_id })
  }

  activity(account_id: string, endpoint_id: string, since: string): Promise<HourOfDeliveries[]> {
    return this.#session.all(countByHour, { account_id, endpoint_id, since })
  }

  async oldestPending(account_id: string): Promise<string | null> {
    return (await this.#session.first(findOldestPending, { account_id }))?.created_at ?? null
  }

  async forgetResponses(account_id: string, event_id: string): Promise<void> {
    for (const { id } of await this.ofEvent(account_id, event_id)) {
      await this.#session.run(forgetAttempts, { account_id, delivery_id: id })
      await this.#session.run(forgetLastError, { account_id, id })
    }
  }

  list(account_id: string, { after, state, letters, ...query }: HistoryQuery): Promise<Delivery[]> {
    const values = { account_id, ...query, after_created_at: after?.created_at, after_id: after?.id }
    const list = letters === false ? listWebhooks : listDeliveries
    return this.#session.all(list(state)(values), values)
  }

  async count(account_id: string, { state, letters, ...filter }: DeliveryFilter): Promise<number> {
    const values = { account_id, ...filter }
    const { count } = await this.#session.one(countDeliveries(state)(values), values)
    // Two counts by indexes alone are quicker than one that looks at the channel of every row.
    return letters === false ? count - (await this.#session.one(countLetters(state)(values), values)).count : count
  }

  async reopen(account_id: string, id: string, at: string): Promise<boolean> {
    const reopened = (await this.#session.run(reopenDelivery, { account_id, id, at })) === 1
    if (reopened) this.#session.leavesDue = true
    return reopened
  }
}
