import type { DayModel } from './day-model.js'
import { type DayPlan, withRoutes } from './day-plan.js'
import { type DayRoute, dayRoute } from './day-route.js'
import type { Draw } from './draws.js'

/** The mean number of removed visits, and the most from one day (SISR's c̄ and L^max). */
const meanRuined = 10
const longestString = 10
/** The probability that a string keeps visits in its middle, and the probability that it then keeps one more. */
const splitRate = 0.5
const splitGrowth = 0.5

/** For each visit, all visits including itself, nearest first. */
export type Neighbours = readonly (readonly number[])[]

export function neighboursOf({ visits, travel }: DayModel): Neighbours {
  const all = Array.from({ length: visits }, (_, visit) => visit)
  return all.map((from) => {
    const distance = (to: number) =>
      to === from ? -1 : (travel[from * visits + to] ?? 0) + (travel[to * visits + from] ?? 0)
    return all.toSorted((a, b) => distance(a) - distance(b) || a - b)
  })
}

/**
 * Removes strings of neighbouring visits from days near one visit: Christiaens and Vanden Berghe, "Slack Induction by
 * String Removals for Vehicle Routing Problems", Transportation Science 54(2), 2020, §5.1.
 */
export function ruined(model: DayModel, plan: DayPlan, neighbours: Neighbours, draw: Draw): DayPlan {
  const routeOf = new Int32Array(model.visits).fill(-1)
  let inUse = 0
  for (const { installer, visits } of plan.routes) {
    if (visits.length > 0) inUse++
    for (const visit of visits) routeOf[visit] = installer
  }
  const served = model.visits - plan.absent.length
  if (served === 0) return plan
  const longest = Math.min(longestString, served / inUse)
  const strings = Math.floor(draw() * ((4 * meanRuined) / (1 + longest) - 1) + 1)
  const changed: DayRoute[] = []
  const absent = [...plan.absent]
  for (const visit of neighbours[Math.floor(draw() * model.visits)] ?? []) {
    if (changed.length >= strings) break
    const route = plan.routes[routeOf[visit] ?? -1]
    if (route === undefined || changed.some(({ installer }) => installer === route.installer)) continue
    const length = Math.floor(draw() * Math.min(route.visits.length, longest) + 1)
    const kept = withoutString(route.visits, route.visits.indexOf(visit), length, draw)
    // Without the triangle inequality, a day may become longer when a visit is removed.
    const shorter = dayRoute(model, route.installer, kept) ?? dayRoute(model, route.installer, [])
    if (shorter === null) continue
    changed.push(shorter)
    for (const taken of route.visits) if (!shorter.visits.includes(taken)) absent.push(taken)
  }
  return withRoutes(plan, changed, absent)
}

/**
 * Removes `length` visits from a day: consecutive ones around the position `at`, or a split string, which keeps some
 * visits in its middle.
 */
function withoutString(visits: readonly number[], at: number, length: number, draw: Draw): number[] {
  let keptInside = 0
  if (length > 1 && length < visits.length && draw() < splitRate)
    do keptInside++
    while (length + keptInside < visits.length && draw() < splitGrowth)
  const whole = length + keptInside
  const earliest = Math.max(0, at - whole + 1)
  const first = earliest + Math.floor(draw() * (Math.min(at, visits.length - whole) - earliest + 1))
  const keptFrom = first + Math.floor(draw() * (length + 1))
  return visits.filter(
    (_, place) => place < first || place >= first + whole || (place >= keptFrom && place < keptFrom + keptInside),
  )
}
