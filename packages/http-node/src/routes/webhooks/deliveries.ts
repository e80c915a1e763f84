import type { DeliveryView } from '@sav/core'
import { inputs, parse, preparedWrite, readingPermission, shapes } from '@sav/core/adapter'
import * as z from 'zod'
import { accepted, either, ok, stretch } from '../declaration/answers.js'
import { readRoute, withResult, writeRoute } from '../declaration/declare.js'
import type { Caller, RouteSav } from '../declaration/route.js'

const all = '/api/v1/webhooks/livraisons'
const one = `${all}/{delivery}`
const replays = `${all}/rejouer`
const replay = `${replays}/{replay}`

const replayBody = shapes.lazily(() => inputs.replay().extend({ dry_run: z.boolean().default(false) }))

/** Letters go to customers: seeing their addresses needs `directory:read`, and sending one again `sav:write`. */
const lettersOf = (may: Caller['may']) => ({ see: may('directory:read'), send: may('sav:write') })

type Reader = Pick<Caller, 'may'> & { readonly sav: Pick<RouteSav, 'events'> }

/** Whether the caller may see the content of a delivery. Seeing that the delivery exists needs no such permission. */
const mayReadWhat = ({ sav, may }: Reader, { event }: DeliveryView) => may(readingPermission(sav.events, event))

const readableBy = (reader: Reader) => (found: DeliveryView) =>
  mayReadWhat(reader, found) ? found : { ...found, reference: null }

/** Deliveries, their outcomes, and retries. */
export const deliveryRoutes = [
  readRoute({
    path: all,
    name: 'listDeliveries',
    summary: 'List deliveries, newest first',
    description: 'Keys with `directory:read` also see letters to customers.',
    permission: 'webhooks:read',
    query: inputs.history,
    answers: stretch(shapes.delivery, 'Deliveries, and the cursor of the next page.'),
    async handle({ sav, actor, may, query }) {
      const page = await sav.webhooks.deliveries.list(actor.account_id, query, lettersOf(may))
      return { ...page, items: page.items.map(readableBy({ sav, may })) }
    },
  }),
  readRoute({
    path: one,
    name: 'getDelivery',
    summary: 'Read a delivery with its attempts',
    permission: 'webhooks:read',
    answers: ok(shapes.deliveryDetail, 'The delivery.'),
    failures: ['not_found'],
    async handle({ sav, actor, may, params }) {
      const found = await sav.webhooks.deliveries.get(actor.account_id, params.delivery, lettersOf(may))
      return mayReadWhat({ sav, may }, found) ? found : { ...found, reference: null, body: null }
    },
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/rejouer`,
    name: 'retryDelivery',
    summary: 'Attempt a delivery again',
    description:
      'A letter to a customer also needs `sav:write`. An invitation is never repeated: invite the person again.',
    permission: 'webhooks:write',
    answers: accepted(shapes.delivery, 'A new run of attempts has begun.', ({ id }) => `${all}/${id}`),
    failures: ['not_found', 'conflict'],
    write: ({ sav, writes, actor, may, params }) =>
      withResult(writes.deliveries.retry(actor, params.delivery, lettersOf(may)), readableBy({ sav, may })),
  }),
  writeRoute({
    method: 'POST',
    path: replays,
    name: 'startReplay',
    summary: 'Attempt every matching delivery again',
    description: 'Letters to customers are included only with `sav:write`. Invitations are never included.',
    permission: 'webhooks:write',
    body: replayBody,
    example: { state: 'failed', event: 'sav.closed' },
    answers: either(
      accepted(shapes.replay, 'The replay, which continues in the background.', ({ id }) => `${replays}/${id}`),
      ok(shapes.replayPreview, 'With `dry_run`: the number of deliveries.'),
      (result) => 'id' in result,
    ),
    write({ sav, writes, actor, may, body }) {
      const { dry_run, ...filter } = parse(replayBody, body)
      if (!dry_run) return writes.replays.start(actor, filter, lettersOf(may))
      return preparedWrite({
        prepare: () => sav.webhooks.replays.preview(actor.account_id, filter, lettersOf(may)),
        write: async (_, preview) => preview,
      })
    },
  }),
  readRoute({
    path: replays,
    name: 'listReplays',
    summary: 'List replays, newest first',
    permission: 'webhooks:read',
    query: inputs.listReplays,
    answers: stretch(shapes.replay, 'Replays, and the cursor of the next page.'),
    handle: ({ sav, actor, may, query }) => sav.webhooks.replays.list(actor.account_id, query, lettersOf(may)),
  }),
  readRoute({
    path: replay,
    name: 'getReplay',
    summary: 'Read the progress of a replay',
    permission: 'webhooks:read',
    answers: ok(shapes.replay, 'The replay.'),
    failures: ['not_found'],
    handle: ({ sav, actor, may, params }) => sav.webhooks.replays.get(actor.account_id, params.replay, lettersOf(may)),
  }),
  writeRoute({
    method: 'POST',
    path: `${replay}/annuler`,
    name: 'cancelReplay',
    summary: 'Cancel a replay',
    description: 'Deliveries that the replay has already reopened stay open.',
    permission: 'webhooks:write',
    answers: ok(shapes.replay, 'The replay, which has ended.'),
    failures: ['not_found'],
    write: ({ writes, actor, may, params }) => writes.replays.cancel(actor, params.replay, lettersOf(may)),
  }),
]
