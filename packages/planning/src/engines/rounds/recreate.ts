import { type DayModel, isEligible } from './day-model.js'
import { type DayPlan, withRoutes } from './day-plan.js'
import { cheapestInsertion, type DayRoute, dayRoute, inserted } from './day-route.js'
import type { Draw } from './draws.js'

/** The probability that a position is skipped. */
const blinkRate = 0.01

/** Determines the order in which visits are inserted: the visit with the least number is the first. */
type Urgency = (visit: number) => number

/** The orders for inserting absent visits, each with its probability. */
export type Orders = readonly { readonly chance: number; readonly urgency: Urgency }[]

/**
 * Orders that begin with the longest visits, the farthest, the nearest, and those with the fewest possible start times.
 * If none is drawn, the order is random.
 */
export function ordersOf(model: DayModel): Orders {
  const installers = Array.from({ length: model.installers }, (_, installer) => installer)
  const visits = Array.from({ length: model.visits }, (_, visit) => visit)
  const farness = visits.map((visit) =>
    installers.reduce(
      (sum, installer) => sum + (model.outward[installer * model.visits + visit] ?? 0),
      visits.reduce((sum, other) => sum + (model.travel[visit * model.visits + other] ?? 0), 0),
    ),
  )
  const room = visits.map((visit) => installers.reduce((sum, installer) => sum + roomOf(model, installer, visit), 0))
  return [
    { chance: 0.25, urgency: (visit) => -(model.duration[visit] ?? 0) },
    { chance: 0.15, urgency: (visit) => -(farness[visit] ?? 0) },
    { chance: 0.1, urgency: (visit) => farness[visit] ?? 0 },
    { chance: 0.2, urgency: (visit) => room[visit] ?? 0 },
  ]
}

/** The number of seconds at which a visit may begin with an installer. */
function roomOf({ ranges, visits }: DayModel, installer: number, visit: number): number {
  const range = ranges[installer * visits + visit] ?? new Float64Array()
  let room = 0
  for (let at = 0; at < range.length; at += 2) room += 1 + (range[at + 1] ?? 0) - (range[at] ?? 0)
  return room
}

/** Inserts every absent visit where it costs least, promised ones first, if there is a position for it. */
export function recreated(model: DayModel, plan: DayPlan, orders: Orders, draw: Draw): DayPlan {
  const routes: DayRoute[] = [...plan.routes]
  const absent: number[] = []
  const isSkipped = () => draw() < blinkRate
  for (const visit of queued(model, plan.absent, orders, draw)) {
    let cheapest: { readonly route: DayRoute; readonly at: number; readonly added: number } | null = null
    for (const route of routes) {
      if (!isEligible(model, route.installer, visit)) continue
      const place = cheapestInsertion(model, route, visit, isSkipped)
      if (place !== null && (cheapest === null || place.added < cheapest.added)) cheapest = { route, ...place }
    }
    const { route, at } = cheapest ?? {}
    const longer =
      route === undefined || at === undefined
        ? null
        : dayRoute(model, route.installer, inserted(route.visits, at, visit))
    if (longer === null) absent.push(visit)
    else routes[longer.installer] = longer
  }
  return withRoutes(plan, routes, absent)
}

function queued(model: DayModel, absent: readonly number[], orders: Orders, draw: Draw): number[] {
  const drawn = draw()
  let upTo = 0
  const order = orders.find(({ chance }) => {
    upTo += chance
    return drawn < upTo
  })
  const rank = new Map(absent.map((visit) => [visit, order === undefined ? draw() : order.urgency(visit)]))
  return absent.toSorted(
    (a, b) => (model.worth[b] ?? 0) - (model.worth[a] ?? 0) || (rank.get(a) ?? 0) - (rank.get(b) ?? 0) || a - b,
  )
}
