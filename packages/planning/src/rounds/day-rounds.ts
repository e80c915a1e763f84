import { type Actor, type FieldProblem, type Lieu, ValidationError } from '@sav/core'
import {
  type CalendarOf,
  calendarDate,
  type FairQueue,
  id,
  lazily,
  type NewId,
  type Output,
  parse,
  preparedWrite,
  type Reads,
  type SignedTexts,
  toInstant,
  type WritesOf,
} from '@sav/core/feature'
import type { Clock } from '@sav/core/ports'
import * as z from 'zod'
import { activePoseurs, namedPoseurs } from '../agendas/poseurs.js'
import type { PlanningAdvice } from '../appointments/advice.js'
import type { CustomerLetters, RdvNews } from '../appointments/customer-letters.js'
import { placeOf } from '../appointments/rdv.js'
import { loadPlaces, type PointOf } from '../places/places.js'
import { conflict, fieldProblem } from '../refusals.js'
import { type Note, note } from '../travel/notes.js'
import type { TravelTimes } from '../travel/travel-times.js'
import { digestOf, problemOf, type ShopDay, shopDay } from './day-problem.js'
import { onGrid } from './grid.js'
import { replacingWrites } from './replacing.js'
import { type RoundVisit as Placed, reschedule } from './rescheduling.js'
import {
  type DayRounds,
  type OptimisedRounds,
  type OptimiseInput,
  optimiseInput,
  type ReplacedRdv,
  type ReplaceInput,
  type RoundsInput,
  type RoundView,
  roundsInput,
  type UndoInput,
  type UndoneRounds,
} from './round-input.js'
import type { PlannedVisit, RoundPlan, RoundSolver } from './round-problem.js'
import { presentRounds, summed } from './round-travel.js'
import { asItStands, worthMoving } from './standing.js'
import { undoOf, undoWrites } from './undo.js'

export interface Rounds {
  /** @throws ValidationError */
  rounds(account_id: string, input: RoundsInput): Promise<DayRounds>
  /**
   * Plans the day with the least travel: a preview, or a preview applied in one transaction. Only visits that are
   * `planifie` or `propose` and have no team move, within the customer's window if there is one, and never into the
   * past. A moved visit begins on the account's grid (see onGrid). Accounts compute previews in turns, and two of one
   * caller may wait.
   * @param signal aborted when the preview is no longer needed: the call rejects with its reason
   * @throws ConflictError when the day has changed since the preview, TooManyWaitingError, ValidationError
   */
  optimise(actor: Actor, input: OptimiseInput, signal?: AbortSignal): Promise<OptimisedRounds>
  /**
   * Gives each of these appointments its new time and person in one transaction: all or none. A confirmed one becomes
   * `planifie` when its time changes. The answer lists the customers to call, who get no letter.
   * @throws ValidationError, ConflictError for an appointment that can no longer move, SlotTakenError naming the
   *   conflict
   */
  replace(actor: Actor, input: ReplaceInput): Promise<ReplacedRdv>
  /**
   * Undoes in one transaction what was applied within the last 24 hours: every visit of the plan, or none.
   * @throws ConflictError when one of them has changed since or it is too late, SlotTakenError, ValidationError
   */
  undo(actor: Actor, input: UndoInput): Promise<UndoneRounds>
}

export interface RoundsDeps {
  readonly reads: Reads
  readonly clock: Clock
  readonly newId: NewId
  readonly advice: PlanningAdvice
  readonly letters: CustomerLetters
  readonly calendarOf: CalendarOf
  readonly solver: RoundSolver
  /** Lets accounts take turns when they request previews. */
  readonly queue: FairQueue
  readonly travel: TravelTimes
  /** Signs previews. */
  readonly previews: SignedTexts
  /** Signs the token that undoes an applied plan. */
  readonly undos: SignedTexts
}

/** The content of a preview's version: its day, and the rounds. */
const preview = lazily(() =>
  z.object({
    date: calendarDate(),
    poseurs: z.array(id()),
    digest: z.string(),
    avant: z.tuple([z.number(), z.number()]),
    apres: z.tuple([z.number(), z.number()]),
    /** Id, poseur, begin and end in seconds, minutes of travel; in the order of the rounds. */
    visits: z.array(z.tuple([id(), id(), z.int(), z.int(), z.int()])),
  }),
)
type Preview = Output<typeof preview>

/**
 * How often a day is planned at most. After each time, visits that fit nowhere keep their time, and the others are
 * planned again.
 */
const maxRuns = 3

export function roundQueries(deps: RoundsDeps): Pick<Rounds, 'rounds'> {
  return {
    async rounds(account_id, input) {
      const { date } = parse(roundsInput, input)
      const day = await dayOf(deps.reads, deps, { account_id, date })
      const { problem, avertissements } = await problemFor(day, deps, new Set())
      const rounds = presentRounds(problem)
      const { seconds, meters } = summed(rounds)
      const pointAt = pointsOf(day, await loadPlaces())
      const tournees = rounds.map(({ installer, visits }) => ({
        poseur_id: installer,
        depart: pointAt.start(installer),
        visites: visits.map((visit) => ({ ...visitView(visit), point: pointAt.visit(visit.visit) })),
      }))
      return { date, minutes: minutesOf(seconds), kilometres: kilometresOf(meters), tournees, avertissements }
    },
  }
}

export function roundWrites(deps: RoundsDeps): WritesOf<Rounds, 'optimise' | 'replace' | 'undo'> {
  const { previews, undos, queue, clock, newId, advice, letters } = deps
  return {
    ...undoWrites(deps),
    ...replacingWrites(deps),
    optimise(actor, input, signal) {
      const { account_id, id: caller } = actor
      return preparedWrite({
        async prepare() {
          const { mode, version, prevenir, ...asked } = parse(optimiseInput, input)
          const text = version === undefined ? null : previews.open(account_id, version)
          const opened = text === null ? null : preview().parse(JSON.parse(text))
          if (version !== undefined && opened === null) throw new ValidationError([notIssued])
          if (mode === 'apercu' || opened === null) {
            const plan = () => planned(deps, { actor, prevenir, ...asked }, signal)
            return { planned: await queue.run({ account_id, caller, signal }, plan), applied: null }
          }
          const problems = mismatches(opened, asked)
          if (problems.length > 0) throw new ValidationError(problems)
          return { planned: null, applied: { opened, prevenir } }
        },
        async write(tx, prepared): Promise<OptimisedRounds> {
          if (prepared.planned !== null) return prepared.planned
          const { opened, prevenir } = prepared.applied
          const { date, digest, poseurs } = opened
          const day = await dayOf(tx, deps, { account_id, date, poseur_ids: poseurs })
          const visits = placedVisits(opened, day)
          const at = toInstant(clock.now())
          if (digestOf(day) !== digest || isTooLate(visits, day, at))
            throw conflict('day_changed_since_preview', { date })
          const lettres = await letters.count(tx, newsOf(visits, day, { actor, at, prevenir }))
          const moves = await reschedule(tx, { actor, visits, at, prevenir }, { newId, advice, letters })
          const version = undoOf(undos, { account_id, at, moves })
          return viewOf(opened, day, { version, lettres, avertissements: [], pointOf: await loadPlaces() })
        },
      })
    },
  }
}

const notIssued = fieldProblem('version', 'preview_unknown')

function mismatches(opened: Preview, { date, poseur_ids }: Pick<OptimiseInput, 'date' | 'poseur_ids'>): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (opened.date !== date) problems.push(fieldProblem('date', 'preview_differs', { of: opened.date }))
  const named = new Set(poseur_ids ?? opened.poseurs)
  const same = named.size === opened.poseurs.length && opened.poseurs.every((each) => named.has(each))
  if (!same) problems.push(fieldProblem('poseur_ids', 'preview_differs', { of: opened.poseurs.join(', ') }))
  return problems
}

interface DayQuery {
  readonly account_id: string
  readonly date: string
  readonly poseur_ids?: readonly number[] | undefined
}

/** The day of the given poseurs, or of all active ones, in the order of their ids. */
async function dayOf(reads: Reads, { calendarOf, clock }: RoundsDeps, asked: DayQuery): Promise<ShopDay> {
  const { account_id, date, poseur_ids } = asked
  const poseurs =
    poseur_ids === undefined
      ? await activePoseurs(reads, account_id)
      : await namedPoseurs(reads, account_id, [...new Set(poseur_ids)], (place) => `poseur_ids[${place}]`)
  const inOrder = poseurs.toSorted((a, b) => a.id - b.id)
  return shopDay(reads, { account_id, date, poseurs: inOrder, calendarOf, nowMs: clock.now() })
}

async function problemFor(day: ShopDay, { travel, clock }: RoundsDeps, fixed: ReadonlySet<number>) {
  return problemOf(day, { pointOf: await loadPlaces(), travel, nowMs: clock.now(), fixed })
}

/** The best complete rounds: a visit that fits nowhere else keeps its time. */
async function planned(
  deps: RoundsDeps,
  { actor, prevenir, ...days }: Omit<DayQuery, 'account_id'> & { readonly actor: Actor; readonly prevenir: boolean },
  signal: AbortSignal | undefined,
): Promise<OptimisedRounds> {
  const asked = { account_id: actor.account_id, ...days }
  const day = await dayOf(deps.reads, deps, asked)
  const fixed = new Set<number>()
  const stays: Note[] = []
  for (let run = 1; ; run += 1) {
    const { problem, avertissements } = await problemFor(day, deps, fixed)
    signal?.throwIfAborted()
    const found =
      run > maxRuns ? asItStands(problem) : onGrid(problem, await deps.solver.solve(problem, signal), pasOf(day))
    if (found.unserved.length > 0) {
      for (const { visit, reason } of found.unserved) {
        fixed.add(visit)
        stays.push(note(staysFor[reason], { rdv_id: visit }))
      }
      continue
    }
    const plan = worthMoving(problem, found) ? found : asItStands(problem, found.avertissements)
    const made = previewOf(day, plan)
    const version = deps.previews.sign(asked.account_id, JSON.stringify(made))
    const notes = [...avertissements, ...plan.avertissements, ...stays]
    const news = newsOf(placedVisits(made, day), day, { actor, at: toInstant(deps.clock.now()), prevenir })
    const lettres = await deps.letters.count(deps.reads, news)
    return viewOf(made, day, { version, lettres, avertissements: notes, pointOf: await loadPlaces() })
  }
}

/** The grid of the account, in seconds. */
const pasOf = ({ account }: ShopDay) => account.pas * 60

const staysFor = {
  competence: 'rdv_stays_unskilled',
  fenetre: 'rdv_stays_out_of_hours',
  journee_pleine: 'rdv_stays_days_full',
} as const

function previewOf(day: ShopDay, { rounds, before, after }: RoundPlan): Preview {
  return {
    date: day.date,
    poseurs: day.poseurs.map(({ poseur }) => poseur.id),
    digest: digestOf(day),
    avant: [before.seconds, before.meters],
    apres: [after.seconds, after.meters],
    visits: rounds.flatMap(({ installer, visits }) =>
      visits.map(({ visit, debut, fin, travel }): Preview['visits'][number] => [
        visit,
        installer,
        debut,
        fin,
        minutesOf(travel),
      ]),
    ),
  }
}

/** Each visit of the plan, with its position in its round. */
function placedVisits({ date, visits }: Preview, day: ShopDay): Placed[] {
  const versions = new Map(day.rdvs.map(({ id: rdv_id, version }) => [rdv_id, version]))
  const places = new Map<number, number>()
  return visits.map(([rdv_id, poseur_id, debut, fin, trajet_avant_minutes]) => {
    const ordre = (places.get(poseur_id) ?? 0) + 1
    places.set(poseur_id, ordre)
    const version = versions.get(rdv_id) ?? 0
    const interval = { debut: toInstant(debut * 1000), fin: toInstant(fin * 1000) }
    return { id: rdv_id, version, poseur_id, ...interval, trajet_avant_minutes, tournee: { date, ordre } }
  })
}

/** Whether a visit that moves has begun since the preview, or would begin in the past. */
const isTooLate = (visits: readonly Placed[], { rdvs }: ShopDay, now: string): boolean =>
  visits.some(({ id: rdv_id, debut, poseur_id }) => {
    const before = rdvs.find((rdv) => rdv.id === rdv_id)
    if (before === undefined || (before.debut === debut && before.poseur.id === poseur_id)) return false
    return before.debut <= now || debut <= now
  })

/** The changes of a plan that may need letters. */
const newsOf = (
  visits: readonly Placed[],
  { rdvs }: ShopDay,
  change: Pick<RdvNews, 'actor' | 'at' | 'prevenir'>,
): RdvNews[] =>
  visits.flatMap(({ id: rdv_id, debut, fin }) => {
    const before = rdvs.find((rdv) => rdv.id === rdv_id)
    return before === undefined ? [] : [{ ...change, before, rdv: { ...before, debut, fin } }]
  })

function viewOf(
  made: Preview,
  day: ShopDay,
  {
    version,
    lettres,
    avertissements,
    pointOf,
  }: Pick<OptimisedRounds, 'version' | 'lettres' | 'avertissements'> & { readonly pointOf: PointOf },
): OptimisedRounds {
  const pointAt = pointsOf(day, pointOf)
  const before = new Map(day.rdvs.map((rdv) => [rdv.id, rdv]))
  const placed = placedVisits(made, day)
  return {
    date: made.date,
    minutes_avant: minutesOf(made.avant[0]),
    minutes_apres: minutesOf(made.apres[0]),
    kilometres_avant: kilometresOf(made.avant[1]),
    kilometres_apres: kilometresOf(made.apres[1]),
    tournees: made.poseurs.map((poseur_id) => ({
      poseur_id,
      depart: pointAt.start(poseur_id),
      visites: placed
        .filter((visit) => visit.poseur_id === poseur_id)
        .map(({ id: rdv_id, debut, fin, trajet_avant_minutes }) => ({
          rdv_id,
          debut,
          fin,
          trajet_avant_minutes: trajet_avant_minutes ?? 0,
          point: pointAt.visit(rdv_id),
        })),
    })),
    deplacements: placed.flatMap(({ id: rdv_id, debut, poseur_id }) => {
      const rdv = before.get(rdv_id)
      if (rdv === undefined || (rdv.debut === debut && rdv.poseur.id === poseur_id)) return []
      return [{ rdv_id, debut, poseur_id, ancien_debut: rdv.debut, ancien_poseur_id: rdv.poseur.id }]
    }),
    avertissements,
    lettres,
    version,
  }
}

/** The points of the day's visits, and of its poseurs' starts. */
function pointsOf({ rdvs, poseurs }: ShopDay, pointOf: PointOf) {
  const at = (lieu: Lieu | null | undefined) => (lieu ? (pointOf(lieu)?.point ?? null) : null)
  const visits = new Map(rdvs.map((rdv) => [rdv.id, at(placeOf(rdv))]))
  const starts = new Map(poseurs.map(({ poseur }) => [poseur.id, at(poseur.lieu)]))
  return { visit: (id: number) => visits.get(id) ?? null, start: (id: number) => starts.get(id) ?? null }
}

const visitView = ({ visit, debut, fin, travel }: PlannedVisit): Omit<RoundView['visites'][number], 'point'> => ({
  rdv_id: visit,
  debut: toInstant(debut * 1000),
  fin: toInstant(fin * 1000),
  trajet_avant_minutes: minutesOf(travel),
})

const minutesOf = (seconds: number) => Math.ceil(seconds / 60)
const kilometresOf = (meters: number) => Math.round(meters / 100) / 10
