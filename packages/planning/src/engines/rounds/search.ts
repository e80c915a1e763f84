import type { DayModel } from './day-model.js'
import { type DayPlan, planCost } from './day-plan.js'
import type { Draw } from './draws.js'
import { askEvery, locallyBest } from './local-search.js'
import { ordersOf, recreated } from './recreate.js'
import { neighboursOf, ruined } from './ruin.js'

/** The bounds and the random numbers of a search. */
export interface SearchLimits {
  /** How often a part of the plan is removed and inserted again; with `draw`, it determines the answer. */
  readonly iterations: number
  readonly draw: Draw
  /** Called now and then. When it returns true the search ends early, and its answer then depends on the machine. */
  readonly isOver?: () => boolean
  /** Called now and then in the steps after the search. When it returns true, the current plan is the answer. */
  readonly isLate?: () => boolean
}

/** The temperature of the annealing at its start and end, as a share of the mean travel between two visits. */
const hottest = 1
const coldest = 0.01

/**
 * Ruin and recreate under simulated annealing from the given plan, then local search on the best plan found: never
 * worse than the given plan.
 */
export function searched(model: DayModel, from: DayPlan, limits: SearchLimits): DayPlan {
  const { iterations, draw, isOver, isLate } = limits
  const neighbours = neighboursOf(model)
  const orders = ordersOf(model)
  const mean = meanTravel(model)
  let current = from
  let cost = planCost(model, current)
  let best = current
  let leastCost = cost
  for (let iteration = 0; iteration < iterations; iteration++) {
    if (iteration % askEvery === 0 && isOver?.() === true) break
    const temperature = mean * hottest * (coldest / hottest) ** (iteration / iterations)
    const candidate = recreated(model, ruined(model, current, neighbours, draw), orders, draw)
    const itsCost = planCost(model, candidate)
    if (itsCost >= cost - temperature * Math.log(draw())) continue
    current = candidate
    cost = itsCost
    if (cost >= leastCost) continue
    best = current
    leastCost = cost
  }
  return locallyBest(model, best, isLate)
}

/** The mean travel between two visits, in seconds; at least 1. */
function meanTravel({ visits, travel }: DayModel): number {
  return Math.max(1, travel.reduce((sum, seconds) => sum + seconds, 0) / Math.max(1, visits * (visits - 1)))
}
