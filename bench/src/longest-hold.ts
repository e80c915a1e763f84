/** What a call came to, and the longest time for which it kept this process from anything else, in milliseconds. */
export interface HoldResult<T> {
  readonly value: T
  readonly longestMs: number
}

/**
 * Runs something while a chain of immediates watches when each of them has its turn: what comes between two of them is
 * how long somebody else had to wait.
 */
export async function longestHold<T>(call: () => Promise<T>): Promise<HoldResult<T>> {
  let longestMs = 0
  let last = performance.now()
  let watching: NodeJS.Immediate
  const watch = () => {
    const now = performance.now()
    longestMs = Math.max(longestMs, now - last)
    last = now
    watching = setImmediate(watch)
  }
  watching = setImmediate(watch)
  const value = await call()
  longestMs = Math.max(longestMs, performance.now() - last)
  clearImmediate(watching)
  return { value, longestMs }
}
