/** The solver of rounds and what it needs, for who runs it beside the service: nothing else is loaded. */
export { type Draw, seededDraws } from './planning/rounds/draws.js'
export type {
  PlannedVisit,
  Round,
  RoundInstaller,
  RoundPlan,
  RoundProblem,
  RoundVisit,
  Span,
  Travel,
  UnservedReason,
} from './planning/rounds/round-problem.js'
export type { RoundSolver } from './planning/rounds/round-solver.js'
export type { SearchLimits } from './planning/rounds/search.js'
export { planInOrder, solveRounds } from './planning/rounds/solve-rounds.js'
export type { Point, TravelTable, TravelTimes } from './planning/travel/travel-times.js'
