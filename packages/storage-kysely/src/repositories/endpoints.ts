import type { ReceiverRecord } from '@sav/core/adapter'
import type { EndpointRecord, EndpointWrites } from '@sav/core/ports'
import { type Selectable, sql } from 'kysely'
import { Repository } from '../statements/query-runner.js'
import { rowsStatement, withInput } from '../statements/rows-statement.js'
import {
  deletion,
  insertion,
  lookUp,
  type QueryParams,
  replacement,
  statement,
  table,
} from '../statements/statement.js'
import { type Schema, tables } from '../tables/tables.js'
import { lockAccount } from './accounts.js'

type DeliveryBacklog = Awaited<ReturnType<EndpointWrites['waiting']>>[number]
type EndpointName = Parameters<EndpointWrites['waiting']>[0][number]
type TroubledEndpoints = Awaited<ReturnType<EndpointWrites['troubled']>>

type OneOfAccount = { readonly account_id: string; readonly id: string }

const { names: endpointColumns } = tables.webhook_endpoints

const findEndpoint = lookUp((db, p: QueryParams<OneOfAccount>) =>
  db
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('account_id', '=', p('account_id'))
    .where('id', '=', p('id'))
    .where('removed_at', 'is', null),
)
const listEndpoints = statement((db, p: QueryParams<{ account_id: string }>) =>
  db
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('account_id', '=', p('account_id'))
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id'),
)

// Uses the index webhook_endpoints_id.
const findEndpointOfTarget = statement((db, p: QueryParams<{ id: string }>) =>
  db.selectFrom('webhook_endpoints').select(endpointColumns).where('id', '=', p('id')).where('removed_at', 'is', null),
)

// Reads in the order of the index webhook_endpoints_id.
const listEveryEndpoint = statement((db, p: QueryParams<{ after_id: string; limit: number }>, { locksRows }) =>
  db
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('id', '>', p('after_id'))
    .orderBy('id')
    .limit(p('limit'))
    .$if(locksRows, (endpoints) => endpoints.forNoKeyUpdate()),
)

const addEndpoint = insertion('webhook_endpoints', endpointColumns)
const updateEndpoint = replacement(
  'webhook_endpoints',
  ['account_id', 'id'],
  tables.webhook_endpoints.without('account_id', 'id'),
)

const clearChoices = deletion('endpoint_events', ['account_id', 'endpoint_id'])
const addChoice = insertion('endpoint_events', tables.endpoint_events.names)

const nameColumns = { account_id: 'text', endpoint_id: 'text' } as const
type RecordRow = Selectable<Schema['endpoint_health']>

const findRecords = rowsStatement(
  nameColumns,
  (rows) => sql<RecordRow>`
    ${withInput(nameColumns, rows)}
    select endpoint_health.* from input cross join ${table('endpoint_health')}
    where endpoint_health.account_id = input.account_id and endpoint_health.endpoint_id = input.endpoint_id`,
)
const lockRecord = statement(
  (_, p: QueryParams<EndpointName>) => sql<never>`
    select 1 from ${table('endpoint_health')}
    where account_id = ${p('account_id')} and endpoint_id = ${p('endpoint_id')} for no key update`,
)
const { names: recordColumns } = tables.endpoint_health
const replacedColumns = tables.endpoint_health.without('account_id', 'endpoint_id')
const keepRecords = rowsStatement(
  tables.endpoint_health.casts(recordColumns),
  (rows, { besideInput }) => sql<never>`
    insert into ${table('endpoint_health')} (${sql.join(recordColumns.map((name) => sql.ref(name)))})
    ${rows} ${besideInput}
    on conflict (account_id, endpoint_id) do update set
      ${sql.join(replacedColumns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))}`,
)
const waitingColumns = { endpoint_id: 'text', now: 'text' } as const
// Uses only the index delivery_queue_due.
const countWaiting = rowsStatement(
  waitingColumns,
  (rows) => sql<DeliveryBacklog>`
    ${withInput(waitingColumns, rows)}
    select input.endpoint_id, count(delivery_queue.target) as en_attente,
      min(case when next_attempt_at <= input.now then next_attempt_at end) as plus_ancien
    from input left join ${table('delivery_queue')} on lane in ('first', 'retry') and target = input.endpoint_id
    group by input.endpoint_id`,
)
const countEndpoints = statement(
  () => sql<{ enabled: number; disabled: number }>`
    select count(*) - count(disabled_at) as enabled, count(disabled_at) as disabled
    from ${table('webhook_endpoints')} where removed_at is null`,
)
const listTroubled = statement(
  (_, p: QueryParams<{ since: string }>) => sql<RecordRow>`
    select endpoint_health.* from ${table('endpoint_health')} join ${table('webhook_endpoints')}
      on webhook_endpoints.account_id = endpoint_health.account_id and webhook_endpoints.id = endpoint_health.endpoint_id
    where (echecs_consecutifs > 0 or dernier_echec >= ${p('since')}) and removed_at is null and disabled_at is null`,
)

export class Endpoints extends Repository implements EndpointWrites {
  async find(account_id: string, id: string): Promise<EndpointRecord | null> {
    const row = await this.db.find(findEndpoint, { account_id, id })
    return row && tables.webhook_endpoints.read(row)
  }

  async list(account_id: string): Promise<EndpointRecord[]> {
    // The lock keeps the count valid until an endpoint is added.
    await this.db.lock(lockAccount, { account_id })
    return (await this.db.all(listEndpoints, { account_id })).map((row) => tables.webhook_endpoints.read(row))
  }

  async ofTarget(target: string): Promise<EndpointRecord | null> {
    const row = await this.db.first(findEndpointOfTarget, { id: target })
    return row && tables.webhook_endpoints.read(row)
  }

  async add(endpoint: EndpointRecord): Promise<void> {
    await this.db.run(addEndpoint, tables.webhook_endpoints.written(endpoint))
    await this.#choose(endpoint)
  }

  async update(endpoint: EndpointRecord): Promise<void> {
    const { account_id, id } = endpoint
    if ((await this.db.run(updateEndpoint, tables.webhook_endpoints.written(endpoint))) === 0) return
    // Deliveries that waited for a disabled endpoint are due once it is enabled.
    if (endpoint.disabled_at === null && endpoint.removed_at === null) this.db.leavesDue = true
    await this.db.run(clearChoices, { account_id, endpoint_id: id })
    await this.#choose(endpoint)
  }

  async every({ afterId, limit }: { readonly afterId: string; readonly limit: number }): Promise<EndpointRecord[]> {
    return (await this.db.all(listEveryEndpoint, { after_id: afterId, limit })).map((row) =>
      tables.webhook_endpoints.read(row),
    )
  }

  async records(endpoints: readonly EndpointName[]): Promise<ReceiverRecord[]> {
    const names = endpoints.map(({ account_id, endpoint_id }) => ({ account_id, endpoint_id }))
    // Records are locked in the same order everywhere, so that no two workers wait for each other.
    const ordered = names.toSorted((a, b) => (a.endpoint_id < b.endpoint_id ? -1 : 1))
    await Promise.all(ordered.map((name) => this.db.lock(lockRecord, name)))
    return (await this.db.each(findRecords, names)).map((row) => tables.endpoint_health.read(row))
  }

  async keepRecords(records: readonly ReceiverRecord[]): Promise<void> {
    await this.db.sendEach(
      keepRecords,
      records.map((record) => tables.endpoint_health.written(record)),
    )
  }

  waiting(endpoints: readonly EndpointName[], now: string): Promise<DeliveryBacklog[]> {
    return this.db.each(
      countWaiting,
      endpoints.map(({ endpoint_id }) => ({ endpoint_id, now })),
    )
  }

  async troubled(since: string): Promise<TroubledEndpoints> {
    const { enabled, disabled } = await this.db.one(countEndpoints, {})
    const troubled = (await this.db.all(listTroubled, { since })).map((row) => tables.endpoint_health.read(row))
    return { enabled, disabled, troubled }
  }

  async #choose({ account_id, id, events, removed_at }: EndpointRecord): Promise<void> {
    if (removed_at !== null) return
    for (const event of new Set(events)) await this.db.run(addChoice, { account_id, event, endpoint_id: id })
  }
}
