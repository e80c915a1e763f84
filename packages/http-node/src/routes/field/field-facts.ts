import { inputs, shapes } from '@sav/core/internal'
import type { ApiRequest } from '../../http/exchange.js'
import { ok } from '../declaration/answers.js'
import { writeRoute } from '../declaration/declare.js'
import { type Caller, cleOf, reached } from '../declaration/route.js'

const all = '/v1/planning/{id}'

const survenu = { survenu_a: '2026-03-16T08:05:00.000Z', decalage_ms: 0 }
const answers = ok(shapes.answeredRdv, 'The appointment as it is now, and what the office did meanwhile.')
const failures = ['not_found', 'conflict'] as const
const once = 'Once for each `Idempotency-Key`, for 30 days. Never refused because the office did something meanwhile: '

const whereOf = ({ params, request, ...caller }: Caller & { params: { id: number }; request: ApiRequest }) => ({
  rdv_id: params.id,
  reach: reached(caller),
  cle: cleOf(request),
})

/** What installers tell of their own visits, when there is network again. */
export const fieldFactRoutes = [
  writeRoute({
    method: 'POST',
    path: `${all}/debut`,
    name: 'beginRdv',
    summary: 'Tell that work has begun at one’s own visit',
    description: `${once}that is told as \`constat\`.`,
    permission: 'terrain',
    body: inputs.began,
    example: survenu,
    answers,
    failures,
    about: ({ client }) => ({ client_id: client.id }),
    write: ({ writes, body, ...call }) => writes.field.began(call.actor, whereOf(call), body),
  }),
  writeRoute({
    method: 'POST',
    path: `${all}/absent`,
    name: 'missRdv',
    summary: 'Tell that the customer was absent',
    description: `${once}that is told as \`constat\`.`,
    permission: 'terrain',
    body: inputs.missed,
    example: survenu,
    answers,
    failures,
    about: ({ client }) => ({ client_id: client.id }),
    write: ({ writes, body, ...call }) => writes.field.missed(call.actor, whereOf(call), body),
  }),
  writeRoute({
    method: 'POST',
    path: `${all}/retard`,
    name: 'delayRdv',
    summary: 'Tell that one is late',
    description: `${once}that is told as \`constat\`.`,
    permission: 'terrain',
    body: inputs.late,
    example: { ...survenu, minutes: 30 },
    answers,
    failures,
    about: ({ client }) => ({ client_id: client.id }),
    write: ({ writes, body, ...call }) => writes.field.late(call.actor, whereOf(call), body),
  }),
  writeRoute({
    method: 'POST',
    path: `${all}/intervention`,
    name: 'tellIntervention',
    summary: 'Tell what was done at one’s own visit, with the close where there is one',
    description:
      `${once}that is told as \`constat\`. Its files are sent before (\`PUT /api/v1/fichiers/{sha256}\`); 409 \`file_missing\` names ` +
      'those that are not here. All of it is done, or nothing.',
    permission: 'terrain',
    body: inputs.intervention,
    example: { ...survenu, resultat: 'resolu', compte_rendu: 'Charnière remplacée.', photos: [] },
    answers,
    failures,
    about: ({ client }) => ({ client_id: client.id }),
    write: ({ writes, body, ...call }) => writes.field.done(call.actor, whereOf(call), body),
  }),
]
