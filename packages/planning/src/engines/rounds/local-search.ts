import type { DayModel } from './day-model.js'
import { type DayPlan, planCost, withRoutes } from './day-plan.js'
import { type DayRoute, dayRoute, inserted } from './day-route.js'

/** Steps of a search between two time checks. */
export const askEvery = 64

/**
 * Takes the first change that improves the plan, repeatedly, until there is none or time is up. There is a time limit
 * because a day of some hundred visits has half a million possible changes.
 */
export function locallyBest(model: DayModel, plan: DayPlan, isLate?: () => boolean): DayPlan {
  let tried = 0
  let best = plan
  let cost = planCost(model, plan)
  for (let better: DayPlan | null = best; better !== null; ) {
    better = null
    for (const changes of neighbouring(best)) {
      if (tried++ % askEvery === 0 && isLate?.() === true) return best
      const changed = kept(model, changes)
      if (changed === null) continue
      const candidate = withRoutes(best, changed, best.absent)
      const itsCost = planCost(model, candidate)
      if (itsCost >= cost) continue
      best = candidate
      better = candidate
      cost = itsCost
      break
    }
  }
  return best
}

type Order = readonly [installer: number, visits: readonly number[]]

function kept(model: DayModel, orders: readonly Order[]): DayRoute[] | null {
  const routes: DayRoute[] = []
  for (const [installer, visits] of orders) {
    const route = dayRoute(model, installer, visits)
    if (route === null) return null
    routes.push(route)
  }
  return routes
}

/**
 * The changes to try. Within a day: 2-opt, and moving one visit. Between two days: moving one visit, exchanging two,
 * and swapping the ends of the days.
 */
function* neighbouring({ routes }: DayPlan): Generator<readonly Order[]> {
  for (const { installer, visits } of routes) {
    for (let from = 0; from < visits.length - 1; from++)
      for (let to = from + 2; to <= visits.length; to++)
        yield [[installer, [...visits.slice(0, from), ...visits.slice(from, to).reverse(), ...visits.slice(to)]]]
    for (const [at, visit] of visits.entries()) {
      const rest = visits.toSpliced(at, 1)
      for (let to = 0; to <= rest.length; to++) if (to !== at) yield [[installer, inserted(rest, to, visit)]]
    }
  }
  for (const one of routes)
    for (const other of routes) {
      if (one.installer === other.installer) continue
      yield* relocated(one, other)
      if (one.installer < other.installer) yield* exchanged(one, other)
    }
}

function* relocated(from: DayRoute, to: DayRoute): Generator<readonly Order[]> {
  for (const [at, visit] of from.visits.entries())
    for (let place = 0; place <= to.visits.length; place++)
      yield [
        [from.installer, from.visits.toSpliced(at, 1)],
        [to.installer, inserted(to.visits, place, visit)],
      ]
}

function* exchanged(one: DayRoute, other: DayRoute): Generator<readonly Order[]> {
  for (const [at, visit] of one.visits.entries())
    for (const [place, partner] of other.visits.entries())
      yield [
        [one.installer, one.visits.with(at, partner)],
        [other.installer, other.visits.with(place, visit)],
      ]
  for (let at = 0; at <= one.visits.length; at++)
    for (let place = 0; place <= other.visits.length; place++)
      yield [
        [one.installer, [...one.visits.slice(0, at), ...other.visits.slice(place)]],
        [other.installer, [...other.visits.slice(0, place), ...one.visits.slice(at)]],
      ]
}
