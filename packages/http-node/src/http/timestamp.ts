import type { Reason } from '@sav/core'
import { maxSkewSeconds, type ReplayProblem, reason, replayProblem } from '@sav/core/internal'

/** What is wrong with the `X-Request-Timestamp` of a write, and what to do about it; null when nothing is. */
export function timestampProblem(header: string | undefined, nowMs: number): Reason | null {
  const problem = replayProblem(header, nowMs)
  return problem === null ? null : reasonOf(problem)
}

function reasonOf(problem: ReplayProblem): Reason {
  if (problem === 'missing') return reason('timestamp_missing')
  if (problem === 'not_an_integer') return reason('timestamp_not_integer')
  if (problem === 'in_milliseconds') return reason('timestamp_in_milliseconds')
  const { outside } = problem
  const params = { seconds: Math.abs(outside), max: maxSkewSeconds }
  return outside < 0 ? reason('timestamp_behind', params) : reason('timestamp_ahead', params)
}
