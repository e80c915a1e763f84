import type { EndpointRecord, EndpointWrites } from '@sav/core/ports'
import { Repository } from '../statements/query-runner.js'
import { deletion, insertion, lookUp, type Named, replacement, statement } from '../statements/statement.js'
import { tables } from '../tables/tables.js'
import { lockAccount } from './accounts.js'

type OneOfAccount = { readonly account_id: string; readonly id: string }

const { names: endpointColumns } = tables.webhook_endpoints

const findEndpoint = lookUp((db, p: Named<OneOfAccount>) =>
  db
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('account_id', '=', p('account_id'))
    .where('id', '=', p('id'))
    .where('removed_at', 'is', null),
)
const listEndpoints = statement((db, p: Named<{ account_id: string }>) =>
  db
    .selectFrom('webhook_endpoints')
    .select(endpointColumns)
    .where('account_id', '=', p('account_id'))
    .where('removed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id'),
)

// By the index webhook_endpoints_id.
const findEndpointOfTarget = statement((db, p: Named<{ id: string }>) =>
  db.selectFrom('webhook_endpoints').select(endpointColumns).where('id', '=', p('id')).where('removed_at', 'is', null),
)

// By the index webhook_endpoints_id, in its order.
const listEveryEndpoint = statement((db, p: Named<{ after_id: string; limit: number }>, { locksRows }) =>
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

export class Endpoints extends Repository implements EndpointWrites {
  async find(account_id: string, id: string): Promise<EndpointRecord | null> {
    const row = await this.db.find(findEndpoint, { account_id, id })
    return row && tables.webhook_endpoints.read(row)
  }

  async list(account_id: string): Promise<EndpointRecord[]> {
    // An endpoint is added after they are counted.
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
    // What waited for a disabled endpoint is due once it is enabled.
    if (endpoint.disabled_at === null && endpoint.removed_at === null) this.db.leavesDue = true
    await this.db.run(clearChoices, { account_id, endpoint_id: id })
    await this.#choose(endpoint)
  }

  async every({ afterId, limit }: { readonly afterId: string; readonly limit: number }): Promise<EndpointRecord[]> {
    return (await this.db.all(listEveryEndpoint, { after_id: afterId, limit })).map((row) =>
      tables.webhook_endpoints.read(row),
    )
  }

  async #choose({ account_id, id, events, removed_at }: EndpointRecord): Promise<void> {
    if (removed_at !== null) return
    for (const event of new Set(events)) await this.db.run(addChoice, { account_id, event, endpoint_id: id })
  }
}
