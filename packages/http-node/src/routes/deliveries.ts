import {
  type DeliveryView,
  deliveryStates,
  historyInput,
  type LetterAccess,
  parse,
  preparedWrite,
  replayInput,
} from '@sav/core'
import * as z from 'zod'
import { examples, instant, named, reference } from '../contract/shapes.js'
import { accepted, either, ok, stretch } from './answers.js'
import { type Caller, readRoute, withResult, writeRoute } from './route.js'

const all = '/api/v1/webhooks/livraisons'
const one = `${all}/{delivery}`
const replays = `${all}/rejouer`
const replay = `${replays}/{replay}`

const replayBody = replayInput.extend({ dry_run: z.boolean().default(false) })

const fields = {
  id: z.string().meta({ description: '`dlv_…`' }),
  event_id: z.string(),
  event: z.string(),
  reference: reference.nullable().meta({
    description: 'Of the case that it tells of; null where it tells of none, and without the permission to read that.',
  }),
  endpoint_id: z.string(),
  channel: z.string(),
  state: z.enum(deliveryStates),
  attempt_count: z.int().nonnegative(),
  next_attempt_at: instant.nullable(),
  last_status: z.int().nullable(),
  last_error: z.string().nullable(),
  created_at: instant,
}
const example = {
  id: examples.delivery,
  event_id: examples.event,
  event: 'sav.created',
  reference: examples.reference,
  endpoint_id: examples.endpoint,
  channel: 'webhook',
  state: 'failed' as const,
  attempt_count: 6,
  next_attempt_at: null,
  last_status: 500,
  last_error: 'answered 500',
  created_at: examples.instant,
}
const delivery = named('Delivery', z.object(fields), example)

const attempt = z.object({
  n: z.int().positive().meta({ description: 'Counts from 1, over all runs.' }),
  started_at: instant,
  duration_ms: z.number().nonnegative(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  response_headers: z.record(z.string(), z.string()).nullable(),
  response: z.string().nullable().meta({ description: 'At most 16 KiB of the answer.' }),
})
const body = z
  .string()
  .nullable()
  .meta({
    description:
      'What every attempt sends, to the byte. Null for a letter, and without the permission to read what it tells of: ' +
      '`sav:read`, for appointments `planning:read`.',
  })
const deliveryWithAttempts = named('DeliveryWithAttempts', z.object({ ...fields, attempts: z.array(attempt), body }), {
  ...example,
  body: `{"event":"sav.created","timestamp":"${examples.instant}","data":{"event_id":"${examples.event}"}}`,
  attempts: [
    {
      n: 6,
      started_at: examples.instant,
      duration_ms: 87,
      status: 500,
      error: 'answered 500',
      response_headers: { 'content-type': 'text/plain' },
      response: 'out of order',
    },
  ],
})

const job = named(
  'Replay',
  z.object({
    id: z.string().meta({ description: '`rpl_…`' }),
    state: z.enum(['running', 'done', 'cancelled']),
    filter: z.object({
      state: z.enum(deliveryStates),
      endpoint_id: z.string().nullable(),
      event: z.string().nullable(),
      since: instant.nullable(),
    }),
    matched: z.int().nonnegative(),
    retried: z.int().nonnegative(),
    created_at: instant,
    ended_at: instant.nullable(),
  }),
  {
    id: examples.replay,
    state: 'running',
    filter: { state: 'failed', endpoint_id: null, event: null, since: null },
    matched: 120,
    retried: 40,
    created_at: examples.instant,
    ended_at: null,
  },
)
const preview = named('ReplayPreview', z.object({ matched: z.int().nonnegative() }), { matched: 120 })

/** Letters go to customers: their history holds addresses, and sending one again is as good as closing a case again. */
const lettersOf = (may: Caller['may']): LetterAccess => ({ see: may('directory:read'), send: may('sav:write') })

/** What a delivery tells of needs its own permission; that there was one does not. */
const mayReadWhat = (may: Caller['may'], { event }: DeliveryView) =>
  may(event.startsWith('rdv.') ? 'planning:read' : 'sav:read')

const readableBy = (may: Caller['may']) => (found: DeliveryView) =>
  mayReadWhat(may, found) ? found : { ...found, reference: null }

/** What was sent, what became of it, and sending it again. */
export const deliveryRoutes = [
  readRoute({
    path: all,
    name: 'listDeliveries',
    summary: 'List deliveries, newest first',
    description: 'Letters to customers show to keys with `directory:read`.',
    permission: 'webhooks:read',
    query: historyInput,
    answers: stretch(delivery, 'Deliveries, and the cursor of what comes next.'),
    async handle({ sav, actor, may, query }) {
      const page = await sav.webhooks.deliveries.list(actor.account_id, query, lettersOf(may))
      return { ...page, items: page.items.map(readableBy(may)) }
    },
  }),
  readRoute({
    path: one,
    name: 'getDelivery',
    summary: 'Read a delivery with its attempts',
    permission: 'webhooks:read',
    answers: ok(deliveryWithAttempts, 'The delivery.'),
    failures: ['not_found'],
    async handle({ sav, actor, may, params }) {
      const found = await sav.webhooks.deliveries.get(actor.account_id, params.delivery, lettersOf(may))
      return mayReadWhat(may, found) ? found : { ...found, reference: null, body: null }
    },
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/rejouer`,
    name: 'retryDelivery',
    summary: 'Attempt a delivery again',
    description:
      'A letter to a customer needs `sav:write` as well. An invitation is sent once: invite the person again.',
    permission: 'webhooks:write',
    answers: accepted(delivery, 'A new run of attempts is open.', ({ id }) => `${all}/${id}`),
    failures: ['not_found', 'conflict'],
    write: ({ writes, actor, may, params }) =>
      withResult(writes.deliveries.retry(actor, params.delivery, lettersOf(may)), readableBy(may)),
  }),
  writeRoute({
    method: 'POST',
    path: replays,
    name: 'startReplay',
    summary: 'Attempt every matching delivery again',
    description: 'Letters to customers are left out, unless the key has `sav:write`; invitations always.',
    permission: 'webhooks:write',
    body: replayBody,
    example: { state: 'failed', event: 'sav.closed' },
    answers: either(
      accepted(job, 'It has begun, and goes on in small steps.', ({ id }) => `${replays}/${id}`),
      ok(preview, 'With `dry_run`: how many it would attempt again.'),
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
    answers: ok(z.array(job), 'At most 100 replays.'),
    handle: ({ sav, actor, may }) => sav.webhooks.replays.list(actor.account_id, lettersOf(may)),
  }),
  readRoute({
    path: replay,
    name: 'getReplay',
    summary: 'Read how far a replay is',
    permission: 'webhooks:read',
    answers: ok(job, 'The replay.'),
    failures: ['not_found'],
    handle: ({ sav, actor, may, params }) => sav.webhooks.replays.get(actor.account_id, params.replay, lettersOf(may)),
  }),
  writeRoute({
    method: 'POST',
    path: `${replay}/annuler`,
    name: 'cancelReplay',
    summary: 'Cancel a replay',
    description: 'What it has opened again stays so.',
    permission: 'webhooks:write',
    answers: ok(job, 'The replay as it ended.'),
    failures: ['not_found'],
    write: ({ writes, actor, may, params }) => writes.replays.cancel(actor, params.replay, lettersOf(may)),
  }),
]
