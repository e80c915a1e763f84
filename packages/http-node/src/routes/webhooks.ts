import { addEndpointInput, rotateSecretInput, type Sav, updateEndpointInput } from '@sav/core'
import { accepted, command, created, keyOf, ok, optionalWrite, type Route, readOne, write } from './route.js'

const all = '/api/v1/webhooks'
const one = `${all}/{id}`

/** The account's receivers. A secret is in the answer that made it, and in no other. */
export function webhookRoutes(webhooks: Sav['webhooks']): Route[] {
  return [
    readOne({ pattern: all, permission: 'webhooks:read' }, async ({ actor }) =>
      ok(await webhooks.list(actor.account_id)),
    ),
    write(
      { method: 'POST', pattern: all, permission: 'webhooks:write', body: addEndpointInput },
      async ({ actor }, body) => created(all, await webhooks.add(actor.account_id, body)),
    ),
    readOne({ pattern: one, permission: 'webhooks:read' }, async (call) =>
      ok(await webhooks.get(call.actor.account_id, keyOf(call))),
    ),
    write(
      { method: 'PUT', pattern: one, permission: 'webhooks:write', body: updateEndpointInput },
      async (call, body) => ok(await webhooks.update(call.actor.account_id, keyOf(call), body)),
    ),
    command({ method: 'DELETE', pattern: one, permission: 'webhooks:write' }, async (call) => {
      const id = keyOf(call)
      await webhooks.remove(call.actor.account_id, id)
      return ok({ id })
    }),
    command({ method: 'POST', pattern: `${one}/activer`, permission: 'webhooks:write' }, async (call) =>
      ok(await webhooks.enable(call.actor.account_id, keyOf(call))),
    ),
    command({ method: 'POST', pattern: `${one}/desactiver`, permission: 'webhooks:write' }, async (call) =>
      ok(await webhooks.disable(call.actor.account_id, keyOf(call))),
    ),
    optionalWrite(
      { method: 'POST', pattern: `${one}/renouveler-secret`, permission: 'webhooks:write', body: rotateSecretInput },
      async (call, body) => ok(await webhooks.rotateSecret(call.actor.account_id, keyOf(call), body)),
    ),
    command({ method: 'POST', pattern: `${one}/tester`, permission: 'webhooks:write' }, async (call) => {
      const sent = await webhooks.test(call.actor.account_id, keyOf(call))
      return accepted(sent, `${all}/livraisons/${sent.delivery_id}`)
    }),
  ]
}
