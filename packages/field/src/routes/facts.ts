import type { ApiRequest } from '@sav/http-node'
import { type Caller, ok, routesOf } from '@sav/http-node/feature'
import { answeredRdvShape } from '../fact.js'
import type { FieldFeature } from '../field.js'
import { beganInput, interventionInput, lateInput, missedInput } from '../inputs.js'
import { cleOf, reached } from './reached.js'

const { writeRoute } = routesOf<FieldFeature>()

const all = '/v1/planning/{id}'

const survenu = { survenu_a: '2026-03-16T08:05:00.000Z', decalage_ms: 0 }
const answers = ok(answeredRdvShape, 'The appointment as it is now, and what the office did meanwhile.')
const failures = ['not_found', 'conflict'] as const
const once = 'Stored once for each `Idempotency-Key`, for 30 days. Accepted despite changes by the office meanwhile: '

const whereOf = ({ params, request, ...caller }: Caller & { params: { id: number }; request: ApiRequest }) => ({
  rdv_id: params.id,
  reach: reached(caller),
  cle: cleOf(request),
})

/** Installers' reports on their own visits, also late ones. */
export const fieldFactRoutes = [
  writeRoute({
    method: 'POST',
    path: `${all}/debut`,
    name: 'beginRdv',
    summary: 'Report that work has begun at one’s own visit',
    description: `${once}\`constat\` names them.`,
    permission: 'terrain',
    body: beganInput,
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
    summary: 'Report that the customer was absent',
    description: `${once}\`constat\` names them.`,
    permission: 'terrain',
    body: missedInput,
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
    summary: 'Report a delay',
    description: `${once}\`constat\` names them.`,
    permission: 'terrain',
    body: lateInput,
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
    summary: 'Report the work at one’s own visit, and optionally close its case',
    description:
      `${once}\`constat\` names them. Send its files first (\`PUT /api/v1/fichiers/{sha256}\`); 409 \`file_missing\` names ` +
      'missing files. The report is stored as a whole or not at all.',
    permission: 'terrain',
    body: interventionInput,
    example: { ...survenu, resultat: 'resolu', compte_rendu: 'Charnière remplacée.', photos: [] },
    answers,
    failures,
    about: ({ client }) => ({ client_id: client.id }),
    write: ({ writes, body, ...call }) => writes.field.done(call.actor, whereOf(call), body),
  }),
]
