import {
  calendarDate,
  cursor,
  customer,
  followsOrder,
  id,
  idOf,
  lazily,
  lieuInput,
  lieuShape,
  listOrder,
  named,
  type Output,
  pageFields,
  person,
  pieceUsed,
  rdvResultats,
  rdvStatuts,
  rdvTypes,
  reference,
  type Shape,
  shortText,
  text,
  textInPlace,
  toInstant,
  instant as told,
  piece as toldPiece,
  typeProbleme,
  version,
  writtenInstant,
} from '@sav/core/feature'
import * as z from 'zod'
import type { Inputs } from '../input-types.gen.js'
import { issue } from '../refusals.js'
import { noteShape } from '../travel/note-shape.js'
import { absenceShape } from '../working-time/hours.js'
import { maxRdvMinutes } from './days.js'

const earliest = Date.UTC(2000, 0, 1)
const latest = Date.UTC(3000, 0, 1)

/** An instant with `Z` or an offset, in the years 2000 to 2999; stored in UTC with milliseconds. */
export const instant = lazily(() =>
  writtenInstant().transform((value, context) => {
    const ms = Date.parse(value)
    if (ms >= earliest && ms < latest) return toInstant(ms)
    context.addIssue({ code: 'custom', message: issue('year_out_of_range') })
    return z.NEVER
  }),
)

const duree_minutes = lazily(() => z.int().min(1).max(maxRdvMinutes).describe('Whole minutes from `debut` to `fin`.'))

const fenetre = lazily(() =>
  z
    .strictObject({ debut: instant(), fin: instant() })
    .refine(({ debut, fin }) => debut < fin, { path: ['fin'], message: issue('end_not_after_start') }),
)

const notes = lazily(() => text({ max: 5000 }))
const equipiers = lazily(() =>
  z
    .array(idOf('the installer'))
    .max(10)
    .refine((ids) => new Set(ids).size === ids.length, { message: issue('person_named_twice') }),
)

/**
 * False: customers get no letter about this change. The value is not stored, so a later change may send a letter about
 * the resulting state.
 */
export const prevenir = lazily(() => z.boolean().default(true))

const oneEnd = {
  check: ({ fin, duree_minutes: duree }: { fin?: unknown; duree_minutes?: unknown }) =>
    fin === undefined || duree === undefined,
  problem: { path: ['duree_minutes'], message: issue('duration_and_end') },
}

/** A booking: of a slot (`jeton`), or of a time and a poseur; for a case or for a client. */
export const bookRdvInput = lazily(() =>
  z
    .strictObject({
      jeton: shortText(1000)
        .optional()
        .describe('The token of a slot from `creneaux`. Replaces `poseur_id`, `debut` and `fin`.'),
      poseur_id: idOf('the installer').optional(),
      debut: instant().optional(),
      fin: instant().optional(),
      duree_minutes: duree_minutes().optional(),
      client_id: idOf('the client').optional(),
      sav_id: idOf('the case').optional(),
      type: z.enum(rdvTypes).optional(),
      equipiers: equipiers().default([]),
      statut: z.enum(['propose', 'planifie', 'confirme']).default('planifie'),
      fenetre_client: fenetre().nullable().default(null),
      lieu: lieuInput().nullable().default(null),
      notes: notes().nullable().default(null),
      prevenir: prevenir(),
    })
    .refine(oneEnd.check, oneEnd.problem)
    .check(({ value, issues }) => {
      const problem = (field: string, message: string) =>
        issues.push({ code: 'custom', path: [field], message, input: value })
      if (value.client_id === undefined && value.sav_id === undefined)
        problem('client_id', issue('client_or_case_required'))
      const named = (['poseur_id', 'debut', 'fin', 'duree_minutes'] as const).filter(
        (name) => value[name] !== undefined,
      )
      if (value.jeton !== undefined) {
        for (const field of named) problem(field, issue('named_by_slot'))
        return
      }
      if (value.poseur_id === undefined) problem('poseur_id', issue('required'))
      if (value.debut === undefined) problem('debut', issue('required'))
      if (value.fin === undefined && value.duree_minutes === undefined)
        problem('duree_minutes', issue('duration_or_end_required'))
    }),
)
/** What `planning.book` takes: 1 to 720 minutes for one poseur and at most 10 `equipiers`. */
export type BookRdvInput = Inputs['bookRdv']
export type RdvBooking = Output<typeof bookRdvInput>

/** The fields that belong to one status. */
const ofStatut = {
  motif_annulation: 'annule',
  resultat: 'realise',
  compte_rendu: 'realise',
  pieces: 'realise',
} as const

/**
 * At least one field, and not both `fin` and `duree_minutes`. Only `annule` has `motif_annulation`, and requires it;
 * only `realise` has `resultat`, `compte_rendu` and `pieces` (at most 50). `retard_minutes` is at most 480.
 */
export const changeRdvInput = lazily(() =>
  z
    .strictObject({
      debut: instant().optional(),
      fin: instant().optional(),
      duree_minutes: duree_minutes().optional(),
      poseur_id: idOf('the installer').optional(),
      equipiers: equipiers().optional(),
      type: z.enum(rdvTypes).optional(),
      statut: z.enum(rdvStatuts).optional(),
      fenetre_client: fenetre().nullable().optional(),
      lieu: lieuInput().nullable().optional(),
      notes: notes().nullable().optional(),
      motif_annulation: text({ min: 1, max: 500 }).optional(),
      resultat: z.enum(rdvResultats).optional(),
      compte_rendu: text({ min: 1, max: 5000 }).optional(),
      pieces: z.array(pieceUsed()).max(50).optional(),
      retard_minutes: z
        .int()
        .min(0)
        .max(480)
        .nullable()
        .optional()
        .describe('The delay in minutes that the installer reports.'),
      prevenir: prevenir(),
    })
    .refine(oneEnd.check, oneEnd.problem)
    .check(({ value, issues }) => {
      const problem = (path: string[], message: string) => issues.push({ code: 'custom', path, message, input: value })
      const { prevenir: _, ...fields } = value
      if (Object.values(fields).every((field) => field === undefined)) problem([], issue('no_field'))
      if (value.statut === 'annule' && value.motif_annulation === undefined)
        problem(['motif_annulation'], issue('required'))
      for (const [field, statut] of Object.entries(ofStatut))
        if (Object.hasOwn(value, field) && value.statut !== statut)
          problem([field], issue('only_with_statut', { statut }))
    })
    .meta({ minProperties: 1 }),
)
/** What `planning.change` takes. */
export type ChangeRdvInput = Inputs['changeRdv']
/** A checked change of an appointment. */
export type RdvChange = Omit<Output<typeof changeRdvInput>, 'prevenir'>

/** The order of a list of appointments: by `debut`. */
export const rdvOrder = listOrder('rdv', textInPlace, id)

/** Filters, all of which must match. At most 92 local days, and 200 appointments a page, 50 by default. */
export const listRdvInput = lazily(() =>
  z
    .strictObject({
      du: calendarDate()
        .optional()
        .describe('The first local day. Default without `au`: the current week, Monday to Sunday.'),
      au: calendarDate().optional().describe('The last local day.'),
      poseur_id: idOf('the installer').optional(),
      client_id: idOf('the client').optional(),
      sav_id: idOf('the case').optional(),
      statut: z.enum(rdvStatuts).optional(),
      type: z.enum(rdvTypes).optional(),
      ...pageFields(),
    })
    .check(followsOrder(() => rdvOrder)),
)
/** What `planning.list` takes. */
export type ListRdvInput = Inputs['listRdv']

export const caseRdvOrder = listOrder('rdv of a case', textInPlace, id)

/** At most 200 appointments a page, which is also the default. */
export const listCaseRdvInput = lazily(() =>
  z
    .strictObject({
      limite: z.int().min(1).max(200).default(200).describe('The maximum number of appointments on a page.'),
      curseur: cursor(),
    })
    .check(followsOrder(() => caseRdvOrder)),
)
/** What `planning.ofCase` takes. */
export type ListCaseRdvInput = Inputs['listCaseRdv']

const interval = lazily(() => z.object({ debut: told(), fin: told() }))

const rdv = lazily(() => ({
  id: idOf('the appointment'),
  type: z.enum(rdvTypes),
  statut: z.enum(rdvStatuts),
  sav: z.object({ id: idOf('the case'), reference: reference() }).nullable(),
  client: customer(),
  poseur: person(),
  equipiers: z.array(person()).describe('The teammates.'),
  debut: told(),
  fin: told(),
  fuseau: z.string().describe('IANA name of the time zone in which the appointment was made.'),
  duree_minutes: z.int().positive().describe('Minutes from `debut` to `fin`, rounded up.'),
  fenetre_client: interval().nullable().describe('The window that was announced to the customer.'),
  lieu: lieuShape().nullable(),
  trajet_avant_minutes: z
    .int()
    .nonnegative()
    .nullable()
    .describe('Minutes of travel from the previous visit, if a round has computed them.'),
  tournee: z
    .object({ date: z.iso.date(), ordre: z.int().positive().describe('Position in the round, from 1.') })
    .nullable(),
  expire_a: told().nullable().describe('When a proposal expires. Its time is then free again.'),
  motif_annulation: z.string().nullable(),
  intervention_id: idOf('the intervention that this appointment added to its case').nullable(),
  resultat: z.enum(rdvResultats).nullable(),
  compte_rendu: z.string().nullable(),
  pieces: z.array(toldPiece()),
  retard_minutes: z.int().nonnegative().nullable().describe('The delay in minutes that the installer reported.'),
  notes: z.string().nullable(),
  version: version(),
}))

/** An appointment, for examples. */
export const rdvExample = {
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

/** An appointment. */
export const rdvShape = named('Rdv', () => z.object(rdv()), rdvExample)
/** An appointment as callers see it: `lieu` is its own, or else the client's. */
export type RdvView = Shape<typeof rdvShape>

/** An appointment, with the warnings about it. */
export const advisedRdvShape = named(
  'AdvisedRdv',
  () =>
    z.object({
      ...rdv(),
      avertissements: z.array(noteShape()).describe('Warnings. The change was made nevertheless.'),
    }),
  { ...rdvExample, avertissements: [] },
)
/** The appointment after a write, with warnings about it. */
export type AdvisedRdvView = Shape<typeof advisedRdvShape>

export const absencesShape = named(
  'Absences',
  () =>
    z.object({
      absences: z.array(absenceShape()),
      rdv: z.array(rdvShape()).describe('Appointments during these absences. They are not moved automatically.'),
    }),
  {
    absences: [{ debut: '2026-08-03T06:00:00.000Z', fin: '2026-08-24T06:00:00.000Z', motif: 'Congés d’été' }],
    rdv: [],
  },
)
/** Absences, and the appointments within them, by `debut`. These appointments do not move automatically. */
export type AbsencesView = Shape<typeof absencesShape>

export const competencesShape = named(
  'Competences',
  () => z.object({ competences: z.array(typeProbleme()).describe('Empty if the installer has all skills.') }),
  { competences: ['reglage'] },
)
