import { type DayModel, earliestStart, latestStart } from './day-model.js'
import { legTravel } from './day-route.js'

/**
 * The most visits of an exact order: each further visit doubles the number of states. Days with more visits use the
 * search.
 */
export const maxExactVisits = 14

/** The worth and the travel of a day that is already known. An exact order must be at least as good. */
export interface KnownDay {
  readonly worth: number
  readonly travel: number
}

/**
 * The best order of some of the visits for one installer, by the three aims, found by dynamic programming. A state is
 * the set of served visits and the last one. A way is an order of visits that leads to a state. A way is dropped if
 * another way to the same state is not later and travels no further (dominance), or if it cannot become as good as
 * `known`.
 * @param visits at most `maxExactVisits`
 * @returns null when nothing is at least as good as `known`
 */
export function exactRound(
  model: DayModel,
  installer: number,
  visits: readonly number[],
  known: KnownDay = { worth: 0, travel: Number.POSITIVE_INFINITY },
): readonly number[] | null {
  const count = visits.length
  if (count === 0) return []
  const day = localDay(model, installer, visits)
  const ways = new Ways(count)
  const best = { way: -1, worth: known.worth, travel: known.travel, end: Number.POSITIVE_INFINITY }

  /** Whether a way could still become as good as the best one, if every visit that is still in time were served. */
  function isPromising(served: number, worthServed: number, time: number, travel: number): boolean {
    let reachable = worthServed
    let leastTravel = travel
    for (let visit = 0; visit < count; visit++) {
      if ((served & (1 << visit)) !== 0 || (day.lastStart[visit] ?? 0) < time) continue
      reachable += day.worth[visit] ?? 0
      leastTravel += day.leastInward[visit] ?? 0
    }
    if (reachable !== best.worth) return reachable > best.worth
    return leastTravel + day.leastHomeward <= best.travel
  }

  function settle(way: number, worth: number, last: number): void {
    const travel = ways.travel(way) + (day.homeward[last] ?? 0)
    const end = ways.time(way) + (day.homeward[last] ?? 0)
    const isBetter =
      worth !== best.worth ? worth > best.worth : travel !== best.travel ? travel < best.travel : end < best.end
    if (isBetter) Object.assign(best, { way, worth, travel, end })
  }

  for (let visit = 0; visit < count; visit++) {
    const start = earliestStart(model, installer, visits[visit] ?? 0, Number.NEGATIVE_INFINITY)
    if (start === Number.POSITIVE_INFINITY) continue
    ways.add(1 << visit, visit, start + (day.duration[visit] ?? 0), day.outward[visit] ?? 0, -1)
  }
  for (let served = 1; served < 1 << count; served++) {
    const worth = worthOf(day.worth, served)
    for (let last = 0; last < count; last++)
      for (let way = ways.first(served, last); way >= 0; way = ways.next(way)) {
        const time = ways.time(way)
        const travel = ways.travel(way)
        settle(way, worth, last)
        if (!isPromising(served, worth, time, travel)) continue
        for (let visit = 0; visit < count; visit++) {
          if ((served & (1 << visit)) !== 0) continue
          const arrival = time + (day.gap[last * count + visit] ?? 0)
          if (arrival > (day.lastStart[visit] ?? 0)) continue
          const start = earliestStart(model, installer, visits[visit] ?? 0, arrival)
          if (start === Number.POSITIVE_INFINITY) continue
          const reached = travel + (day.travel[last * count + visit] ?? 0)
          ways.add(served | (1 << visit), visit, start + (day.duration[visit] ?? 0), reached, way)
        }
      }
  }
  return best.way < 0 ? null : ways.order(best.way).map((visit) => visits[visit] ?? 0)
}

/** The parts of the model that concern these visits. Their indices are the positions in `visits`. */
function localDay(model: DayModel, installer: number, visits: readonly number[]) {
  const n = model.visits
  const legs = (matrix: Float64Array) =>
    Float64Array.from(visits.flatMap((from) => visits.map((to) => matrix[from * n + to] ?? 0)))
  const outward = Float64Array.from(visits, (visit) => legTravel(model, installer, -1, visit))
  const homeward = Float64Array.from(visits, (visit) => legTravel(model, installer, visit, -1))
  return {
    duration: Float64Array.from(visits, (visit) => model.duration[visit] ?? 0),
    worth: Float64Array.from(visits, (visit) => model.worth[visit] ?? 0),
    travel: legs(model.travel),
    gap: legs(model.gap),
    outward,
    homeward,
    lastStart: Float64Array.from(visits, (visit) => latestStart(model, installer, visit, Number.POSITIVE_INFINITY)),
    leastInward: Float64Array.from(visits, (to, at) =>
      visits.reduce(
        (least, from) => (from === to ? least : Math.min(least, model.travel[from * n + to] ?? 0)),
        outward[at] ?? 0,
      ),
    ),
    leastHomeward: homeward.reduce((least, seconds) => Math.min(least, seconds), Number.POSITIVE_INFINITY),
  }
}

function worthOf(worth: Float64Array, served: number): number {
  let sum = 0
  for (let visit = 0; visit < worth.length; visit++) if ((served & (1 << visit)) !== 0) sum += worth[visit] ?? 0
  return sum
}

/**
 * The ways to each state. Each state has a list of the ways that no other way dominates, sorted by ascending time, and
 * therefore by descending travel.
 */
class Ways {
  readonly #count: number
  readonly #first: Int32Array
  #times = new Float64Array(1024)
  #travels = new Float64Array(1024)
  /** Three numbers for each way: the next way of the same state, the way that it extends, and its last visit. */
  #links = new Int32Array(3 * 1024)
  #length = 0

  constructor(count: number) {
    this.#count = count
    this.#first = new Int32Array((1 << count) * count).fill(-1)
  }

  first(served: number, last: number): number {
    return this.#first[served * this.#count + last] ?? -1
  }

  next(way: number): number {
    return this.#links[3 * way] ?? -1
  }

  time(way: number): number {
    return this.#times[way] ?? 0
  }

  travel(way: number): number {
    return this.#travels[way] ?? 0
  }

  add(served: number, last: number, time: number, travel: number, from: number): void {
    const state = served * this.#count + last
    let before = -1
    let after = this.#first[state] ?? -1
    while (after >= 0 && this.time(after) <= time) {
      if (this.travel(after) <= travel) return
      before = after
      after = this.next(after)
    }
    while (after >= 0 && this.travel(after) >= travel) after = this.next(after)
    const way = this.#push(time, travel)
    this.#links[3 * way] = after
    this.#links[3 * way + 1] = from
    this.#links[3 * way + 2] = last
    if (before < 0) this.#first[state] = way
    else this.#links[3 * before] = way
  }

  /** The visits of a way, in order. */
  order(way: number): number[] {
    const visits: number[] = []
    for (let at = way; at >= 0; at = this.#links[3 * at + 1] ?? -1) visits.push(this.#links[3 * at + 2] ?? 0)
    return visits.reverse()
  }

  #push(time: number, travel: number): number {
    const way = this.#length++
    if (way === this.#times.length) {
      this.#times = grown(this.#times, new Float64Array(2 * way))
      this.#travels = grown(this.#travels, new Float64Array(2 * way))
      this.#links = grown(this.#links, new Int32Array(6 * way))
    }
    this.#times[way] = time
    this.#travels[way] = travel
    return way
  }
}

function grown<A extends Float64Array | Int32Array>(old: A, larger: A): A {
  larger.set(old)
  return larger
}
