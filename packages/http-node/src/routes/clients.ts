import { addClientInput, type Clients, listClientsInput, updateClientInput } from '@sav/core'
import { created, idOf, listed, ok, type Route, read, readOne, write } from './route.js'

const all = '/api/v1/clients'
const one = `${all}/{id}`

export function clientRoutes(clients: Clients): Route[] {
  return [
    read({ pattern: all, permission: 'directory:read', query: listClientsInput }, async ({ actor }, query) =>
      listed(await clients.list(actor.account_id, query)),
    ),
    write(
      { method: 'POST', pattern: all, permission: 'directory:write', body: addClientInput },
      async ({ actor }, body) => created(all, await clients.add(actor.account_id, body)),
    ),
    readOne({ pattern: one, permission: 'directory:read' }, async (call) =>
      ok(await clients.get(call.actor.account_id, idOf(call))),
    ),
    write({ method: 'PUT', pattern: one, permission: 'directory:write', body: updateClientInput }, async (call, body) =>
      ok(await clients.update(call.actor.account_id, idOf(call), body)),
    ),
  ]
}
