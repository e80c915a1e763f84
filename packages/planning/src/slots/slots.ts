import type { BusinessCalendar, TypeProbleme } from '@sav/core/feature'
import type { Interval, WorkingDay } from '../working-time/working-days.js'
import { type Installer, type Opening, openings, type Stretch, type TravelSeconds } from './openings.js'

/** A poseur who could be assigned. */
export interface Candidate extends Installer {
  readonly poseur_id: number
  /** The poseur's skills; empty: all. */
  readonly competences: readonly TypeProbleme[]
  /** All requested days, sorted by date. */
  readonly days: readonly WorkingDay[]
}

export interface SlotQuery extends Stretch {
  /** The skill that the poseur needs; null: none. */
  readonly type_probleme: TypeProbleme | null
  /** Slots begin at multiples of this many minutes of local time, counted from midnight. */
  readonly pas: number
  /** No slot begins before this instant, in milliseconds. */
  readonly notBefore: number
  /** Slots lie within these hours of each local day, in minutes after midnight. */
  readonly fenetre: { readonly debut: number; readonly fin: number } | null
  readonly calendar: BusinessCalendar
  /** At most this many slots, the best ones. */
  readonly limite: number
}

export interface Slot {
  readonly poseur_id: number
  /** Milliseconds. */
  readonly debut: number
  readonly fin: number
  /** Travel from the previous visit, or from the start of the day; rounded up. */
  readonly trajet_avant_minutes: number
  /** The travel that this visit adds to the day; rounded up. */
  readonly trajet_ajoute_minutes: number
  /** The added travel in seconds, for ranking. */
  readonly addedSeconds: number
}

/** Least added travel first, then the earliest, then the lower id. */
export function bySlotRank(a: Slot, b: Slot): number {
  return a.addedSeconds - b.addedSeconds || a.debut - b.debut || a.poseur_id - b.poseur_id
}

/** Starts from `first` to `last`, both included, with the same cost. */
interface Run extends Opening {
  readonly poseur_id: number
}

/**
 * Finds where a visit fits: within one working interval of a skilled installer, and not closer to other visits than
 * travel and buffer. Travel from the start of the day and to its end is within working hours. The slots are in the
 * order of `bySlotRank`. Days are searched independently, so they can be requested in parts.
 */
export function freeSlots(candidates: readonly Candidate[], query: SlotQuery, travel: TravelSeconds): readonly Slot[] {
  const runs = candidates
    .filter((candidate) => isSkilled(candidate, query.type_probleme))
    .flatMap((candidate) => {
      const { poseur_id } = candidate
      return openings(candidate, windowed(candidate.days, query), query, travel)
        .map((opening) => ({ ...opening, first: Math.max(opening.first, query.notBefore), poseur_id }))
        .filter(({ first, last }) => first <= last)
    })
  const cheapestFirst = runs.sort((a, b) => a.addedSeconds - b.addedSeconds)
  const slots: Slot[] = []
  for (let from = 0; from < cheapestFirst.length && slots.length < query.limite; ) {
    const addedSeconds = cheapestFirst[from]?.addedSeconds
    let until = from + 1
    while (cheapestFirst[until]?.addedSeconds === addedSeconds) until += 1
    slots.push(...firstSlots(cheapestFirst.slice(from, until), query, query.limite - slots.length))
    from = until
  }
  return slots
}

function isSkilled({ competences }: Candidate, type: TypeProbleme | null): boolean {
  return type === null || competences.length === 0 || competences.includes(type)
}

/** Each working day, and the requested part of its local day. */
function windowed(days: readonly WorkingDay[], { fenetre, calendar }: SlotQuery) {
  return days.map((workingDay): { workingDay: WorkingDay; within: Interval } => {
    const { date, day } = workingDay
    if (fenetre === null) return { workingDay, within: day }
    return {
      workingDay,
      within: { debut: calendar.timeOfDay(date, fenetre.debut), fin: calendar.timeOfDay(date, fenetre.fin) },
    }
  })
}

/** The earliest `count` slots of runs with the same cost. */
function firstSlots(runs: readonly Run[], query: SlotQuery, count: number): readonly Slot[] {
  const next = gridOf(query.calendar, query.pas * 60_000)
  const starts: { debut: number; run: Run }[] = []
  // The latest of the first `count` starts: no later start can be among the earliest. This bounds the work, since
  // without a place all runs of three months have the same cost, with a hundred thousand starts.
  let latest = Number.POSITIVE_INFINITY
  for (const run of runs.toSorted((a, b) => a.first - b.first)) {
    if (run.first > latest) break
    let debut = next(run.first)
    for (let given = 0; given < count && debut <= run.last && debut <= latest; given += 1) {
      starts.push({ debut, run })
      debut = next(debut + 1)
    }
    if (latest === Number.POSITIVE_INFINITY && starts.length >= count)
      latest = Math.max(...starts.map(({ debut: at }) => at))
  }
  starts.sort((a, b) => a.debut - b.debut || a.run.poseur_id - b.run.poseur_id)
  return starts.slice(0, count).map(({ debut, run }) => ({
    poseur_id: run.poseur_id,
    debut,
    fin: debut + query.duree * 60_000,
    trajet_avant_minutes: Math.ceil(run.beforeSeconds / 60),
    trajet_ajoute_minutes: Math.ceil(run.addedSeconds / 60),
    addedSeconds: run.addedSeconds,
  }))
}

/** The first instant from `ms` on with a local time that is a multiple of `step` milliseconds after midnight. */
function gridOf(calendar: BusinessCalendar, step: number): (ms: number) => number {
  const aligned = (ms: number, offset: number) => Math.ceil((ms + offset) / step) * step - offset
  return (ms) => {
    const usual = aligned(ms, calendar.offsetAt(ms))
    const offset = calendar.offsetAt(usual)
    if (offset === calendar.offsetAt(ms)) return usual
    // The clock changes between `ms` and that time.
    let changed = aligned(ms, offset)
    while (calendar.offsetAt(changed) !== offset) changed += step
    return changed
  }
}
