import {
  absencesBody,
  bookRdvInput,
  changeRdvInput,
  competencesBody,
  horairesInput,
  listRdvInput,
  rdvResultats,
  rdvStatuts,
  rdvTypes,
  slotsInput,
} from '@sav/core'
import * as z from 'zod'
import { versionsAccepted } from '../api/etag.js'
import { instant, lieu, named, number, reference, typeProbleme } from '../contract/shapes.js'
import { created, ok, page } from './answers.js'
import { readRoute, withResult, writeRoute } from './route.js'

/** As announced; each path is there under `/api` as well: see `alsoUnder`. */
const all = '/v1/planning'
const one = `${all}/{id}`
const poseur = `${all}/poseurs/{id}`

const person = z.object({ id: number, nom: z.string() })
const interval = z.object({ debut: instant, fin: instant })
const minutes = z.int().nonnegative().nullable()

const fields = {
  id: number,
  type: z.enum(rdvTypes),
  statut: z.enum(rdvStatuts),
  sav: z.object({ id: number, reference }).nullable(),
  client: person.extend({ prenom: z.string() }),
  poseur: person,
  equipiers: z.array(person).meta({ description: 'Who comes along.' }),
  debut: instant,
  fin: instant,
  fuseau: z.string().meta({ description: 'IANA name of the zone whose wall clock it was agreed by.' }),
  duree_minutes: number,
  fenetre_client: interval.nullable().meta({ description: 'When the customer was told that somebody comes.' }),
  lieu: lieu.nullable(),
  trajet_avant_minutes: minutes,
  tournee: z.object({ date: z.iso.date(), ordre: number }).nullable(),
  expire_a: instant.nullable().meta({ description: 'Until when a proposal keeps its time.' }),
  motif_annulation: z.string().nullable(),
  intervention_id: number.nullable(),
  resultat: z.enum(rdvResultats).nullable(),
  compte_rendu: z.string().nullable(),
  pieces: z.array(z.object({ designation: z.string(), quantite: number, reference: z.string().nullable() })),
  retard_minutes: minutes,
  notes: z.string().nullable(),
  version: number.meta({ description: 'Grows by one with every change.' }),
}

const example = {
  id: 5,
  type: 'sav' as const,
  statut: 'planifie' as const,
  sav: { id: 42, reference: 'SAV-2026-00042' },
  client: { id: 7, nom: 'Durand', prenom: 'Alice' },
  poseur: { id: 3, nom: 'Bruno Petit' },
  equipiers: [],
  debut: '2026-03-16T08:00:00.000Z',
  fin: '2026-03-16T10:00:00.000Z',
  fuseau: 'Europe/Paris',
  duree_minutes: 120,
  fenetre_client: null,
  lieu: { ligne1: '12 quai Tilsitt', code_postal: '69002', ville: 'Lyon', lat: null, lon: null, acces: 'Code 14B' },
  trajet_avant_minutes: null,
  tournee: null,
  expire_a: null,
  motif_annulation: null,
  intervention_id: null,
  resultat: null,
  compte_rendu: null,
  pieces: [],
  retard_minutes: null,
  notes: null,
  version: 1,
}

const rdv = named('Rdv', z.object(fields), example)
const advisedRdv = named(
  'AdvisedRdv',
  z.object({
    ...fields,
    avertissements: z.array(z.string()).meta({ description: 'What to know of it; it was done all the same.' }),
  }),
  { ...example, avertissements: [] },
)

const plage = z.object({ debut: z.string(), fin: z.string() })
const plages = z.array(plage).optional()
const semaine = {
  lundi: plages,
  mardi: plages,
  mercredi: plages,
  jeudi: plages,
  vendredi: plages,
  samedi: plages,
  dimanche: plages,
}
const usualDay = [
  { debut: '08:00', fin: '12:00' },
  { debut: '13:00', fin: '17:00' },
]
const week = { periodes: [{ du: null, au: null, semaine: { lundi: usualDay } }], exceptions: [] }
const horaires = named(
  'Horaires',
  z.object({
    periodes: z.array(
      z.object({ du: z.iso.date().nullable(), au: z.iso.date().nullable(), semaine: z.object(semaine) }),
    ),
    exceptions: z.array(z.object({ date: z.iso.date(), plages: z.array(plage) })),
  }),
  week,
)
const absence = { debut: '2026-08-03T06:00:00.000Z', fin: '2026-08-24T06:00:00.000Z', motif: 'Congés d’été' }
const absences = named(
  'Absences',
  z.object({
    absences: z.array(interval.extend({ motif: z.string().nullable() })),
    rdv: z.array(rdv).meta({ description: 'The appointments that they hit: nothing moves them by itself.' }),
  }),
  { absences: [absence], rdv: [] },
)
const competences = named(
  'Competences',
  z.object({ competences: z.array(typeProbleme).meta({ description: 'None: all.' }) }),
  { competences: ['reglage'] },
)

const slot = named(
  'Slot',
  z.object({
    debut: instant,
    fin: instant,
    poseur: person,
    trajet_avant_minutes: z.int().nonnegative(),
    trajet_ajoute_minutes: z.int().nonnegative(),
    jeton: z.string().meta({ description: 'Books it, for 15 minutes; it reserves nothing.' }),
  }),
  {
    debut: '2026-03-16T08:00:00.000Z',
    fin: '2026-03-16T10:00:00.000Z',
    poseur: { id: 3, nom: 'Bruno Petit' },
    trajet_avant_minutes: 14,
    trajet_ajoute_minutes: 6,
    jeton: 'c1.4bb06f8e4e3a7715.WzMsMTc3MzY0ODAwMF0.kBx3y1t6',
  },
)

const versionOf = ({ id, version }: { readonly id: number; readonly version: number }) => `"${id}-${version}"`

export const planningRoutes = [
  readRoute({
    path: all,
    name: 'listRdv',
    summary: 'List appointments of local days, the present week without them',
    permission: 'planning:read',
    query: listRdvInput,
    answers: page(rdv, 'The appointments of one page, by `debut`, and how many match in all.'),
    handle: ({ sav, actor, query }) => sav.planning.list(actor.account_id, query),
  }),
  writeRoute({
    method: 'POST',
    path: `${all}/rdv`,
    name: 'bookRdv',
    summary: 'Book an appointment',
    description: 'Of a case or of a client. Hours, absences and skills refuse nothing: they come as `avertissements`.',
    permission: 'planning:write',
    body: bookRdvInput,
    example: { client_id: 7, poseur_id: 3, debut: '2026-01-16T08:00:00.000Z', duree_minutes: 120 },
    answers: created(advisedRdv, 'The appointment is there.', all),
    failures: ['conflict', 'slot_taken'],
    about: ({ client }) => ({ client_id: client.id }),
    write: ({ writes, actor, body }) => writes.planning.book(actor, body),
  }),
  readRoute({
    path: `${all}/creneaux`,
    name: 'listSlots',
    summary: 'Find times at which somebody can be sent',
    description:
      'Of active installers who can do it, those with the least added travel first. The place is that of `sav_id`, `code_postal`, or `lat` and `lon`; without one no travel counts.',
    permission: 'planning:read',
    query: slotsInput,
    answers: ok(z.array(slot), 'The slots, the best first.'),
    handle: ({ sav, actor, query }) => sav.planning.slots(actor.account_id, query),
  }),
  readRoute({
    path: one,
    name: 'getRdv',
    summary: 'Read an appointment',
    permission: 'planning:read',
    answers: ok(rdv, 'The appointment.', versionOf),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.planning.get(actor.account_id, params.id),
  }),
  writeRoute({
    method: 'PATCH',
    path: one,
    name: 'changeRdv',
    summary: 'Move, confirm, cancel or complete an appointment',
    permission: 'planning:write',
    body: changeRdvInput,
    example: { statut: 'annule', motif_annulation: 'La cliente est en voyage.' },
    conditional: true,
    answers: ok(advisedRdv, 'The appointment as it is now.', versionOf),
    failures: ['not_found', 'conflict', 'slot_taken', 'version_mismatch'],
    write: ({ writes, actor, params, body, request }) =>
      writes.planning.change(actor, params.id, body, versionsAccepted(request.header('if-match'), params.id)),
  }),
  readRoute({
    path: `${poseur}/horaires`,
    name: 'getHoraires',
    summary: 'Read an installer’s hours',
    permission: 'planning:read',
    answers: ok(horaires, 'The hours, in local time.'),
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
    example: week,
    answers: ok(horaires, 'The hours as they are now.'),
    failures: ['not_found'],
    write: ({ writes, actor, params, body }) => writes.planning.putHoraires(actor, params.id, body),
  }),
  readRoute({
    path: `${poseur}/absences`,
    name: 'getAbsences',
    summary: 'Read an installer’s absences',
    permission: 'planning:read',
    answers: ok(absences, 'The absences, and the appointments that they hit.'),
    failures: ['not_found'],
    handle: ({ sav, actor, params }) => sav.planning.absences(actor.account_id, params.id),
  }),
  writeRoute({
    method: 'PUT',
    path: `${poseur}/absences`,
    name: 'putAbsences',
    summary: 'Replace an installer’s absences',
    permission: 'planning:write',
    body: absencesBody,
    example: { absences: [absence] },
    answers: ok(absences, 'The absences as they are now, and the appointments that they hit.'),
    failures: ['not_found'],
    write: ({ writes, actor, params, body }) => writes.planning.putAbsences(actor, params.id, body),
  }),
  readRoute({
    path: `${poseur}/competences`,
    name: 'getCompetences',
    summary: 'Read what an installer can do',
    permission: 'planning:read',
    answers: ok(competences, 'What the installer can do.'),
    failures: ['not_found'],
    handle: async ({ sav, actor, params }) => ({
      competences: await sav.planning.competences(actor.account_id, params.id),
    }),
  }),
  writeRoute({
    method: 'PUT',
    path: `${poseur}/competences`,
    name: 'putCompetences',
    summary: 'Replace what an installer can do',
    permission: 'planning:write',
    body: competencesBody,
    example: { competences: ['reglage'] },
    answers: ok(competences, 'What the installer can do now.'),
    failures: ['not_found'],
    write: ({ writes, actor, params, body }) =>
      withResult(writes.planning.putCompetences(actor, params.id, body), (known) => ({ competences: known })),
  }),
]
