import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { RoundPlan, RoundProblem, RoundSolver } from './rounds/round-problem.js'
import type { ThreadAnswer, ThreadTask } from './solver-thread.js'

/** The bounds of one search. */
export interface ThreadOptions {
  /** How often a part of the plan is removed and inserted again. Default: by the number of visits. */
  readonly iterations?: (visits: number) => number
  /**
   * When the search ends with its best plan. Default: 4 s. The steps after it may take as long again. A plan cut short
   * by this may differ on another machine.
   */
  readonly limitMs?: number
  /** The same seed gives the same plan. Default: 1. */
  readonly seed?: number
  /** How long the thread is kept without a task. Default: 10 s. */
  readonly idleMs?: number
}

/** Plans rounds in threads, which `close` ends. */
export interface ThreadSolver extends RoundSolver {
  /**
   * Each problem has its own thread. The caller limits how many are solved at once: the service solves at most two.
   * @throws Error when its thread ends, or takes half a minute beyond its limit; the reason of `signal`, as soon as
   *   `signal` is aborted
   */
  solve(problem: RoundProblem, signal?: AbortSignal): Promise<RoundPlan>
  /** Ends the threads; their tasks fail. */
  close(): Promise<void>
}

/** How much longer than its limit a task may take, for the start of the thread, the exact orders, or a busy machine. */
const graceMs = 30_000

/**
 * The module of the thread: `.js` as published, or `.ts` if Node runs the sources. In the second case, the thread
 * inherits the `--import` of this process.
 */
const entry = () => new URL(`./solver-thread${extname(import.meta.url)}`, import.meta.url)

const iterationsFor = (visits: number) => 1000 + 200 * visits

/**
 * Solves in threads, so that only the caller waits. A problem without an idle thread starts one. A thread without a
 * problem does not keep the process alive, and ends after a while.
 */
export function solverInThread({
  iterations = iterationsFor,
  limitMs = 4000,
  seed = 1,
  idleMs = 10_000,
}: ThreadOptions = {}): ThreadSolver {
  const threads = new Set<Worker>()
  /** Threads without a problem, with the timers that end them. */
  const idle = new Map<Worker, NodeJS.Timeout>()
  let closed = false

  function start(): Worker {
    // The thread gets no environment, since that holds secrets.
    const started = new Worker(entry(), { env: {}, name: 'rounds' })
    threads.add(started)
    // `exit` follows; an `error` without a listener would end this process.
    started.on('error', () => {})
    started.once('exit', () => {
      threads.delete(started)
      clearTimeout(idle.get(started))
      idle.delete(started)
    })
    return started
  }

  function take(): Worker {
    const [found] = idle
    if (found === undefined) return start()
    const [thread, timer] = found
    clearTimeout(timer)
    idle.delete(thread)
    thread.ref()
    return thread
  }

  function leave(thread: Worker): void {
    thread.unref()
    const end = () => {
      idle.delete(thread)
      void thread.terminate()
    }
    idle.set(thread, setTimeout(end, idleMs).unref())
  }

  return {
    async solve(problem, signal) {
      if (closed) throw new Error('the solver is closed')
      signal?.throwIfAborted()
      const thread = take()
      const task: ThreadTask = { problem, iterations: iterations(problem.visits.length), seed, limitMs }
      try {
        const answer = answerOf(thread, limitMs + graceMs, signal)
        thread.postMessage(task)
        const plan = planIn(await answer)
        leave(thread)
        return plan
      } catch (error) {
        await thread.terminate()
        throw error
      }
    },
    async close() {
      closed = true
      await Promise.all([...threads].map((thread) => thread.terminate()))
    },
  }
}

/** Settles at the first of these: the answer, the end of the thread, the time limit, an abort of `signal`. */
function answerOf(solving: Worker, timeoutMs: number, signal: AbortSignal | undefined): Promise<ThreadAnswer> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', left)
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
    const left = () => {
      settle()
      reject(signal?.reason)
    }
    const timer = setTimeout(() => failed(new Error('it took too long')), timeoutMs)
    signal?.addEventListener('abort', left, { once: true })
    solving.on('message', answered).on('error', failed).on('exit', ended)
  })
}

function planIn(answer: ThreadAnswer): RoundPlan {
  if ('error' in answer) throw new Error(`the rounds could not be planned: ${answer.error}`)
  return answer.plan
}
