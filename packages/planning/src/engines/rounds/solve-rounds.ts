import type { RoundPlan, RoundProblem, RoundSolver } from '../../rounds/round-problem.js'
import { presentRounds, presentVisits, roundOf, summed } from '../../rounds/round-travel.js'
import { canDo, type DayModel, dayModel, isEligible } from './day-model.js'
import { type DayPlan, emptyPlan, planCost, withRoutes } from './day-plan.js'
import { type DayRoute, dayRoute } from './day-route.js'
import { seededDraws } from './draws.js'
import { exactRound, maxExactVisits } from './exact-round.js'
import { ordersOf, recreated } from './recreate.js'
import { type SearchLimits, searched } from './search.js'

/**
 * Plans the rounds of a day by the three aims of `RoundSolver`. The plan is exact if each visit has one possible
 * installer and no installer has more than 14 visits. Otherwise it is the best that the search finds. The same problem,
 * iterations and draws give the same plan. It is never worse than the current days, if those are feasible.
 */
export function solveRounds(problem: RoundProblem, limits: SearchLimits): RoundPlan {
  const model = dayModel(problem)
  return toldPlan(problem, model, ...solved(model, startingPlan(model, presentOrders(problem), limits), limits))
}

/**
 * Solves in the caller's thread, with few tries, so that it does not block for long; `solverInThread` searches longer.
 */
export const inlineSolver: RoundSolver = {
  solve: async (problem) => solveRounds(problem, { iterations: 200, draw: seededDraws(1) }),
}

/**
 * The plan for orders that another solver has found (visit ids by installer). Its times are computed here. A visit that
 * is infeasible in its order is inserted at another position, if there is one.
 */
export function planInOrder(
  problem: RoundProblem,
  orders: ReadonlyMap<number, readonly number[]>,
  { draw }: Pick<SearchLimits, 'draw'>,
): RoundPlan {
  const model = dayModel(problem)
  const places = new Map(problem.visits.map(({ id }, place) => [id, place]))
  const byPlace = problem.installers.map(({ id }) => (orders.get(id) ?? []).flatMap((visit) => places.get(visit) ?? []))
  return toldPlan(problem, model, recreated(model, keptInOrder(model, byPlace), ordersOf(model), draw), false)
}

function solved(model: DayModel, start: DayPlan, limits: SearchLimits): [DayPlan, isExact: boolean] {
  const own = settledVisits(model)
  if (own?.every((visits) => visits.length <= maxExactVisits)) return [sequenced(model, start, own), true]
  const best = searched(model, start, limits)
  const short = best.routes.map(({ visits }) => (visits.length <= maxExactVisits ? visits : []))
  return [limits.isLate?.() === true ? best : sequenced(model, best, short), false]
}

/** The current days, as far as feasible, or a new plan if that is better. */
function startingPlan(model: DayModel, orders: readonly (readonly number[])[], { draw }: SearchLimits): DayPlan {
  const urgencies = ordersOf(model)
  const present = recreated(model, keptInOrder(model, orders), urgencies, draw)
  const fresh = recreated(model, emptyPlan(model), urgencies, draw)
  return planCost(model, fresh) < planCost(model, present) ? fresh : present
}

function presentOrders(problem: RoundProblem): number[][] {
  const places = new Map(problem.visits.map((visit, place) => [visit, place]))
  return problem.installers.map(({ id }) => presentVisits(problem, id).flatMap((visit) => places.get(visit) ?? []))
}

/** The orders without their infeasible visits. */
function keptInOrder(model: DayModel, orders: readonly (readonly number[])[]): DayPlan {
  const plan = emptyPlan(model)
  const routes = plan.routes.map((empty) => {
    const order = orders[empty.installer] ?? []
    const whole = dayRoute(model, empty.installer, order)
    if (whole !== null) return whole
    return order.reduce<DayRoute>((day, visit) => dayRoute(model, day.installer, [...day.visits, visit]) ?? day, empty)
  })
  const served = new Set(routes.flatMap(({ visits }) => visits))
  return withRoutes(
    plan,
    routes,
    plan.absent.filter((visit) => !served.has(visit)),
  )
}

/** Each installer's visits, if each visit has only one possible installer; otherwise null. */
function settledVisits(model: DayModel): number[][] | null {
  const own: number[][] = Array.from({ length: model.installers }, () => [])
  for (let visit = 0; visit < model.visits; visit++) {
    const able = own.flatMap((_, installer) => (isEligible(model, installer, visit) ? [installer] : []))
    if (able.length > 1) return null
    own[able[0] ?? -1]?.push(visit)
  }
  return own
}

/**
 * The plan with the best choice and order of each installer's `visits`. A day is unchanged if there is no better one.
 */
function sequenced(model: DayModel, plan: DayPlan, visits: readonly (readonly number[])[]): DayPlan {
  const routes = plan.routes.map((route) => {
    const worth = route.visits.reduce((sum, visit) => sum + (model.worth[visit] ?? 0), 0)
    const order = exactRound(model, route.installer, visits[route.installer] ?? [], { worth, travel: route.travel })
    return order === null || order.length === 0 ? route : (dayRoute(model, route.installer, order) ?? route)
  })
  const served = new Set(routes.flatMap(({ visits }) => visits))
  return withRoutes(
    plan,
    routes,
    Array.from({ length: model.visits }, (_, visit) => visit).filter((visit) => !served.has(visit)),
  )
}

function toldPlan(problem: RoundProblem, model: DayModel, plan: DayPlan, isExact: boolean): RoundPlan {
  const rounds = plan.routes.flatMap((route) => toldRound(problem, model, route))
  return {
    rounds,
    unserved: plan.absent.flatMap((place) => {
      const visit = problem.visits[place]
      return visit === undefined ? [] : { visit: visit.id, reason: reasonOf(problem, model, place) }
    }),
    before: summed(presentRounds(problem)),
    after: summed(rounds),
    isExact,
    avertissements: [],
  }
}

/** The round of a day as the plan returns it, with each visit as early as possible. */
function toldRound(
  problem: RoundProblem,
  { origin }: DayModel,
  { installer, visits, over }: DayRoute,
): RoundPlan['rounds'][number][] {
  const who = problem.installers[installer]
  if (who === undefined) return []
  const inOrder = visits.flatMap((visit) => problem.visits[visit] ?? [])
  return [roundOf(problem, who, inOrder, ({ duration }, at) => origin + (over[at] ?? 0) - duration)]
}

function reasonOf(
  { installers, visits }: RoundProblem,
  model: DayModel,
  place: number,
): RoundPlan['unserved'][number]['reason'] {
  const visit = visits[place]
  if (visit === undefined || !installers.some((installer) => canDo(installer, visit))) return 'competence'
  return installers.some((_, installer) => isEligible(model, installer, place)) ? 'journee_pleine' : 'fenetre'
}
