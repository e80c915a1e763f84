import { eventKind, inputs, parse, shapes } from '@sav/core/adapter'
import { coreEventKinds } from '@sav/core/names'
import * as z from 'zod'
import { exampleEvent } from '../../contract/webhook-events.js'
import { accepted, created, ok } from '../declaration/answers.js'
import { readRoute, withResult, writeRoute } from '../declaration/declare.js'
import type { RouteSav } from '../declaration/route.js'

const all = '/api/v1/webhooks'
const one = `${all}/{endpoint}`

const testInput = shapes.lazily(() => z.strictObject({ event: eventKind().optional() }))
const kindIn = (events: RouteSav['events']) =>
  shapes.lazily(() => testInput().extend({ event: z.enum([...coreEventKinds, ...Object.keys(events)]).optional() }))

/** The account's receivers. Only the answer to its creation contains a secret. */
export const webhookRoutes = [
  readRoute({
    path: all,
    name: 'listEndpoints',
    summary: 'List receivers, oldest first',
    permission: 'webhooks:read',
    answers: ok(() => z.array(shapes.endpointWithHealth()), 'The receivers, and their health.'),
    handle: ({ sav, actor }) => sav.webhooks.endpoints.list(actor.account_id),
  }),
  writeRoute({
    method: 'POST',
    path: all,
    name: 'addEndpoint',
    summary: 'Add a receiver',
    permission: 'webhooks:write',
    body: inputs.addEndpoint,
    example: {
      url: 'https://receiver.example/hook',
      events: ['sav.created', 'sav.closed'],
      headers: { 'X-Token': 'a value that the receiver expects' },
    },
    secret: true,
    answers: created(shapes.newEndpoint, 'The new receiver. Its secret is shown only this once.', all),
    failures: ['conflict'],
    write: ({ writes, actor, body }) => writes.endpoints.add(actor, body),
  }),
  readRoute({
    path: one,
    name: 'getEndpoint',
    summary: 'Read a receiver',
    permission: 'webhooks:read',
    answers: ok(shapes.endpoint, 'The receiver.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.webhooks.endpoints.get(actor.account_id, params.endpoint),
  }),
  writeRoute({
    method: 'PUT',
    path: one,
    name: 'updateEndpoint',
    summary: 'Change a receiver',
    description: 'A new URL applies to waiting deliveries too.',
    permission: 'webhooks:write',
    body: inputs.updateEndpoint,
    example: { events: ['sav.created', 'sav.closed'] },
    answers: ok(shapes.endpoint, 'The receiver as it is now.'),
    failures: ['not_found'],
    write: ({ writes, actor, params, body }) => writes.endpoints.update(actor, params.endpoint, body),
  }),
  writeRoute({
    method: 'DELETE',
    path: one,
    name: 'removeEndpoint',
    summary: 'Remove a receiver',
    description: 'Its waiting deliveries fail; its history stays.',
    permission: 'webhooks:write',
    answers: ok(shapes.removed, 'It is removed.'),
    failures: ['not_found'],
    write: ({ writes, actor, params: { endpoint } }) =>
      withResult(writes.endpoints.remove(actor, endpoint), () => ({ id: endpoint })),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/activer`,
    name: 'enableEndpoint',
    summary: 'Enable a receiver again',
    description: 'Waiting deliveries are sent at once.',
    permission: 'webhooks:write',
    answers: ok(shapes.endpoint, 'It is enabled.'),
    failures: ['not_found'],
    write: ({ writes, actor, params }) => writes.endpoints.enable(actor, params.endpoint),
  }),
  readRoute({
    path: `${one}/activite`,
    name: 'getActivity',
    summary: 'Read the outcomes of a receiver’s deliveries in the last 24 hours',
    permission: 'webhooks:read',
    answers: ok(shapes.activity, 'The outcomes by hour, the last error, and the health of the receiver.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.webhooks.deliveries.activity(actor.account_id, params.endpoint),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/desactiver`,
    name: 'disableEndpoint',
    summary: 'Disable a receiver',
    description: 'Its deliveries wait for at most 30 days.',
    permission: 'webhooks:write',
    answers: ok(shapes.endpoint, 'It is disabled.'),
    failures: ['not_found'],
    write: ({ writes, actor, params }) => writes.endpoints.disable(actor, params.endpoint),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/renouveler-secret`,
    name: 'rotateSecret',
    summary: 'Give a receiver a new secret',
    permission: 'webhooks:write',
    body: inputs.rotateSecret,
    bodyIsOptional: true,
    example: { chevauchement_secondes: 86_400 },
    secret: true,
    answers: ok(shapes.newSecret, 'The new secret, which is shown only this once.'),
    failures: ['not_found'],
    write: ({ writes, actor, params, body }) => writes.endpoints.rotateSecret(actor, params.endpoint, body),
  }),
  writeRoute({
    method: 'POST',
    path: `${one}/tester`,
    name: 'testEndpoint',
    summary: 'Send a `webhook.test` to a receiver',
    description: 'With `event`, an example of that kind of event is sent instead, with invented data.',
    permission: 'webhooks:write',
    body: testInput,
    bodyIsOptional: true,
    example: { event: 'sav.closed' },
    answers: accepted(
      shapes.testDelivery,
      'The test is being sent.',
      ({ delivery_id }) => `${all}/livraisons/${delivery_id}`,
    ),
    failures: ['not_found', 'conflict'],
    write({ sav: { events }, writes, actor, params, body }) {
      const { event } = parse(kindIn(events), body)
      return writes.endpoints.test(actor, params.endpoint, event === undefined ? event : exampleEvent(event, events))
    },
  }),
]
