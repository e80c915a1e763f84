import { parentPort } from 'node:worker_threads'
import { seededDraws } from './rounds/draws.js'
import { solveRounds } from './rounds/solve-rounds.js'
import type { ThreadAnswer, ThreadTask } from './thread-task.js'

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
