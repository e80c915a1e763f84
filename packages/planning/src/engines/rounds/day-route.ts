import { type DayModel, earliestStart, latestStart } from './day-model.js'

/** One installer's day in a feasible order. Immutable. */
export interface DayRoute {
  readonly installer: number
  readonly visits: readonly number[]
  /** The earliest end of each visit. */
  readonly over: readonly number[]
  /** The latest beginning of each visit that keeps the rest feasible. */
  readonly latest: readonly number[]
  readonly travel: number
  /** The arrival at the end of the day; 0 without visits. */
  readonly end: number
}

/** The day in that order, each visit as early as possible; null if infeasible. */
export function dayRoute(model: DayModel, installer: number, visits: readonly number[]): DayRoute | null {
  const { duration, gap } = model
  const n = model.visits
  const over: number[] = []
  let previous = -1
  let free = 0
  for (const visit of visits) {
    const arrival = previous < 0 ? Number.NEGATIVE_INFINITY : free + (gap[previous * n + visit] ?? 0)
    const start = earliestStart(model, installer, visit, arrival)
    if (start === Number.POSITIVE_INFINITY) return null
    free = start + (duration[visit] ?? 0)
    over.push(free)
    previous = visit
  }
  const latest: number[] = new Array(visits.length)
  let next = -1
  let bound = Number.POSITIVE_INFINITY
  for (let at = visits.length - 1; at >= 0; at--) {
    const visit = visits[at] ?? 0
    const latestArrival = next < 0 ? bound : bound - (gap[visit * n + next] ?? 0) - (duration[visit] ?? 0)
    bound = latestStart(model, installer, visit, latestArrival)
    latest[at] = bound
    next = visit
  }
  const end = previous < 0 ? 0 : free + (model.homeward[installer * n + previous] ?? 0)
  return { installer, visits, over, latest, travel: routeTravel(model, installer, visits), end }
}

/** Travel of a day in that order, feasible or not. */
function routeTravel(model: DayModel, installer: number, visits: readonly number[]): number {
  let travel = 0
  let previous = -1
  for (const visit of visits) {
    travel += legTravel(model, installer, previous, visit)
    previous = visit
  }
  return previous < 0 ? 0 : travel + legTravel(model, installer, previous, -1)
}

/** Travel between two visits of a day; -1 means its start or end. */
export function legTravel(model: DayModel, installer: number, from: number, to: number): number {
  const n = model.visits
  if (from < 0) return to < 0 ? 0 : (model.outward[installer * n + to] ?? 0)
  if (to < 0) return model.homeward[installer * n + from] ?? 0
  return model.travel[from * n + to] ?? 0
}

/** A position in a day where another visit fits, and its added travel. */
export interface Insertion {
  readonly at: number
  readonly added: number
}

/**
 * The cheapest position for the visit in that day; null if there is none.
 * @param isSkipped skips positions at random, so that a search also tries other days
 */
export function cheapestInsertion(
  model: DayModel,
  { installer, visits, over, latest }: DayRoute,
  visit: number,
  isSkipped: () => boolean = () => false,
): Insertion | null {
  const { gap, duration } = model
  const n = model.visits
  let place = -1
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at <= visits.length; at++) {
    const previous = at === 0 ? -1 : (visits[at - 1] ?? 0)
    const next = at === visits.length ? -1 : (visits[at] ?? 0)
    const replaced = visits.length === 0 ? 0 : legTravel(model, installer, previous, next)
    const added = legTravel(model, installer, previous, visit) + legTravel(model, installer, visit, next) - replaced
    if (added >= least || isSkipped()) continue
    const arrival = previous < 0 ? Number.NEGATIVE_INFINITY : (over[at - 1] ?? 0) + (gap[previous * n + visit] ?? 0)
    const start = earliestStart(model, installer, visit, arrival)
    if (start === Number.POSITIVE_INFINITY) continue
    const reached = start + (duration[visit] ?? 0) + (next < 0 ? 0 : (gap[visit * n + next] ?? 0))
    if (next >= 0 && reached > (latest[at] ?? 0)) continue
    place = at
    least = added
  }
  return place < 0 ? null : { at: place, added: least }
}

export const inserted = (visits: readonly number[], at: number, visit: number): number[] => [
  ...visits.slice(0, at),
  visit,
  ...visits.slice(at),
]
