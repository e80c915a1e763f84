import type { RoundSolver } from '@sav/core/ports'
import { seededDraws } from './draws.js'
import { solveRounds } from './solve-rounds.js'

/** Solves in the thread that asks, with few tries, so that it is not held for long; `solverInThread` takes its time. */
export const inlineSolver: RoundSolver = {
  solve: async (problem) => solveRounds(problem, { iterations: 200, draw: seededDraws(1) }),
}
