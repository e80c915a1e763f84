import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { RoundPlan, RoundProblem, RoundSolver } from '@sav/core/ports'
import type { ThreadAnswer, ThreadTask } from './thread-task.js'

/** The bounds of one planning. */
export interface ThreadOptions {
  /** How often a part of the plan is tried anew: by the number of visits by default. */
  readonly iterations?: (visits: number) => number
  /** When the search ends with what it has found; 4 s by default. A plan that it cuts short may differ on another machine. */
  readonly limitMs?: number
  /** The same seed gives the same plan; 1 by default. */
  readonly seed?: number
  /** How long the thread is kept without a task; 10 s by default. */
  readonly idleMs?: number
}

/** Plans rounds in a thread of its own, which `close` ends. */
export interface ThreadSolver extends RoundSolver {
  /**
   * Problems are solved one at a time, in the order of the calls.
   * @throws Error when the thread ends, or takes half a minute beyond its limit
   */
  solve(problem: RoundProblem): Promise<RoundPlan>
  /** Ends the thread; what it is at, and what waits, fails. */
  close(): Promise<void>
}

/** Beside the search: the start of the thread, exact orders, a machine with much else to do. */
const graceMs = 30_000

/** `.js` as published; `.ts` where Node runs the sources, for which it inherits the `--import` of this process. */
const entry = new URL(`./solver-thread${extname(import.meta.url)}`, import.meta.url)

const iterationsFor = (visits: number) => 1000 + 200 * visits

/**
 * Solves in a thread of its own, so that nobody waits for it but who asked. It is started by the first problem, does not
 * keep the process alive without one, and ends when there is none for a while.
 */
export function solverInThread({
  iterations = iterationsFor,
  limitMs = 4000,
  seed = 1,
  idleMs = 10_000,
}: ThreadOptions = {}): ThreadSolver {
  let thread: Worker | null = null
  let closed = false
  let last: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined

  async function end(): Promise<void> {
    const ending = thread
    thread = null
    await ending?.terminate()
  }

  function start(): Worker {
    // Nothing of the environment: it holds secrets.
    const started = new Worker(entry, { env: {}, name: 'rounds' })
    // Told by its end as well; unheard it would end this process.
    started.on('error', () => {})
    started.once('exit', () => {
      if (thread === started) thread = null
    })
    return started
  }

  async function run(problem: RoundProblem): Promise<RoundPlan> {
    if (closed) throw new Error('the solver is closed')
    clearTimeout(idle)
    thread ??= start()
    const solving = thread
    solving.ref()
    const task: ThreadTask = { problem, iterations: iterations(problem.visits.length), seed, limitMs }
    try {
      const answer = answerOf(solving, limitMs + graceMs)
      solving.postMessage(task)
      return planIn(await answer)
    } catch (error) {
      await end()
      throw error
    } finally {
      solving.unref()
      idle = setTimeout(end, idleMs).unref()
    }
  }

  return {
    solve(problem) {
      const plan = last.then(() => run(problem))
      last = plan.catch(() => {})
      return plan
    },
    async close() {
      closed = true
      clearTimeout(idle)
      await end()
    },
  }
}

/** What comes first: its answer, its end, or the end of the time. */
function answerOf(solving: Worker, timeoutMs: number): Promise<ThreadAnswer> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer)
      solving.off('message', answered).off('error', failed).off('exit', ended)
    }
    const answered = (answer: ThreadAnswer) => {
      settle()
      resolve(answer)
    }
    const failed = (cause: Error) => {
      settle()
      reject(new Error(`the solver’s thread failed: ${cause.message}`, { cause }))
    }
    const ended = () => failed(new Error('it has ended'))
    const timer = setTimeout(() => failed(new Error('it took too long')), timeoutMs)
    solving.on('message', answered).on('error', failed).on('exit', ended)
  })
}

function planIn(answer: ThreadAnswer): RoundPlan {
  if ('error' in answer) throw new Error(`the rounds could not be planned: ${answer.error}`)
  return answer.plan
}
