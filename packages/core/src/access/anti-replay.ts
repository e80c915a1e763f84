/** How far a write's timestamp may be from the server's clock, either way, inclusive. */
const windowSeconds = 300

/**
 * Null when the `X-Request-Timestamp` header (Unix seconds, UTC) is within the window, else what is wrong with it.
 * @param nowMs the server's clock in milliseconds
 */
export function replayProblem(header: string | undefined, nowMs: number): string | null {
  if (header === undefined) return 'X-Request-Timestamp is missing: send the Unix time in seconds with every write.'
  if (!/^\d{1,15}$/.test(header)) return 'X-Request-Timestamp must be an integer: the Unix time in seconds.'
  const off = Number(header) - Math.floor(nowMs / 1000)
  if (Math.abs(off) <= windowSeconds) return null
  return `X-Request-Timestamp is ${Math.abs(off)} s ${off < 0 ? 'behind' : 'ahead of'} the server: at most ${windowSeconds} s are accepted. Synchronise the clock (NTP).`
}
