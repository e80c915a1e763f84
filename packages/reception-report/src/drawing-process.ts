import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type DrawingMessage,
  type DrawingOrder,
  type DrawingResults,
  type DrawingTask,
  stopSignals,
} from './drawing-task.js'

/** A task exceeded its time or memory, or ended the process twice. */
export class TaskExceeded extends Error {}

/** Processor time for tasks that belong together. Time by the clock would fail on a busy machine. */
export interface TimeBudget {
  /** For each of them. */
  readonly eachMs: number
  /** For all remaining ones. */
  leftMs: number
}

export interface DrawingProcess {
  /**
   * Tasks run one at a time, in the order of the calls. The time of a task, once it has begun, is subtracted from
   * `time`.
   * @throws TaskExceeded, AbortError when it is closed
   */
  run<K extends DrawingTask['kind']>(task: DrawingTask & { kind: K }, time: TimeBudget): Promise<DrawingResults[K]>
  /** Ends the process; its task fails. */
  close(): Promise<void>
}

export interface DrawingProcessOptions {
  readonly maxMemoryMb: number
  /** How long it is kept without a task. */
  readonly idleMs: number
}

type Outcome = DrawingMessage | { readonly kind: 'overdue' } | { readonly kind: 'exit' }

const whenClosed = () => new DOMException('the renderer is closed', 'AbortError')
const startTimeoutMs = 30_000

/** How many times its processor time a task may take by the clock, before it counts as hanging. */
const patience = 6

/** `.js` as published; `.ts` if Node runs the sources, for which it inherits the `--import` of this process. */
const entry = () => fileURLToPath(new URL(`./drawing-child${extname(import.meta.url)}`, import.meta.url))

/** The inherited environment. The rest may contain secrets, which an exploited decoder could read. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG', 'LD_LIBRARY_PATH']

/**
 * Draws in a separate process: a thread would share memory outside the heap, the platform's pool of threads, and
 * crashes of libraries. It is started by the first task and ends when it is idle for a while.
 */
export function createDrawingProcess({ maxMemoryMb, idleMs }: DrawingProcessOptions): DrawingProcess {
  let child: ChildProcess | null = null
  let closed = false
  let last: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined

  async function end(): Promise<void> {
    const ending = child
    child = null
    if (ending === null || hasEnded(ending)) return
    const exit = outcomeOf(ending, null)
    // The child keeps this process alive until it exits, so that the caller of `close` can close the rest.
    hold(ending, true)
    ending.kill('SIGKILL')
    while ((await exit).kind !== 'exit' && !hasEnded(ending)) await outcomeOf(ending, null)
  }

  async function start(): Promise<ChildProcess> {
    const env: NodeJS.ProcessEnv = Object.fromEntries(inherited.map((name) => [name, process.env[name]]))
    const heapMb = Math.ceil(maxMemoryMb / 2)
    env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --max-old-space-size=${heapMb}`
    const started = fork(entry(), [`${maxMemoryMb * 1024 * 1024}`], {
      env,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    child = started
    let complaint = ''
    started.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-2000)
    })
    started.on('error', (error) => {
      complaint += error.message
    })
    if ((await outcomeOf(started, startTimeoutMs)).kind === 'ready') return started
    await end()
    if (closed) throw whenClosed()
    // A signal to all processes of the service ends a child that does not handle it yet.
    if (stopSignals.some((signal) => signal === started.signalCode)) return start()
    throw new Error(
      `the drawing process did not start: ${complaint.trim() || `does it need more than ${maxMemoryMb} MB?`}`,
    )
  }

  async function attempt(task: DrawingTask, time: TimeBudget): Promise<Outcome> {
    clearTimeout(idle)
    const drawing = child !== null && !hasEnded(child) ? child : await start()
    hold(drawing, true)
    const startedAt = performance.now()
    const order: DrawingOrder = { task, allowedMs: Math.min(time.eachMs, time.leftMs) }
    const answer = outcomeOf(drawing, patience * order.allowedMs)
    // If the message cannot be sent, the child has ended or is about to.
    drawing.send(order, () => {})
    const outcome = await answer
    time.leftMs -= 'spentMs' in outcome ? outcome.spentMs : performance.now() - startedAt
    if (outcome.kind !== 'result' && outcome.kind !== 'failure') {
      await end()
      return outcome
    }
    hold(drawing, false)
    idle = setTimeout(end, idleMs).unref()
    return outcome
  }

  async function runInTurn(task: DrawingTask, time: TimeBudget): Promise<DrawingResults[keyof DrawingResults]> {
    // Memory left by an earlier task, or a signal for the service, is not this task's fault.
    for (const isLast of [false, true]) {
      if (time.leftMs <= 0) throw new TaskExceeded('earlier pictures took all of the time')
      const isFresh = child === null
      const outcome = closed ? null : await attempt(task, time)
      if (closed || outcome === null) throw whenClosed()
      if (outcome.kind === 'result') return outcome.result
      if (outcome.kind === 'failure') throw new Error(outcome.error)
      if (outcome.kind === 'timeout' || outcome.kind === 'overdue') throw new TaskExceeded('it took too long')
      if (outcome.kind === 'exceeded' && (isFresh || isLast))
        throw new TaskExceeded(`it took more than ${maxMemoryMb} MB`)
      if (isLast) throw new TaskExceeded('it ended the drawing process')
    }
    throw new Error('unreachable')
  }

  return {
    run<K extends DrawingTask['kind']>(task: DrawingTask & { kind: K }, time: TimeBudget) {
      const result = last.then(() => runInTurn(task, time)) as Promise<DrawingResults[K]>
      last = result.catch(() => {})
      return result
    },
    async close() {
      closed = true
      clearTimeout(idle)
      await end()
    },
  }
}

const hasEnded = ({ exitCode, signalCode, pid }: ChildProcess) =>
  exitCode !== null || signalCode !== null || pid === undefined

/** Whether the child keeps this process alive. */
function hold(child: ChildProcess, isHeld: boolean): void {
  for (const held of [child, child.channel, child.stderr as Socket | null]) held?.[isHeld ? 'ref' : 'unref']()
}

/** The first of these: a message, the child's end, or the time limit. */
function outcomeOf(child: ChildProcess, timeoutMs: number | null): Promise<Outcome> {
  return new Promise((resolve) => {
    const decide = (outcome: Outcome) => {
      clearTimeout(timer)
      child.off('message', decide).off('exit', ended).off('error', ended)
      resolve(outcome)
    }
    const ended = () => decide({ kind: 'exit' })
    // After a pause of this process, the timer fires before an answer that has arrived is read.
    const late = () => {
      timer = setTimeout(decide, 50, { kind: 'overdue' })
    }
    let timer = timeoutMs === null ? undefined : setTimeout(late, timeoutMs)
    child.on('message', decide).on('exit', ended).on('error', ended)
  })
}
