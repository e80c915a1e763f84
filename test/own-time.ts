import { readdirSync, readFileSync } from 'node:fs'

/**
 * Begins to measure how long something takes that this process asks of others. The returned function tells the milliseconds since
 * then, without those in which the machine had no core for a thread that was ready to run: of this process, and of the one among
 * `pids` that waited longest. So a machine with much else to do is not taken for a slow service. Linux alone tells; elsewhere
 * nothing is left out.
 */
export function ownTime(...pids: readonly (number | undefined)[]): () => number {
  const startedAt = performance.now()
  const processes = [process.pid, ...pids.filter((pid) => pid !== undefined)].map((pid) => ({
    pid,
    before: waits(pid),
  }))
  return () => {
    const elapsedMs = performance.now() - startedAt
    const [own = 0, ...others] = processes.map(({ pid, before }) => longest(waits(pid), before))
    return elapsedMs - own - Math.max(0, ...others)
  }
}

const longest = (after: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>) =>
  Math.max(0, ...Array.from(after, ([thread, ms]) => ms - (before.get(thread) ?? 0)))

/** How long each thread of a process has waited for a core, in milliseconds. None of a process that is gone. */
function waits(pid: number): ReadonlyMap<string, number> {
  if (process.platform !== 'linux') return new Map()
  const threads = ifThere(() => readdirSync(`/proc/${pid}/task`)) ?? []
  return new Map(
    threads.flatMap((thread) => {
      const times = ifThere(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))
      return times === undefined ? [] : [[thread, Number(times.split(' ')[1]) / 1e6] as const]
    }),
  )
}

/** Threads and processes may end between two looks. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code))) return undefined
    throw error
  }
}
