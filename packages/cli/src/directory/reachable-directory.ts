import { type AddClientInput, type Clients, type ClientView, type Poseurs, preparedWrite, type Write } from '@sav/core'
import type { Context, OpenedAccount } from '../invocation/context.js'
import { type Reachable, reach, type Service } from '../invocation/reachable.js'

/** Clients and poseurs, of the store or over the network. */
export interface ReachableDirectory {
  readonly clients: Reachable<Clients> & {
    /** Everybody, in no order that counts. */
    each(): AsyncIterable<ClientView>
    /** Adds them, in one transaction where the store is here. Resolves to their ids, in that order. */
    addAll(inputs: readonly AddClientInput[]): Promise<number[]>
  }
  readonly poseurs: Reachable<Poseurs, 'list' | 'add' | 'update'>
}

/** Calls under way, of a service that others use too. */
const atOnce = 8

export function reachableDirectory(context: Context): Promise<ReachableDirectory> {
  return reach(context, { here: directoryHere, there: directoryThere })
}

function directoryHere({ sav, account_id, actor, perform }: OpenedAccount): ReachableDirectory {
  const { directory, writes } = sav
  const { clients, poseurs } = directory
  return {
    clients: {
      list: (input) => clients.list(account_id, input),
      get: (id) => clients.get(account_id, id),
      add: (input) => perform(writes.clients.add(actor, input)),
      update: (id, input) => perform(writes.clients.update(actor, id, input)),
      erase: (id) => perform(writes.clients.erase(actor, id)),
      each: () => everyPage((page) => clients.list(account_id, { page, limite: 200 })),
      addAll: (inputs) => perform(allOf(inputs.map((input) => writes.clients.add(actor, input)))),
    },
    poseurs: {
      list: (input) => poseurs.list(account_id, input),
      add: (input) => perform(writes.poseurs.add(actor, input)),
      update: (id, input) => perform(writes.poseurs.update(actor, id, input)),
    },
  }
}

function directoryThere({ client, data, listed }: Service): ReachableDirectory {
  return {
    clients: {
      list: (query) => listed(client.get('/api/v1/clients', { query })),
      get: (id) => data(client.get('/api/v1/clients/{id}', { params: { id } })),
      add: (body) => data(client.post('/api/v1/clients', { body })),
      update: (id, body) => data(client.put('/api/v1/clients/{id}', { params: { id }, body })),
      erase: (id) => data(client.post('/api/v1/clients/{id}/effacer', { params: { id } })),
      each: () => client.each('/api/v1/clients', { query: { limite: 200 } }),
      async addAll(inputs) {
        const ids: number[] = []
        for (let from = 0; from < inputs.length; from += atOnce) {
          const calls = inputs.slice(from, from + atOnce).map((body) => data(client.post('/api/v1/clients', { body })))
          ids.push(...(await Promise.all(calls)).map(({ id }) => id))
        }
        return ids
      },
    },
    poseurs: {
      list: (query) => listed(client.get('/api/v1/poseurs', { query })),
      add: (body) => data(client.post('/api/v1/poseurs', { body })),
      update: (id, body) => data(client.put('/api/v1/poseurs/{id}', { params: { id }, body })),
    },
  }
}

/** Writes as one, in one transaction. */
function allOf(writes: readonly Write<ClientView>[]): Write<number[]> {
  return preparedWrite({
    prepare: async () => {
      const prepared: unknown[] = []
      for (const write of writes) prepared.push(await write.prepare?.())
      return prepared
    },
    async write(tx, prepared) {
      const ids: number[] = []
      for (const [index, write] of writes.entries()) ids.push((await write.write(tx, prepared[index])).id)
      return ids
    },
  })
}

async function* everyPage(list: (page: number) => ReturnType<Reachable<Clients>['list']>): AsyncGenerator<ClientView> {
  for (let page = 1; ; page += 1) {
    const { items, total, limite } = await list(page)
    yield* items
    if (page * limite >= total) return
  }
}
