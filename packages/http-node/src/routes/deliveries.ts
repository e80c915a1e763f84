import { historyInput, parse, replayInput, type Sav } from '@sav/core'
import * as z from 'zod'
import { json } from '../exchange.js'
import { accepted, command, keyOf, ok, type Route, read, readOne, write } from './route.js'

const all = '/api/v1/webhooks/livraisons'
const one = `${all}/{delivery}`
const replays = `${all}/rejouer`
const replay = `${replays}/{id}`

const replayBody = replayInput.extend({ dry_run: z.boolean().default(false) })

/** What was sent, what became of it, and sending it again. */
export function deliveryRoutes(webhooks: Sav['webhooks']): Route[] {
  return [
    read({ pattern: all, permission: 'webhooks:read', query: historyInput }, async ({ actor }, query) => {
      const { items: data, curseur } = await webhooks.history(actor.account_id, query)
      return json(200, { success: true, data, pagination: { curseur } })
    }),
    readOne({ pattern: one, permission: 'webhooks:read' }, async (call) =>
      ok(await webhooks.show(call.actor.account_id, keyOf(call))),
    ),
    command({ method: 'POST', pattern: `${one}/rejouer`, permission: 'webhooks:write' }, async (call) => {
      const delivery = await webhooks.retry(call.actor.account_id, keyOf(call))
      return accepted(delivery, `${all}/${delivery.id}`)
    }),

    write(
      { method: 'POST', pattern: replays, permission: 'webhooks:write', body: replayBody },
      async ({ actor }, body) => {
        const { dry_run, ...filter } = parse(replayBody, body)
        if (dry_run) return ok(await webhooks.preview(actor.account_id, filter))
        const begun = await webhooks.start(actor.account_id, filter)
        return accepted(begun, `${replays}/${begun.id}`)
      },
    ),
    readOne({ pattern: replays, permission: 'webhooks:read' }, async ({ actor }) =>
      ok(await webhooks.replays(actor.account_id)),
    ),
    readOne({ pattern: replay, permission: 'webhooks:read' }, async (call) =>
      ok(await webhooks.progress(call.actor.account_id, keyOf(call))),
    ),
    command({ method: 'POST', pattern: `${replay}/annuler`, permission: 'webhooks:write' }, async (call) =>
      ok(await webhooks.cancel(call.actor.account_id, keyOf(call))),
    ),
  ]
}
