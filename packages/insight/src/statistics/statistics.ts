import {
  type BusinessCalendar,
  type CalendarOf,
  calendarDate,
  count,
  dayMs,
  found,
  lazily,
  named,
  type Output,
  parse,
  person,
  type Reads,
  type Shape,
  toInstant,
  toMs,
  typeProbleme,
  typesProbleme,
  yieldToEventLoop,
} from '@sav/core/feature'
import { boundedDays } from '@sav/planning/feature'
import * as z from 'zod'
import type { Inputs } from '../input-types.gen.js'
import { type Period, statisticsStore } from './statistics-store.js'

/** Local days, both inclusive, at most five years. Default: the twelve months up to today. */
export const statisticsInput = lazily(() =>
  z.strictObject({ du: calendarDate().optional(), au: calendarDate().optional() }),
)
/** What `statistics` takes. */
export type StatisticsInput = Inputs['statistics']

const days = lazily(() =>
  z
    .object({
      mediane: z.number().nullable().describe('The median in days, to a tenth. Null if nothing was counted.'),
      p90: z.number().nullable().describe('Nine of ten took at most this many days.'),
    })
    .describe('The durations.'),
)
const counts = lazily(() => ({
  crees: count('How many cases were created.'),
  clos: count('How many cases were closed in the period, and still are.'),
  rouverts: count('How many times cases were reopened.'),
  secondes_visites: count('How many visits were not the first of their case.'),
}))

export const statisticsShape = named(
  'Statistics',
  () =>
    z.object({
      du: z.iso.date(),
      au: z.iso.date(),
      ouverts: z
        .object({
          moins_7_jours: count('How many cases were created less than 7 days ago.'),
          moins_30_jours: count('How many cases were created 7 to less than 30 days ago.'),
          plus: count('How many cases were created 30 days ago or more.'),
        })
        .describe('The cases that are open now.'),
      premiere_visite_jours: days().describe('From a case’s creation to its first visit, if that is in the period.'),
      cloture_jours: days().describe('From a case’s creation to its close, if that is in the period.'),
      par_type: z.array(z.object({ type: typeProbleme(), ...counts() })),
      par_poseur: z.array(
        z.object({
          poseur: person(),
          visites: count('How many visits took place.'),
          minutes_route: count('Planned minutes of travel to these visits.'),
          minutes_travail: count('Planned minutes of work at these visits.'),
          rouverts: count('How many times cases assigned to this installer were reopened.'),
        }),
      ),
      par_mois: z.array(z.object({ mois: z.string().regex(/^\d{4}-\d{2}$/), ...counts() })),
      pieces: z
        .array(
          z.object({ designation: z.string(), reference: z.string().nullable(), quantite: count('How many pieces.') }),
        )
        .describe('The 50 parts that were used most.'),
    }),
  {
    du: '2026-01-01',
    au: '2026-01-31',
    ouverts: { moins_7_jours: 12, moins_30_jours: 20, plus: 3 },
    premiere_visite_jours: { mediane: 4.5, p90: 11 },
    cloture_jours: { mediane: 9, p90: 30.5 },
    par_type: [{ type: 'reglage', crees: 30, clos: 28, rouverts: 1, secondes_visites: 4 }],
    par_poseur: [
      { poseur: { id: 3, nom: 'Bruno Petit' }, visites: 41, minutes_route: 930, minutes_travail: 2460, rouverts: 1 },
    ],
    par_mois: [{ mois: '2026-01', crees: 30, clos: 28, rouverts: 1, secondes_visites: 4 }],
    pieces: [{ designation: 'Charnière 110°', reference: 'CH-110', quantite: 18 }],
  },
)
/** The statistics of a period. */
export type StatisticsView = Shape<typeof statisticsShape>

/** Statistics for the owner of a shop. */
export interface Statistics {
  /** @throws ValidationError */
  statistics(account_id: string, input: StatisticsInput): Promise<StatisticsView>
}

export interface StatisticsDeps {
  readonly reads: Reads
  readonly clock: { now(): number }
  readonly calendarOf: CalendarOf
}

const maxDays = 1830
const shownPieces = 50

export function statisticsQueries({ reads, clock, calendarOf }: StatisticsDeps): Statistics {
  return {
    async statistics(account_id, input) {
      const asked = parse(statisticsInput, input)
      const { fuseau } = found(await reads.accounts.find(account_id), 'account', account_id)
      const calendar = calendarOf(fuseau)
      const now = clock.now()
      const { du, au } = askedPeriod(asked, calendar.dateAt(now))
      const months = monthsOf({ du, au }, calendar)
      const work: Month[] = []
      for (const { mois, period } of months) {
        work.push(await monthOf(reads, { account_id, mois, period }))
        await yieldToEventLoop(account_id)
      }
      const names = new Map<number, string>()
      for (const { visits, reopened } of work)
        for (const { poseur_id } of [...visits, ...reopened])
          if (poseur_id !== null && !names.has(poseur_id))
            names.set(poseur_id, (await reads.directory.findPoseur(account_id, poseur_id))?.nom ?? '')

      const created = work.flatMap((month) => month.created)
      const closed = work.flatMap((month) => month.closed)
      const reopened = work.flatMap((month) => month.reopened)
      const done = work.flatMap(({ interventions }) => interventions)
      const all = { created, closed, reopened, interventions: done }
      return {
        ...{ du, au },
        ouverts: await openByAge(reads, account_id, now),
        premiere_visite_jours: spread(
          done.filter(({ rang }) => rang === 1).map((each) => daysBetween(each.date_creation, each.date_debut)),
        ),
        cloture_jours: spread(closed.map((each) => daysBetween(each.date_creation, each.date_cloture))),
        par_type: typesProbleme.map((type) => ({ type, ...countsOf(all, (each) => each.type === type) })),
        par_poseur: byPoseur(work, names),
        par_mois: work.map((month) => ({ mois: month.mois, ...countsOf(month, () => true) })),
        pieces: piecesUsed(done.flatMap(({ pieces }) => pieces)),
      }
    },
  }
}

function askedPeriod({ du, au }: Output<typeof statisticsInput>, today: string) {
  const last = au ?? today
  // The first of the month, eleven months ago.
  const first =
    du ?? new Date(Date.UTC(Number(last.slice(0, 4)), Number(last.slice(5, 7)) - 12, 1)).toISOString().slice(0, 10)
  return boundedDays(first, last, maxDays)
}

/** The months of a period. Of the first and the last month, only the days within the period count. */
function monthsOf({ du, au }: { readonly du: string; readonly au: string }, calendar: BusinessCalendar) {
  const [first, last] = [monthNumber(du), monthNumber(au)]
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const month = first + index
    const from = calendar.startOfDay(index === 0 ? du : `${monthAt(month)}-01`)
    // The last month ends with the period, since there is no month after December 9999.
    const until = month === last ? calendar.timeOfDay(au, 1440) : calendar.startOfDay(`${monthAt(month + 1)}-01`)
    return { mois: monthAt(month), period: { from: toInstant(from), until: toInstant(until) } }
  })
}

/** Counts months from the year 0. */
const monthNumber = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
const monthAt = (month: number) =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`

async function monthOf(
  reads: Reads,
  { account_id, mois, period }: { readonly account_id: string; readonly mois: string; readonly period: Period },
) {
  const statistics = reads.of(statisticsStore)
  const [created, closed, reopened, interventions, visits] = await Promise.all([
    statistics.created(account_id, period),
    statistics.closed(account_id, period),
    statistics.reopened(account_id, period),
    statistics.interventions(account_id, period),
    statistics.visits(account_id, period),
  ])
  return { mois, created, closed, reopened, interventions, visits }
}

type Month = Awaited<ReturnType<typeof monthOf>>
type TypeRow = { readonly type: (typeof typesProbleme)[number] }

function countsOf(
  { created, closed, reopened, interventions }: Pick<Month, 'created' | 'closed' | 'reopened' | 'interventions'>,
  counts: (each: TypeRow) => boolean,
) {
  return {
    crees: created.filter(counts).reduce((sum, { nombre }) => sum + nombre, 0),
    clos: closed.filter(counts).length,
    rouverts: reopened.filter(counts).length,
    secondes_visites: interventions.filter((each) => each.rang > 1 && counts(each)).length,
  }
}

function byPoseur(months: readonly Month[], names: ReadonlyMap<number, string>): StatisticsView['par_poseur'] {
  return [...names]
    .map(([id, nom]) => {
      const visits = months.flatMap((month) => month.visits.filter(({ poseur_id }) => poseur_id === id))
      const reopened = months.flatMap((month) => month.reopened.filter(({ poseur_id }) => poseur_id === id))
      const minutes = visits.map(({ debut, fin }) => Math.ceil((toMs(fin) - toMs(debut)) / 60_000))
      return {
        poseur: { id, nom },
        visites: visits.length,
        minutes_route: visits.reduce((sum, { trajet_avant_minutes }) => sum + (trajet_avant_minutes ?? 0), 0),
        minutes_travail: minutes.reduce((sum, each) => sum + each, 0),
        rouverts: reopened.length,
      }
    })
    .toSorted((a, b) => b.visites - a.visites || a.poseur.nom.localeCompare(b.poseur.nom, 'fr'))
}

/** Counts the open cases by age, which is measured as by the filters `age_min` and `age_max` of the list. */
async function openByAge(reads: Reads, account_id: string, now: number): Promise<StatisticsView['ouverts']> {
  const statistics = reads.of(statisticsStore)
  const after = (days: number) => toInstant(now - days * dayMs + 1)
  const [beginning, end] = ['0000', '9999']
  const between = (from: string, until: string) => statistics.openCreated(account_id, { from, until })
  const [moins_7_jours, moins_30_jours, plus] = await Promise.all([
    between(after(7), end),
    between(after(30), after(7)),
    between(beginning, after(30)),
  ])
  return { moins_7_jours, moins_30_jours, plus }
}

const daysBetween = (from: string, until: string) => Math.max(0, (toMs(until) - toMs(from)) / dayMs)

/** The median and the 90th percentile (nearest rank), rounded to a tenth. */
export function spread(values: readonly number[]): { mediane: number | null; p90: number | null } {
  if (values.length === 0) return { mediane: null, p90: null }
  const sorted = values.toSorted((a, b) => a - b)
  const at = (rank: number) => sorted[rank] ?? 0
  const middle = (at(Math.ceil(sorted.length / 2) - 1) + at(Math.floor(sorted.length / 2))) / 2
  const tenths = (value: number) => Math.round(value * 10) / 10
  return { mediane: tenths(middle), p90: tenths(at(Math.ceil(sorted.length * 0.9) - 1)) }
}

function piecesUsed(pieces: Month['interventions'][number]['pieces']): StatisticsView['pieces'] {
  const used = new Map<string, StatisticsView['pieces'][number]>()
  for (const { designation, reference = null, quantite } of pieces) {
    const key = JSON.stringify([designation, reference])
    used.set(key, { designation, reference, quantite: (used.get(key)?.quantite ?? 0) + quantite })
  }
  return [...used.values()]
    .toSorted((a, b) => b.quantite - a.quantite || a.designation.localeCompare(b.designation, 'fr'))
    .slice(0, shownPieces)
}
