import {
  calendarDate,
  lazily,
  line,
  named,
  type Shape,
  shortText,
  toInstant,
  instant as told,
  typesProbleme,
  writtenInstant,
} from '@sav/core/feature'
import * as z from 'zod'
import type { Inputs } from '../input-types.gen.js'
import { issue } from '../refusals.js'

export const jours = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'] as const
export type Jour = (typeof jours)[number]

const plage = lazily(() => z.object({ debut: z.string(), fin: z.string() }))
const toldPlages = lazily(() => z.array(plage()).optional())
/** When a working day begins if no hours are recorded. */
export const usualBeginning = '08:00'
const usualDay = [
  { debut: usualBeginning, fin: '12:00' },
  { debut: '13:00', fin: '17:00' },
]

export const horairesShape = named(
  'Horaires',
  () =>
    z.object({
      periodes: z.array(
        z.object({
          du: z.iso.date().nullable(),
          au: z.iso.date().nullable(),
          semaine: z.object({
            lundi: toldPlages(),
            mardi: toldPlages(),
            mercredi: toldPlages(),
            jeudi: toldPlages(),
            vendredi: toldPlages(),
            samedi: toldPlages(),
            dimanche: toldPlages(),
          }),
        }),
      ),
      exceptions: z.array(z.object({ date: z.iso.date(), plages: z.array(plage()) })),
    }),
  { periodes: [{ du: null, au: null, semaine: { lundi: usualDay } }], exceptions: [] },
)
/**
 * A poseur's hours in local time. `du` and `au` are local dates, both inclusive; null: unbounded. If two periods apply
 * to a day, the later one in the list counts. An exception replaces the hours of a single day, even on a public
 * holiday.
 */
export type Horaires = Shape<typeof horairesShape>
/** The hours of each weekday; an absent day is free. */
type Semaine = Horaires['periodes'][number]['semaine']
/** From `debut` until `fin`, `HH:MM` in local time; `fin` may be `24:00`. */
export type Plage = Shape<typeof plage>

export const absenceShape = lazily(() => z.object({ debut: told(), fin: told(), motif: z.string().nullable() }))
/** A poseur's absence, `[debut, fin)`, as instants. */
export type Absence = Shape<typeof absenceShape>

/** The default hours: Monday to Friday, 08–12 and 13–17. */
export const defaultHoraires: Horaires = {
  periodes: [{ du: null, au: null, semaine: usualWeek() }],
  exceptions: [],
}

function usualWeek(): Semaine {
  return Object.fromEntries(jours.slice(0, 5).map((jour) => [jour, usualDay]))
}

/** `08:00` as minutes after midnight, 0 to 1440. */
export function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
}

const wallTime = lazily(() =>
  shortText(5).regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, {
    error: issue('not_a_time_of_day'),
    abort: true,
  }),
)

/** The hours of a day, in any order. The check sorts them, since none may begin before the previous one ends. */
const plages = lazily(() =>
  z
    .array(
      z.strictObject({
        debut: wallTime().describe('Beginning, by the wall clock: `08:00`.'),
        fin: wallTime().describe('End, by the wall clock: `12:30`, at most `24:00`.'),
      }),
    )
    .max(12)
    .check(({ value, issues }) => {
      const sorted = value.map((plage, index) => ({ ...plage, index })).sort((a, b) => (a.debut < b.debut ? -1 : 1))
      for (const [at, { debut, fin, index }] of sorted.entries()) {
        const before = sorted[at - 1]
        if (debut >= fin) issues.push(problem(value, [index, 'fin'], issue('span_not_after_start', { debut, fin })))
        else if (before !== undefined && before.fin > debut)
          issues.push(
            problem(value, [index, 'debut'], issue('spans_overlap', { debut: before.debut, fin: before.fin })),
          )
      }
    })
    .transform((value) => value.toSorted((a, b) => (a.debut < b.debut ? -1 : 1))),
)

const problem = (input: unknown, path: PropertyKey[], message: string) =>
  ({ code: 'custom', input, path, message }) as const

const semaine = lazily(() =>
  z.strictObject({
    lundi: plages().optional(),
    mardi: plages().optional(),
    mercredi: plages().optional(),
    jeudi: plages().optional(),
    vendredi: plages().optional(),
    samedi: plages().optional(),
    dimanche: plages().optional(),
  } satisfies Record<Jour, unknown>),
)

const bound = lazily(() => calendarDate().nullable().default(null))

/** All of a poseur's hours: previous ones are deleted. */
export const horairesInput = lazily(() =>
  z.strictObject({
    periodes: z
      .array(
        z
          .strictObject({ du: bound(), au: bound(), semaine: semaine() })
          .refine(({ du, au }) => du === null || au === null || du <= au, {
            path: ['au'],
            message: issue('period_before_start'),
          }),
      )
      .max(100)
      .default([]),
    exceptions: z
      .array(z.strictObject({ date: calendarDate(), plages: plages() }))
      .max(1000)
      .default([])
      .check(({ value, issues }) => {
        const seen = new Set<string>()
        for (const [index, { date }] of value.entries()) {
          if (seen.has(date)) issues.push(problem(value, [index, 'date'], issue('date_named_twice', { date })))
          seen.add(date)
        }
      }),
  }),
)
/** What `planning.putHoraires` takes: at most 100 periods, 1000 exceptions, and 12 spans a day. */
export type HorairesInput = Inputs['horaires']

/** An ISO 8601 instant with `Z` or an offset, within the years that are written with four digits; stored in UTC. */
const instant = lazily(() =>
  writtenInstant()
    .refine((value) => /^\d{4}-/.test(toInstant(Date.parse(value))), {
      message: issue('instant_out_of_range'),
      abort: true,
    })
    .transform((value) => toInstant(Date.parse(value))),
)

const absence = lazily(() =>
  z
    .strictObject({ debut: instant(), fin: instant(), motif: line({ min: 1, max: 200 }).nullable().default(null) })
    .refine(({ debut, fin }) => debut < fin, { path: ['fin'], message: issue('end_not_after_start') }),
)

/** All of a poseur's absences: `{ absences: […] }`, or the list itself. They may overlap. */
export const absencesBodyInput = lazily(() => z.strictObject({ absences: z.array(absence()).max(500) }))
/** `absencesBodyInput`, or its list alone. Parses to the list, by `debut`. */
export const absencesInput = lazily(() =>
  listInput(absencesBodyInput()).transform(({ absences }) => absences.toSorted((a, b) => (a.debut < b.debut ? -1 : 1))),
)
/** What `planning.putAbsences` takes, alone or as `{ absences: […] }`: at most 500, each `debut` before its `fin`. */
export type AbsencesInput = Readonly<Inputs['absencesBody']['absences']>

/** A poseur's skills: `{ competences: […] }`, or the list itself. Empty: all. */
export const competencesBodyInput = lazily(() =>
  z.strictObject({ competences: z.array(z.enum(typesProbleme)).max(100) }),
)
/** `competencesBodyInput`, or its list alone. Parses to a list without repetitions, in the order of `typesProbleme`. */
export const competencesInput = lazily(() =>
  listInput(competencesBodyInput()).transform(({ competences }) =>
    typesProbleme.filter((type) => competences.includes(type)),
  ),
)
/** What `planning.putCompetences` takes, alone or as `{ competences: […] }`; empty: all. */
export type CompetencesInput = readonly (typeof typesProbleme)[number][]

/** Accepts a bare list instead of an object with one field. Problems of both name the same fields. */
function listInput<S extends z.ZodObject>(schema: S) {
  const [name = ''] = Object.keys(schema.shape)
  return z.preprocess((input: z.input<S>) => (Array.isArray(input) ? { [name]: input } : input), schema)
}
