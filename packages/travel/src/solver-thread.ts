import { parentPort } from 'node:worker_threads'
import type { RoundPlan, RoundProblem } from '@sav/core/ports'
import { seededDraws } from './rounds/draws.js'
import { solveRounds } from './rounds/solve-rounds.js'

/** One task of the thread. */
export interface ThreadTask {
  readonly problem: RoundProblem
  readonly iterations: number
  readonly seed: number
  /** When it has to come to an end with what it has found. */
  readonly limitMs: number
}

export type ThreadAnswer = { readonly plan: RoundPlan } | { readonly error: string }

/** Runs in the thread of `solverInThread`: a task, an answer. */
parentPort?.on('message', (task: ThreadTask) => parentPort?.postMessage(answerTo(task)))

function answerTo({ problem, iterations, seed, limitMs }: ThreadTask): ThreadAnswer {
  const startedAt = performance.now()
  try {
    const isOver = () => performance.now() - startedAt >= limitMs
    return { plan: solveRounds(problem, { iterations, draw: seededDraws(seed), isOver }) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
