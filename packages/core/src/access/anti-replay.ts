/** How far a write's timestamp may be from the server's clock, either way, inclusive. */
export const maxSkewSeconds = 300

/** The fault in the timestamp of a write. `outside`: how many seconds it is ahead of the server's clock. */
export type ReplayProblem = 'missing' | 'not_an_integer' | 'in_milliseconds' | { readonly outside: number }

/**
 * The fault in a write's timestamp (Unix seconds, UTC); null when it is within the window.
 * @param nowMs the server's clock in milliseconds
 */
export function replayProblem(timestamp: string | undefined, nowMs: number): ReplayProblem | null {
  if (timestamp === undefined) return 'missing'
  if (!/^\d{1,15}$/.test(timestamp)) return 'not_an_integer'
  // In seconds it would be past the year 5000.
  if (Number(timestamp) >= 1e11) return 'in_milliseconds'
  const ahead = Number(timestamp) - Math.floor(nowMs / 1000)
  return Math.abs(ahead) <= maxSkewSeconds ? null : { outside: ahead }
}
