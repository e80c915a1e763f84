import { type Reason, reason } from '../refusals/reason.js'

/** How far a write's timestamp may be from the server's clock, either way, inclusive. */
const maxSkewSeconds = 300

/**
 * What is wrong with the `X-Request-Timestamp` of a write (Unix seconds, UTC), and what to do about it; null when it is within the
 * window.
 * @param nowMs the server's clock in milliseconds
 */
export function timestampProblem(header: string | undefined, nowMs: number): Reason | null {
  if (header === undefined) return reason('timestamp_missing')
  if (!/^\d{1,15}$/.test(header)) return reason('timestamp_not_integer')
  // A number this large would be past the year 5000 in seconds: the caller sent milliseconds.
  if (Number(header) >= 1e11) return reason('timestamp_in_milliseconds')
  const ahead = Number(header) - Math.floor(nowMs / 1000)
  const seconds = Math.abs(ahead)
  if (seconds <= maxSkewSeconds) return null
  return reason(ahead < 0 ? 'timestamp_behind' : 'timestamp_ahead', { seconds, max: maxSkewSeconds })
}
