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

/** Processor time for tasks that belong together. A limit by the clock would fail on a busy machine. */
export interface TimeBudget {
  /** The limit for each task. */
  readonly eachMs: number
  /** The limit for all remaining tasks together. */
  leftMs: number
}

export interface DrawingProcess {
  /**
   * Runs a task after those of earlier calls. The processor time that it uses is subtracted from `time`.
   * @throws TaskExceeded, AbortError when the drawing process is closed
   */
  run<K extends DrawingTask['kind']>(task: DrawingTask & { kind: K }, time: TimeBudget): Promise<DrawingResults[K]>
  /** Ends the process; a task in progress fails. */
  close(): Promise<void>
}

export interface DrawingProcessOptions {
  readonly maxMemoryMb: number
  /** How long the process is kept without a task, in milliseconds. */
  readonly idleMs: number
}

type Outcome = DrawingMessage | { readonly kind: 'overdue' } | { readonly kind: 'exit' }

const whenClosed = () => new DOMException('the renderer is closed', 'AbortError')
const startTimeoutMs = 30_000

/** By the clock, a task may take this many times its allowed processor time before it counts as hanging. */
const patience = 6

/** The child's program: `.js` as published, or `.ts` if Node runs the sources. The child inherits its `--import`. */
const entry = () => fileURLToPath(new URL(`./drawing-child${extname(import.meta.url)}`, import.meta.url))

/** Inherited environment variables. Others may contain secrets, which an exploited decoder could read. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'LANG', 'LD_LIBRARY_PATH']

/**
 * Draws in a separate process. A thread would share the memory outside the heap and the platform's thread pool, and a
 * crash of a library would end the service. The first task starts the process; it ends after some idle time.
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
    // A signal that was meant for the service ended the child before it could ignore signals.
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
    // Errors are ignored: if the message cannot be sent, the child has ended or is about to end.
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
    // Tries twice: the first failure may come from an earlier task's memory, or from a signal for the service.
    for (const isLast of [false, true]) {
      if (time.leftMs <= 0) throw new TaskExceeded('earlier pictures used up the time limit')
      const isFresh = child === null
      const outcome = closed ? null : await attempt(task, time)
      if (closed || outcome === null) throw whenClosed()
      if (outcome.kind === 'result') return outcome.result
      if (outcome.kind === 'failure') throw new Error(outcome.error)
      if (outcome.kind === 'timeout' || outcome.kind === 'overdue') throw new TaskExceeded('the drawing took too long')
      if (outcome.kind === 'exceeded' && (isFresh || isLast))
        throw new TaskExceeded(`the drawing took more than ${maxMemoryMb} MB`)
      if (isLast) throw new TaskExceeded('the process ended while it drew this')
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
    // Waits 50 ms more: after a pause of this process, the timer may fire before a waiting answer is read.
    const late = () => {
      timer = setTimeout(decide, 50, { kind: 'overdue' })
    }
    let timer = timeoutMs === null ? undefined : setTimeout(late, timeoutMs)
    child.on('message', decide).on('exit', ended).on('error', ended)
  })
}
