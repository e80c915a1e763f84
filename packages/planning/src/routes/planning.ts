import { slot } from '@sav/core/feature'
import { created, ok, page, routesOf, stretch, versionsAccepted, withResult } from '@sav/http-node/feature'
import * as z from 'zod'
import {
  absencesShape,
  advisedRdvShape,
  bookRdvInput,
  changeRdvInput,
  competencesShape,
  listCaseRdvInput,
  listRdvInput,
  rdvShape,
} from '../appointments/inputs.js'
import type { PlanningFeature } from '../planning.js'
import { slotsInput } from '../slots/slot-input.js'
import { absencesBodyInput, competencesBodyInput, horairesInput, horairesShape } from '../working-time/hours.js'

const { readRoute, writeRoute } = routesOf<PlanningFeature>()

/** The announced path. It is also served under `/api`: see `alsoUnder`. */
const all = '/v1/planning'
const one = `${all}/{id}`
const poseur = `${all}/poseurs/{id}`

const versionOf = ({ id, version }: { readonly id: number; readonly version: number }) => `"${id}-${version}"`

export const planningRoutes = [
  readRoute({
    path: all,
    name: 'listRdv',
    summary: 'List appointments of local days, by default of the current week',
    permission: 'planning:read',
    query: listRdvInput,
    answers: page(rdvShape, 'One page of appointments, by `debut`, with the total.'),
    handle: ({ sav, actor, query }) => sav.planning.list(actor.account_id, query),
  }),
  writeRoute({
    method: 'POST',
    path: `${all}/rdv`,
    name: 'bookRdv',
    summary: 'Book an appointment',
    description:
      'For a case or a client. Hours, absences and skills only give warnings (`avertissements`). Installers can book their ' +
      'own slots (`jeton`) for the case (`sav_id`) of one of their visits.',
    permission: 'planning:write',
    body: bookRdvInput,
    example: { client_id: 7, poseur_id: 3, debut: '2026-01-16T08:00:00.000Z', duree_minutes: 120 },
    answers: created(advisedRdvShape, 'The appointment.', all),
    failures: ['case_not_found', 'conflict', 'slot_taken'],
    about: ({ client }) => ({ client_id: client.id }),
    write: ({ writes, actor, body }) => writes.planning.book(actor, body),
  }),
  readRoute({
    path: `${all}/creneaux`,
    name: 'listSlots',
    summary: 'Find free times for a visit',
    description:
      'Slots of active, skilled installers, the least added travel first. The place is that of `sav_id`, `code_postal`, or `lat` and `lon`; without one, travel does not count.',
    permission: 'planning:read',
    query: slotsInput,
    answers: ok(() => z.array(slot()), 'The slots, the best first.'),
    handle: ({ sav, actor, query }) => sav.planning.slots(actor.account_id, query),
  }),
  readRoute({
    path: one,
    name: 'getRdv',
    summary: 'Read an appointment',
    permission: 'planning:read',
    answers: ok(rdvShape, 'The appointment.', versionOf),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.planning.get(actor.account_id, params.id),
  }),
  writeRoute({
    method: 'PATCH',
    path: one,
    name: 'changeRdv',
    summary: 'Move, confirm, cancel or complete an appointment',
    description: 'Installers may take back, within ten minutes, the customer’s absence at their own visit (`statut`).',
    permission: 'planning:write',
    body: changeRdvInput,
    example: { statut: 'annule', motif_annulation: 'La cliente est en voyage.' },
    conditional: true,
    answers: ok(advisedRdvShape, 'The appointment as it is now.', versionOf),
    failures: ['not_found', 'conflict', 'slot_taken', 'version_mismatch'],
    write: ({ writes, actor, params, body, request }) =>
      writes.planning.change(actor, params.id, body, versionsAccepted(request.header('if-match'), params.id)),
  }),
  readRoute({
    path: `${poseur}/horaires`,
    name: 'getHoraires',
    summary: 'Read an installer’s hours',
    permission: 'planning:read',
    answers: ok(horairesShape, 'The hours, in local time.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.planning.horaires(actor.account_id, params.id),
  }),
  writeRoute({
    method: 'PUT',
    path: `${poseur}/horaires`,
    name: 'putHoraires',
    summary: 'Replace an installer’s hours',
    permission: 'planning:write',
    body: horairesInput,
    example: {
      periodes: [
        {
          du: null,
          au: null,
          semaine: {
            lundi: [
              { debut: '08:00', fin: '12:00' },
              { debut: '13:00', fin: '17:00' },
            ],
          },
        },
      ],
      exceptions: [],
    },
    answers: ok(horairesShape, 'The hours as they are now.'),
    failures: ['not_found'],
    write: ({ writes, actor, params, body }) => writes.planning.putHoraires(actor, params.id, body),
  }),
  readRoute({
    path: `${poseur}/absences`,
    name: 'getAbsences',
    summary: 'Read an installer’s absences',
    permission: 'planning:read',
    answers: ok(absencesShape, 'The absences, and the appointments during them.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.planning.absences(actor.account_id, params.id),
  }),
  writeRoute({
    method: 'PUT',
    path: `${poseur}/absences`,
    name: 'putAbsences',
    summary: 'Replace an installer’s absences',
    permission: 'planning:write',
    body: absencesBodyInput,
    example: {
      absences: [{ debut: '2026-08-03T06:00:00.000Z', fin: '2026-08-24T06:00:00.000Z', motif: 'Congés d’été' }],
    },
    answers: ok(absencesShape, 'The absences as they are now, and the appointments during them.'),
    failures: ['not_found'],
    write: ({ writes, actor, params, body }) => writes.planning.putAbsences(actor, params.id, body),
  }),
  readRoute({
    path: `${poseur}/competences`,
    name: 'getCompetences',
    summary: 'Read an installer’s skills',
    permission: 'planning:read',
    answers: ok(competencesShape, 'What the installer can do.'),
    failures: ['not_found'],
    handle: async ({ sav, actor, params }) => ({
      competences: await sav.planning.competences(actor.account_id, params.id),
    }),
  }),
  writeRoute({
    method: 'PUT',
    path: `${poseur}/competences`,
    name: 'putCompetences',
    summary: 'Replace an installer’s skills',
    permission: 'planning:write',
    body: competencesBodyInput,
    example: { competences: ['reglage'] },
    answers: ok(competencesShape, 'What the installer can do now.'),
    failures: ['not_found'],
    write: ({ writes, actor, params, body }) =>
      withResult(writes.planning.putCompetences(actor, params.id, body), (known) => ({ competences: known })),
  }),
  readRoute({
    path: '/api/v1/sav/{id}/rdv',
    name: 'listCaseRdv',
    summary: 'List the appointments of a case, past and future',
    permission: 'planning:read',
    query: listCaseRdvInput,
    answers: stretch(rdvShape, 'Its appointments, by `debut`, with the cursor of the next page.'),
    failures: ['case_not_found'],
    handle: ({ sav, actor, params, query }) => sav.planning.ofCase(actor.account_id, params.id, query),
  }),
]
