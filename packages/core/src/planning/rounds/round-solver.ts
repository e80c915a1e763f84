import type { RoundPlan, RoundProblem } from './round-problem.js'

/**
 * Finds who visits whom, when: here (`solveRounds`, in a thread of its own), or a solver outside. Aims, in this order:
 * as many visits served as can be, promised ones first; least travel; an early end of the day,
 * which is the last installer's.
 */
export interface RoundSolver {
  /**
   * Never rejects for a solver outside that is away or slow: another answers, and `avertissements` says so.
   * @param signal aborted when nobody waits for the plan any more: it rejects then with that reason, as soon as it can
   */
  solve(problem: RoundProblem, signal?: AbortSignal): Promise<RoundPlan>
}
