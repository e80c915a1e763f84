import { commentInput, commentShape } from '@sav/core/feature'
import { created, eventStream, listening, made, ok, routesOf } from '@sav/http-node/feature'
import { advisedRdvShape } from '@sav/planning/feature'
import type { FieldFeature } from '../field.js'
import { bookNextInput, takeBackInput } from '../inputs.js'
import { cleOf, reached } from './reached.js'

const { readRoute, writeRoute } = routesOf<FieldFeature>()

/** The office's operations that installers may use for their own visits. */
export const onSite = [
  writeRoute({
    method: 'POST',
    path: '/v1/planning/rdv',
    name: 'bookNextRdv',
    summary: 'Book one’s own slot for the case of one’s own visit',
    permission: 'terrain',
    body: bookNextInput,
    example: { sav_id: 42, jeton: 'c1.4bb06f8e4e3a7715.WzMsMTc3MzY0ODAwMF0.kBx3y1t6' },
    answers: created(advisedRdvShape, 'The appointment.', '/v1/planning'),
    failures: ['case_not_found', 'conflict', 'slot_taken'],
    about: ({ client }) => ({ client_id: client.id }),
    write: ({ writes, body, ...caller }) => writes.field.bookNext(caller.actor, reached(caller), body),
  }),
  writeRoute({
    method: 'PATCH',
    path: '/v1/planning/{id}',
    name: 'takeBackRdv',
    summary: 'Take back the customer’s absence at one’s own visit, within ten minutes',
    permission: 'terrain',
    body: takeBackInput,
    example: { statut: 'planifie' },
    conditional: true,
    answers: ok(advisedRdvShape, 'The appointment as it is now.', ({ id, version }) => `"${id}-${version}"`),
    failures: ['not_found', 'conflict'],
    write: ({ writes, params, body, ...caller }) =>
      writes.field.takeBack(caller.actor, { rdv_id: params.id, reach: reached(caller) }, body),
  }),
  writeRoute({
    method: 'POST',
    path: '/api/v1/sav/{id}/commentaires',
    name: 'commentOnSite',
    summary: 'Comment on the case of one’s own visit',
    permission: 'terrain',
    body: commentInput,
    example: { texte: 'La cliente rappelle : la fuite a repris.' },
    answers: made(commentShape, 'The comment.'),
    failures: ['case_not_found', 'conflict'],
    about: (_, { id }) => ({ case_id: id }),
    write: ({ writes, params, body, request, ...caller }) => {
      const adding = { sav_id: params.id, reach: reached(caller), cle: cleOf(request) }
      return writes.field.comment(caller.actor, adding, body)
    },
  }),
  readRoute({
    path: '/api/v1/evenements',
    name: 'listenOnSite',
    summary: 'Listen to events of one’s own visits and their cases',
    permission: 'terrain',
    answers: eventStream('The events, for as long as the connection lasts.'),
    async handle(call) {
      const { account_id, poseur_id = null } = call.actor
      const own = poseur_id === null ? () => [] : await call.sav.field.events(account_id, poseur_id)
      return listening(call, { permission: 'terrain', seenBy: (_, events) => own(events) })
    },
  }),
]
