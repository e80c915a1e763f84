import { parentPort } from 'node:worker_threads'
import { seededDraws } from './engines/rounds/draws.js'
import { solveRounds } from './engines/rounds/solve-rounds.js'
import type { RoundPlan, RoundProblem } from './rounds/round-problem.js'

/** One task of the thread. */
export interface ThreadTask {
  readonly problem: RoundProblem
  readonly iterations: number
  readonly seed: number
  /** When the search must end with its best plan; the steps after it may take as long again. */
  readonly limitMs: number
}

export type ThreadAnswer = { readonly plan: RoundPlan } | { readonly error: string }

/** Runs in the thread of `solverInThread`: one answer for each task. */
parentPort?.on('message', (task: ThreadTask) => parentPort?.postMessage(answerTo(task)))

function answerTo({ problem, iterations, seed, limitMs }: ThreadTask): ThreadAnswer {
  const startedAt = performance.now()
  try {
    const hasTaken = (ms: number) => performance.now() - startedAt >= ms
    const [isOver, isLate] = [() => hasTaken(limitMs), () => hasTaken(2 * limitMs)]
    return { plan: solveRounds(problem, { iterations, draw: seededDraws(seed), isOver, isLate }) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
