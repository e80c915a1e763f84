import type {
  AttemptRecord,
  Delivery,
  DeliveryState,
  EndpointRecord,
  HistoryQuery,
  WebhookWrites,
} from '@sav/core/ports'
import { sql } from 'kysely'
import { fromEndpoint, toAttempt, toEndpoint } from './rows.js'
import type { Session } from './session.js'
import { insertion, type Named, replacement, shapes, statement } from './statement.js'

type OneOfAccount = { readonly account_id: string; readonly id: string }

const findEndpoint = statement((db, p: Named<OneOfAccount>) =>
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

type DeliveryFilter = {
  readonly account_id: string
  readonly endpoint_id?: string | undefined
  readonly event?: string | undefined
  readonly since?: string | undefined
  readonly after_created_at?: string | undefined
  readonly after_id?: string | undefined
  readonly limit: number
}

/**
 * In the order of the index deliveries_undelivered where the state is one of its own (written out, as an index of a part
 * of the table needs it), else of deliveries_target for one endpoint, else of deliveries_recent. A target that does not
 * lead is written so that no planner is tempted by its index.
 */
const deliveriesIn = (state: DeliveryState | undefined) =>
  shapes((bound) =>
    statement((db, p: Named<DeliveryFilter>) => {
      const target = state === 'pending' || state === 'failed' ? sql<string>`target || ''` : 'target'
      return db
        .selectFrom('deliveries')
        .select(deliveryColumns)
        .where('account_id', '=', p('account_id'))
        .$if(state !== undefined, (found) => found.where('state', '=', sql.lit(state)))
        .$if(bound.has('endpoint_id'), (found) => found.where(target, '=', p('endpoint_id')))
        .$if(bound.has('event'), (found) => found.where('event', '=', p('event')))
        .$if(bound.has('since'), (found) => found.where('created_at', '>=', p('since')))
        .$if(bound.has('after_id'), (found) =>
          found.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(p('after_created_at'), p('after_id')))),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(p('limit'))
    }),
  )
const listDeliveries = {
  any: deliveriesIn(undefined),
  pending: deliveriesIn('pending'),
  delivered: deliveriesIn('delivered'),
  failed: deliveriesIn('failed'),
}

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
    const row = await this.#session.first(findEndpoint, { account_id, id })
    return row && toEndpoint(row)
  }

  async listEndpoints(account_id: string): Promise<EndpointRecord[]> {
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

  listDeliveries(account_id: string, { state, after, ...query }: HistoryQuery): Promise<Delivery[]> {
    const values = { account_id, ...query, after_created_at: after?.created_at, after_id: after?.id }
    return this.#session.all(listDeliveries[state ?? 'any'](values), values)
  }

  async reopenDelivery(account_id: string, id: string, at: string): Promise<boolean> {
    return (await this.#session.run(reopenDelivery, { account_id, id, at })) === 1
  }
}
