import type { Point } from '../travel/travel-times.js'
import type { Interval, WorkingDay } from '../working-time/working-days.js'

/** Seconds from one point to another: `estimatedSeconds`, or a router's. */
export type TravelSeconds = (from: Point, to: Point) => number

/** An installer's visits, and where the day begins. */
export interface Installer {
  /** The points where the day begins and ends. Null: it begins at the first visit, or ends at the last one. */
  readonly depart: Point | null
  readonly retour: Point | null
  /** The visits, in any order. One without a point costs no travel. */
  readonly visits: readonly Visit[]
}

export interface Visit extends Interval {
  readonly point: Point | null
}

/** The visit to fit in. */
export interface Stretch {
  /** Minutes. */
  readonly duree: number
  /** Free minutes between it and its neighbouring visits, in addition to travel. */
  readonly tampon: number
  /** Null: no travel is counted. */
  readonly point: Point | null
}

/** A visit may begin from `first` to `last`, both included, in milliseconds. */
export interface Opening {
  readonly first: number
  readonly last: number
  readonly beforeSeconds: number
  readonly addedSeconds: number
}

/**
 * Finds where a visit fits into an installer's days.
 * @param days sorted; each `within` is a part of its local day
 */
export function openings(
  installer: Installer,
  days: readonly { readonly workingDay: WorkingDay; readonly within: Interval }[],
  stretch: Stretch,
  travel: TravelSeconds,
): readonly Opening[] {
  const visitsOn = visitsByDay(installer.visits)
  const ways = waysOf(stretch.point, travel)
  const found: Opening[] = []
  for (const { workingDay, within } of days) {
    const { intervals } = workingDay
    if (intervals.length === 0) continue
    const ofDay = visitsOn(workingDay.day)
    for (const gap of gapsOf(installer, workingDay, ofDay, stretch, ways)) {
      const free = { debut: Math.max(gap.debut, within.debut), fin: Math.min(gap.fin, within.fin) }
      for (const { debut, fin } of intervals) {
        const first = Math.max(debut, free.debut)
        const last = Math.min(fin, free.fin) - stretch.duree * 60_000
        if (first <= last) found.push({ first, last, beforeSeconds: gap.beforeSeconds, addedSeconds: gap.addedSeconds })
      }
    }
  }
  return found
}

/** The visits of each day, for days in ascending order: one pass over all of them. */
function visitsByDay(visits: readonly Visit[]): (day: Interval) => readonly Visit[] {
  const sorted = visits.toSorted((a, b) => a.debut - b.debut)
  let past = 0
  return (day) => {
    for (let visit = sorted[past]; visit !== undefined && visit.fin <= day.debut; visit = sorted[past]) past += 1
    const found: Visit[] = []
    for (let at = past, visit = sorted[at]; visit !== undefined && visit.debut < day.fin; visit = sorted[at]) {
      if (visit.fin > day.debut) found.push(visit)
      at += 1
    }
    return found
  }
}

interface Gap extends Interval {
  readonly beforeSeconds: number
  readonly addedSeconds: number
}

/** The gaps between the visits of a day, from which travel and buffers are subtracted. */
function gapsOf(
  { depart, retour }: Installer,
  { day, intervals }: WorkingDay,
  visits: readonly Visit[],
  { tampon }: Stretch,
  ways: Ways,
): readonly Gap[] {
  const begins = intervals[0]?.debut ?? day.debut
  const ends = intervals.at(-1)?.fin ?? day.fin
  const gaps: Gap[] = []
  let before: Visit | null = null
  for (const after of [...visits, null]) {
    const from: Point | null = before === null ? depart : before.point
    const to = after === null ? retour : after.point
    const beforeSeconds = ways.here(from)
    const afterSeconds = ways.away(to)
    gaps.push({
      debut: before === null ? begins + beforeSeconds * 1000 : before.fin + tampon * 60_000 + beforeSeconds * 1000,
      fin: after === null ? ends - afterSeconds * 1000 : after.debut - tampon * 60_000 - afterSeconds * 1000,
      beforeSeconds,
      addedSeconds: Math.max(0, beforeSeconds + afterSeconds - ways.past(from, to)),
    })
    // If two visits overlap anyway, the next gap begins after the later end.
    if (after !== null && (before === null || after.fin > before.fin)) before = after
  }
  return gaps
}

/** Seconds of travel: to the place, from the place, and directly between its neighbours. */
interface Ways {
  here(from: Point | null): number
  away(to: Point | null): number
  past(from: Point | null, to: Point | null): number
}

function waysOf(place: Point | null, travel: TravelSeconds): Ways {
  if (place === null) return { here: () => 0, away: () => 0, past: () => 0 }
  return {
    here: (from) => (from === null ? 0 : travel(from, place)),
    away: (to) => (to === null ? 0 : travel(place, to)),
    past: (from, to) => (from === null || to === null ? 0 : travel(from, to)),
  }
}
