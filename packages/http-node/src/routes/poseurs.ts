import { addPoseurInput, type Poseurs, pageInput, updatePoseurInput } from '@sav/core'
import { created, idOf, listed, ok, type Route, read, readOne, write } from './route.js'

const all = '/api/v1/poseurs'
const one = `${all}/{id}`

export function poseurRoutes(poseurs: Poseurs): Route[] {
  return [
    read({ pattern: all, permission: 'directory:read', query: pageInput }, async ({ actor }, query) =>
      listed(await poseurs.list(actor.account_id, query)),
    ),
    write(
      { method: 'POST', pattern: all, permission: 'directory:write', body: addPoseurInput },
      async ({ actor }, body) => created(all, await poseurs.add(actor.account_id, body)),
    ),
    readOne({ pattern: one, permission: 'directory:read' }, async (call) =>
      ok(await poseurs.get(call.actor.account_id, idOf(call))),
    ),
    write({ method: 'PUT', pattern: one, permission: 'directory:write', body: updatePoseurInput }, async (call, body) =>
      ok(await poseurs.update(call.actor.account_id, idOf(call), body)),
    ),
  ]
}
