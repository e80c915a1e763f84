import * as z from 'zod'
import { lieuInput } from '../directory/lieu.js'
import { issue } from '../refusals/reason.js'
import { toInstant } from '../time.js'
import { calendarDate, id, line, shortText, text } from '../validation.js'
import { maxRdvMinutes, rdvResultats, rdvStatuts, rdvTypes } from './rdv.js'

const earliest = Date.UTC(2000, 0, 1)
const latest = Date.UTC(3000, 0, 1)

/** An instant with `Z` or an offset, of the years 2000 to 2999; kept in UTC with milliseconds. */
export const instant = shortText(40)
  .check(z.iso.datetime({ offset: true, error: issue('not_an_instant') }))
  .transform((value, context) => {
    const ms = Date.parse(value)
    if (ms >= earliest && ms < latest) return toInstant(ms)
    context.addIssue({ code: 'custom', message: issue('year_out_of_range') })
    return z.NEVER
  })

const duree_minutes = z.int().min(1).max(maxRdvMinutes)

const fenetre = z
  .strictObject({ debut: instant, fin: instant })
  .refine(({ debut, fin }) => debut < fin, { path: ['fin'], message: issue('end_not_after_start') })

const notes = text({ max: 5000 })
const equipiers = z
  .array(id)
  .max(10)
  .refine((ids) => new Set(ids).size === ids.length, { message: issue('person_named_twice') })

/** False: customers are not told of this change. It is not kept: a later change tells them how things are then. */
export const prevenir = z.boolean().default(true)

const oneEnd = {
  check: ({ fin, duree_minutes: duree }: { fin?: unknown; duree_minutes?: unknown }) =>
    fin === undefined || duree === undefined,
  problem: { path: ['duree_minutes'], message: issue('duration_and_end') },
}

/** Of a slot (`jeton`), or with a time and somebody to go; of a case or of a client. */
export const bookRdvInput = z
  .strictObject({
    /** What `creneaux` gave with a slot: it stands for poseur_id, debut and fin. */
    jeton: shortText(1000).optional(),
    poseur_id: id.optional(),
    debut: instant.optional(),
    fin: instant.optional(),
    duree_minutes: duree_minutes.optional(),
    client_id: id.optional(),
    sav_id: id.optional(),
    type: z.enum(rdvTypes).optional(),
    equipiers: equipiers.default([]),
    statut: z.enum(['propose', 'planifie', 'confirme']).default('planifie'),
    fenetre_client: fenetre.nullable().default(null),
    lieu: lieuInput.nullable().default(null),
    notes: notes.nullable().default(null),
    prevenir,
  })
  .refine(oneEnd.check, oneEnd.problem)
  .check(({ value, issues }) => {
    const problem = (field: string, message: string) =>
      issues.push({ code: 'custom', path: [field], message, input: value })
    if (value.client_id === undefined && value.sav_id === undefined)
      problem('client_id', issue('client_or_case_required'))
    const named = (['poseur_id', 'debut', 'fin', 'duree_minutes'] as const).filter((name) => value[name] !== undefined)
    if (value.jeton !== undefined) {
      for (const field of named) problem(field, issue('named_by_slot'))
      return
    }
    if (value.poseur_id === undefined) problem('poseur_id', issue('required'))
    if (value.debut === undefined) problem('debut', issue('required'))
    if (value.fin === undefined && value.duree_minutes === undefined)
      problem('duree_minutes', issue('duration_or_end_required'))
  })
/** What `planning.book` takes: 1 to 720 minutes for one poseur and at most 10 `equipiers`. */
export type BookRdvInput = z.input<typeof bookRdvInput>
export type RdvBooking = z.output<typeof bookRdvInput>

const piece = z.strictObject({
  designation: line({ min: 1, max: 200 }),
  quantite: z.int().min(1).max(10_000),
  reference: line({ min: 1, max: 100 }).nullable().default(null),
})

/** Fields that only one status has. */
const ofStatut = {
  motif_annulation: 'annule',
  resultat: 'realise',
  compte_rendu: 'realise',
  pieces: 'realise',
} as const

/**
 * At least one field, and not both `fin` and `duree_minutes`. `annule` requires `motif_annulation`, and nothing else takes
 * it; only `realise` takes `resultat`, `compte_rendu` and `pieces` (at most 50). `retard_minutes` is at most 480.
 */
export const changeRdvInput = z
  .strictObject({
    debut: instant.optional(),
    fin: instant.optional(),
    duree_minutes: duree_minutes.optional(),
    poseur_id: id.optional(),
    equipiers: equipiers.optional(),
    type: z.enum(rdvTypes).optional(),
    statut: z.enum(rdvStatuts).optional(),
    fenetre_client: fenetre.nullable().optional(),
    lieu: lieuInput.nullable().optional(),
    notes: notes.nullable().optional(),
    motif_annulation: text({ min: 1, max: 500 }).optional(),
    resultat: z.enum(rdvResultats).optional(),
    compte_rendu: text({ min: 1, max: 5000 }).optional(),
    pieces: z.array(piece).max(50).optional(),
    retard_minutes: z.int().min(0).max(480).nullable().optional(),
    prevenir,
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
  .meta({ minProperties: 1 })
/** What `planning.change` takes. */
export type ChangeRdvInput = z.input<typeof changeRdvInput>
export type RdvChange = Omit<z.output<typeof changeRdvInput>, 'prevenir'>

/** Every filter given must hold. At most 92 local days, and 200 appointments a page, 50 by default. */
export const listRdvInput = z.strictObject({
  /** Local dates, both inclusive; without them the present week, Monday to Sunday. */
  du: calendarDate.optional(),
  au: calendarDate.optional(),
  poseur_id: id.optional(),
  client_id: id.optional(),
  sav_id: id.optional(),
  statut: z.enum(rdvStatuts).optional(),
  type: z.enum(rdvTypes).optional(),
  limite: z.int().min(1).max(200).default(50),
  page: z.int().min(1).max(1_000_000_000).default(1),
})
/** What `planning.list` takes. */
export type ListRdvInput = z.input<typeof listRdvInput>
