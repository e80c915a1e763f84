import type {
  AttemptRecord,
  Delivery,
  DeliveryFilter,
  DeliveryState,
  EndpointRecord,
  HistoryQuery,
  ReplayJob,
  WebhookWrites,
} from '@sav/core/ports'
import { type Kysely, sql } from 'kysely'
import { lockAccount } from './access.js'
import { fromEndpoint, fromReplay, toAttempt, toEndpoint, toReplay } from './rows.js'
import type { Schema } from './schema.js'
import type { Session } from './session.js'
import { insertion, lookUp, type Named, replacement, shapes, statement } from './statement.js'

type OneOfAccount = { readonly account_id: string; readonly id: string }

const findEndpoint = lookUp((db, p: Named<OneOfAccount>) =>
  db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('account_id', '=', p('account_id'))
    .where('id', '=', p('id'))
    .where('removed_at', 'is', null),
)
const listEndpoints = statement((db, p: Named<{ account_id: string }>) =>
  db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('account_id', '=', p('account_id'))
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id'),
)

// By the index webhook_endpoints_id, in its order.
const listEveryEndpoint = statement((db, p: Named<{ after_id: string; limit: number }>, { locksRows }) =>
  db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '>', p('after_id'))
    .orderBy('id')
    .limit(p('limit'))
    .$if(locksRows, (endpoints) => endpoints.forNoKeyUpdate()),
)

const endpointKey = ['account_id', 'id'] as const
const endpointFields = [
  'url',
  'description',
  'events',
  'sealed_secret',
  'sealed_previous_secret',
  'previous_expires_at',
  'sealed_headers',
  'disabled_at',
  'disabled_reason',
  'removed_at',
  'failing_since',
  'created_at',
  'updated_at',
] as const
const addEndpoint = insertion('webhook_endpoints', [...endpointKey, ...endpointFields])
const updateEndpoint = replacement('webhook_endpoints', endpointKey, endpointFields)

const clearChoices = statement((db, p: Named<OneOfAccount>) =>
  db.deleteFrom('endpoint_events').where('account_id', '=', p('account_id')).where('endpoint_id', '=', p('id')),
)
const addChoice = insertion('endpoint_events', ['account_id', 'event', 'endpoint_id'])

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

/** A statement for each state, since which index leads depends on it. */
function ofState<S>(build: (state: DeliveryState | undefined) => S) {
  const any = build(undefined)
  const one = { pending: build('pending'), delivered: build('delivered'), failed: build('failed') }
  return (state: DeliveryState | undefined) => (state === undefined ? any : one[state])
}

const listDeliveries = ofState((state) =>
  shapes((bound) =>
    statement((db, p: Named<Filter & Page>) =>
      matching(db, p, bound, state)
        .select(deliveryColumns)
        .$if(bound.has('after_id'), (found) =>
          found.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(p('after_created_at'), p('after_id')))),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(p('limit')),
    ),
  ),
)
const countDeliveries = ofState((state) =>
  shapes((bound) =>
    statement((db, p: Named<Filter>) =>
      matching(db, p, bound, state).select((eb) => eb.fn.countAll<number>().as('count')),
    ),
  ),
)

const findReplay = lookUp((db, p: Named<OneOfAccount>) =>
  db.selectFrom('replay_jobs').selectAll().where('account_id', '=', p('account_id')).where('id', '=', p('id')),
)
// In the order of the index replay_jobs_recent.
const listReplays = statement((db, p: Named<{ account_id: string; limit: number }>) =>
  db
    .selectFrom('replay_jobs')
    .selectAll()
    .where('account_id', '=', p('account_id'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p('limit')),
)
const replayKey = ['account_id', 'id'] as const
const replayFields = ['state', 'filter', 'position', 'matched', 'retried', 'created_at', 'ended_at'] as const
const addReplay = insertion('replay_jobs', [...replayKey, ...replayFields])
const updateReplay = replacement('replay_jobs', replayKey, replayFields)

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

export class Webhooks implements WebhookWrites {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async findEndpoint(account_id: string, id: string): Promise<EndpointRecord | null> {
    const row = await this.#session.find(findEndpoint, { account_id, id })
    return row && toEndpoint(row)
  }

  async listEndpoints(account_id: string): Promise<EndpointRecord[]> {
    // Whoever adds an endpoint counts them before.
    await this.#session.lock(lockAccount, { account_id })
    return (await this.#session.all(listEndpoints, { account_id })).map(toEndpoint)
  }

  async addEndpoint(endpoint: EndpointRecord): Promise<void> {
    await this.#session.run(addEndpoint, fromEndpoint(endpoint))
    await this.#choose(endpoint)
  }

  async updateEndpoint(endpoint: EndpointRecord): Promise<void> {
    const { account_id, id } = endpoint
    if ((await this.#session.run(updateEndpoint, fromEndpoint(endpoint))) === 0) return
    await this.#session.run(clearChoices, { account_id, id })
    await this.#choose(endpoint)
  }

  async everyEndpoint({
    afterId,
    limit,
  }: {
    readonly afterId: string
    readonly limit: number
  }): Promise<EndpointRecord[]> {
    return (await this.#session.all(listEveryEndpoint, { after_id: afterId, limit })).map(toEndpoint)
  }

  async #choose({ account_id, id, events, removed_at }: EndpointRecord): Promise<void> {
    if (removed_at !== null) return
    for (const event of new Set(events)) await this.#session.run(addChoice, { account_id, event, endpoint_id: id })
  }

  findDelivery(account_id: string, id: string): Promise<Delivery | null> {
    return this.#session.first(findDelivery, { account_id, id })
  }

  async attempts(account_id: string, delivery_id: string): Promise<AttemptRecord[]> {
    return (await this.#session.all(listAttempts, { account_id, delivery_id })).map(toAttempt)
  }

  deliveriesOf(account_id: string, event_id: string): Promise<Delivery[]> {
    return this.#session.all(listOfEvent, { account_id, event_id })
  }

  async forgetAnswers(account_id: string, event_id: string): Promise<void> {
    for (const { id } of await this.deliveriesOf(account_id, event_id)) {
      await this.#session.run(forgetAttempts, { account_id, delivery_id: id })
      await this.#session.run(forgetLastError, { account_id, id })
    }
  }

  listDeliveries(account_id: string, { after, ...query }: HistoryQuery): Promise<Delivery[]> {
    const values = { account_id, ...query, after_created_at: after?.created_at, after_id: after?.id }
    return this.#session.all(listDeliveries(query.state)(values), values)
  }

  async countDeliveries(account_id: string, filter: DeliveryFilter): Promise<number> {
    const values = { account_id, ...filter }
    return (await this.#session.one(countDeliveries(filter.state)(values), values)).count
  }

  async findReplay(account_id: string, id: string): Promise<ReplayJob | null> {
    const row = await this.#session.find(findReplay, { account_id, id })
    return row && toReplay(row)
  }

  async listReplays(account_id: string, limit: number): Promise<ReplayJob[]> {
    return (await this.#session.all(listReplays, { account_id, limit })).map(toReplay)
  }

  async addReplay(job: ReplayJob): Promise<void> {
    await this.#session.run(addReplay, fromReplay(job))
  }

  async updateReplay(job: ReplayJob): Promise<void> {
    await this.#session.run(updateReplay, fromReplay(job))
  }

  async reopenDelivery(account_id: string, id: string, at: string): Promise<boolean> {
    const reopened = (await this.#session.run(reopenDelivery, { account_id, id, at })) === 1
    if (reopened) this.#session.leavesDue = true
    return reopened
  }
}
