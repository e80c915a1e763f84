/** The result of a call, and the longest time for which it blocked this process, in milliseconds. */
export interface HoldResult<T> {
  readonly value: T
  readonly longestMs: number
}

/**
 * Runs a call while a chain of immediates records each turn of the event loop. The time between two turns is how long
 * others had to wait.
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
