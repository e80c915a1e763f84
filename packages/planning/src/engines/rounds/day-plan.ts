import type { DayModel } from './day-model.js'
import { type DayRoute, dayRoute } from './day-route.js'

/** A plan: the days of all installers, and the visits that are in no day. */
export interface DayPlan {
  /** One route for each installer, by the index of the installer. */
  readonly routes: readonly DayRoute[]
  readonly absent: readonly number[]
}

function emptyDay(model: DayModel, installer: number): DayRoute {
  return dayRoute(model, installer, []) ?? { installer, visits: [], over: [], latest: [], travel: 0, end: 0 }
}

export function emptyPlan(model: DayModel): DayPlan {
  return {
    routes: Array.from({ length: model.installers }, (_, installer) => emptyDay(model, installer)),
    absent: Array.from({ length: model.visits }, (_, visit) => visit),
  }
}

/**
 * Travel is in whole seconds, and every day ends within 1e6 seconds of its origin, so with these weights no aim
 * outweighs an earlier one.
 */
const unservedWeight = 1e6
const endWeight = 1e-6

/** What a plan costs by the three aims: less is better. With equal travel, an earlier end wins. */
export function planCost({ worth }: DayModel, { routes, absent }: DayPlan): number {
  let unserved = 0
  for (const visit of absent) unserved += worth[visit] ?? 0
  let travel = 0
  let end = 0
  for (const route of routes) {
    travel += route.travel
    end = Math.max(end, route.end)
  }
  return unserved * unservedWeight + travel + end * endWeight
}

/** The plan with some installers' days replaced. `absent` are the visits that are then in no day. */
export function withRoutes(plan: DayPlan, changed: readonly DayRoute[], absent: readonly number[]): DayPlan {
  const routes = [...plan.routes]
  for (const route of changed) routes[route.installer] = route
  return { routes, absent }
}
