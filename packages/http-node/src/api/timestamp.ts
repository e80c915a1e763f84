import { maxSkewSeconds, type ReplayProblem, replayProblem } from '@sav/core'

/** What is wrong with the `X-Request-Timestamp` of a write, and what to do about it; null when nothing is. */
export function timestampProblem(header: string | undefined, nowMs: number): string | null {
  const problem = replayProblem(header, nowMs)
  return problem === null ? null : sentenceOf(problem)
}

function sentenceOf(problem: ReplayProblem): string {
  if (problem === 'missing') return 'X-Request-Timestamp is missing: send the Unix time in seconds with every write.'
  if (problem === 'not_an_integer') return 'X-Request-Timestamp must be an integer: the Unix time in seconds.'
  const { outside } = problem
  return `X-Request-Timestamp is ${Math.abs(outside)} s ${outside < 0 ? 'behind' : 'ahead of'} the server: at most ${maxSkewSeconds} s are accepted. Synchronise the clock (NTP).`
}
