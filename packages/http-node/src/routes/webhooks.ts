import { addEndpointInput, eventKinds, parse, rotateSecretInput, updateEndpointInput } from '@sav/core'
import * as z from 'zod'
import { examples, instant, named } from '../contract/shapes.js'
import { exampleEvent } from '../contract/webhook-events.js'
import { accepted, created, ok } from './answers.js'
import { readRoute, withResult, writeRoute } from './route.js'

const all = '/api/v1/webhooks'
const one = `${all}/{endpoint}`

const id = z.string().meta({ description: '`wh_…`' })
const secret = z.string().meta({ description: '`whsec_…`: in this answer, and in no other.' })

const fields = {
  id,
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(z.enum(eventKinds)),
  headers: z.array(z.string()).meta({ description: 'Names of the custom headers.' }),
  disabled_at: instant.nullable(),
  disabled_reason: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
}
const example = {
  id: examples.endpoint,
  url: 'https://receiver.example/hook',
  description: 'Caisse',
  events: ['sav.created' as const, 'sav.closed' as const],
  headers: ['X-Token'],
  disabled_at: null,
  disabled_reason: null,
  created_at: examples.instant,
  updated_at: examples.instant,
}
const secretExample = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='

const endpoint = named('Endpoint', z.object(fields), example)
const newEndpoint = named('NewEndpoint', z.object({ ...fields, secret }), { ...example, secret: secretExample })
const newSecret = named(
  'NewSecret',
  z.object({
    id,
    secret,
    previous_expires_at: instant.nullable().meta({ description: 'Until then both secrets sign.' }),
  }),
  { id: example.id, secret: secretExample, previous_expires_at: examples.instant },
)
const testInput = z.strictObject({ event: z.enum(eventKinds).optional() })
const test = named('TestDelivery', z.object({ delivery_id: z.string() }), { delivery_id: examples.delivery })
const removed = named('Removed', z.object({ id }), { id: example.id })

const activity = named(
  'Activity',
  z.object({
    heures: z
      .array(
        z.object({
          debut: instant,
          livrees: z.int().nonnegative(),
          echecs: z.int().nonnegative(),
          en_attente: z.int().nonnegative(),
        }),
      )
      .meta({ description: '24 of them; the last one is not over. Each counts what was made in it, as that is now.' }),
    derniere_erreur: z
      .object({ date: instant, statut: z.int().nullable(), erreur: z.string() })
      .nullable()
      .meta({ description: 'Of the newest 100 deliveries, the newest that failed at its last attempt.' }),
  }),
  {
    heures: [{ debut: '2026-01-15T10:00:00.000Z', livrees: 17, echecs: 0, en_attente: 1 }],
    derniere_erreur: { date: examples.instant, statut: 503, erreur: 'answered 503' },
  },
)

/** The account's receivers. A secret is in the answer that made it, and in no other. */
export const webhookRoutes = [
  readRoute({
    path: all,
    name: 'listEndpoints',
    summary: 'List receivers, oldest first',
    permission: 'webhooks:read',
    answers: ok(z.array(endpoint), 'The receivers.'),
    handle: ({ sav, actor }) => sav.webhooks.endpoints.list(actor.account_id),
  }),
  writeRoute({
    method: 'POST',
    path: all,
    name: 'addEndpoint',
    summary: 'Add a receiver',
    permission: 'webhooks:write',
    body: addEndpointInput,
    example: { url: example.url, events: example.events, headers: { 'X-Token': 'a value of the receiver' } },
    secret: true,
    answers: created(newEndpoint, 'The receiver is there; this is the only time that its secret is shown.', all),
    failures: ['conflict'],
    write: ({ writes, actor, body }) => writes.endpoints.add(actor, body),
  }),
  readRoute({
    path: one,
    name: 'getEndpoint',
    summary: 'Read a receiver',
    permission: 'webhooks:read',
    answers: ok(endpoint, 'The receiver.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.webhooks.endpoints.get(actor.account_id, params.endpoint),
  }),
  writeRoute({
    method: 'PUT',
    path: one,
    name: 'updateEndpoint',
    summary: 'Change a receiver',
    description: 'A new URL applies to what waits already.',
    permission: 'webhooks:write',
    body: updateEndpointInput,
    example: { events: example.events },
    answers: ok(endpoint, 'The receiver as it is now.'),
    failures: ['not_found'],
    write: ({ writes, actor, params, body }) => writes.endpoints.update(actor, params.endpoint, body),
  }),
  writeRoute({
    method: 'DELETE',
    path: one,
    name: 'removeEndpoint',
    summary: 'Remove a receiver',
    description: 'Fails what waits for it; its history stays.',
    permission: 'webhooks:write',
    answers: ok(removed, 'It is removed.'),
    failures: ['not_found'],
    write: ({ writes, actor, params: { endpoint } }) =>
      withResult(writes.endpoints.remove(actor, endpoint), () => ({ id: endpoint })),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/activer`,
    name: 'enableEndpoint',
    summary: 'Enable a receiver again',
    description: 'What waited goes out at once.',
    permission: 'webhooks:write',
    answers: ok(endpoint, 'It is enabled.'),
    failures: ['not_found'],
    write: ({ writes, actor, params }) => writes.endpoints.enable(actor, params.endpoint),
  }),
  readRoute({
    path: `${one}/activite`,
    name: 'getActivity',
    summary: 'Tell what became of the deliveries of a receiver in its last 24 hours',
    permission: 'webhooks:read',
    answers: ok(activity, 'By the hour, and the last error.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.webhooks.deliveries.activity(actor.account_id, params.endpoint),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/desactiver`,
    name: 'disableEndpoint',
    summary: 'Disable a receiver',
    description: 'Its deliveries wait, at most 30 days.',
    permission: 'webhooks:write',
    answers: ok(endpoint, 'It is disabled.'),
    failures: ['not_found'],
    write: ({ writes, actor, params }) => writes.endpoints.disable(actor, params.endpoint),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/renouveler-secret`,
    name: 'rotateSecret',
    summary: 'Give a receiver a new secret',
    permission: 'webhooks:write',
    body: rotateSecretInput,
    bodyIsOptional: true,
    example: { chevauchement_secondes: 86_400 },
    secret: true,
    answers: ok(newSecret, 'The new secret; this is the only time that it is shown.'),
    failures: ['not_found'],
    write: ({ writes, actor, params, body }) => writes.endpoints.rotateSecret(actor, params.endpoint, body),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/tester`,
    name: 'testEndpoint',
    summary: 'Send a `webhook.test` to a receiver',
    description: 'Or an example of another kind: an event of which nothing happened, with the data of this contract.',
    permission: 'webhooks:write',
    body: testInput,
    bodyIsOptional: true,
    example: { event: 'sav.closed' },
    answers: accepted(test, 'It is on its way.', ({ delivery_id }) => `${all}/livraisons/${delivery_id}`),
    failures: ['not_found', 'conflict'],
    write({ writes, actor, params, body }) {
      const { event } = parse(testInput, body)
      return writes.endpoints.test(actor, params.endpoint, event && exampleEvent(event))
    },
  }),
]
