import { readdirSync, readFileSync } from 'node:fs'

type Pids = readonly (number | undefined)[]

/**
 * Begins to measure the duration of work that this process requests from other processes. The returned function returns
 * the milliseconds since then, minus the time in which a ready thread had no core: of this process, and of the thread
 * in `pids` that waited longest. So a busy machine does not count as a slow service. Only Linux reports these waits; on
 * other systems nothing is subtracted.
 */
export function ownTime(...pids: Pids): () => number {
  const startedAt = performance.now()
  const waits = [increases([process.pid]), increases(pids)]
  return () => {
    const elapsedMs = performance.now() - startedAt
    // Which process waits for which is unknown, so the waits are treated as independent.
    return waits.reduce((ms, waited) => ms * Math.max(0, 1 - waited('waitedMs') / elapsedMs), elapsedMs)
  }
}

/** Begins to measure the milliseconds that `ownTime` subtracts. */
export function timeWithoutCore(...pids: Pids): () => number {
  const startedAt = performance.now()
  const own = ownTime(...pids)
  return () => performance.now() - startedAt - own()
}

/** Begins to measure for how many milliseconds the busiest thread of these processes runs on a core. */
export function busiestThread(...pids: Pids): () => number {
  const threads = increases(pids)
  return () => threads('ranMs')
}

/** The ids of all processes that `pid` started, directly or through others. */
export function descendants(pid = process.pid): number[] {
  if (process.platform !== 'linux') return []
  const threads = ifThere(() => readdirSync(`/proc/${pid}/task`)) ?? []
  const children = threads.flatMap((thread) => {
    const pids = ifThere(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')) ?? ''
    return pids.split(' ').filter(Boolean).map(Number)
  })
  return [...children, ...children.flatMap((child) => descendants(child))]
}

interface Thread {
  readonly ranMs: number
  /** How long the thread was ready to run, but had no core. */
  readonly waitedMs: number
}

/** Begins to measure how much a value grows in the thread of these processes in which it grows most. */
function increases(pids: Pids): (of: keyof Thread) => number {
  const processes = pids.flatMap((pid) => (pid === undefined ? [] : [{ pid, before: threadsOf(pid) }]))
  return (of) => {
    const each = processes.flatMap(({ pid, before }) =>
      Array.from(threadsOf(pid), ([thread, after]) => after[of] - (before.get(thread)?.[of] ?? 0)),
    )
    return Math.max(0, ...each)
  }
}

/** The threads of a process by id; empty if the process has ended. */
function threadsOf(pid: number): ReadonlyMap<string, Thread> {
  if (process.platform !== 'linux') return new Map()
  const threads = ifThere(() => readdirSync(`/proc/${pid}/task`)) ?? []
  return new Map(
    threads.flatMap((thread) => {
      const times = ifThere(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
      if (times === undefined) return []
      const [ranMs = 0, waitedMs = 0] = times.split(' ').map((ns) => Number(ns) / 1e6)
      return [[thread, { ranMs, waitedMs }] as const]
    }),
  )
}

/** The result of `read`; undefined if the thread or process has ended meanwhile. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code))) return undefined
    throw error
  }
}
