import { expect, it } from 'vitest'
import { timestampProblem } from './timestamp.js'

const nowSeconds = 1_768_473_000
const problemAt = (header: string | undefined) => timestampProblem(header, nowSeconds * 1000)?.message ?? null

it('a timestamp that is absent is asked for', () => {
  expect(problemAt(undefined)).toBe('X-Request-Timestamp is missing: send the Unix time in seconds with every write.')
})

it.each(['', 'now', `${nowSeconds}.5`, '2026-01-15T10:30:00Z', `${nowSeconds}, ${nowSeconds}`])(
  'a timestamp of %j is told what it must be',
  (header) => {
    expect(problemAt(header)).toBe('X-Request-Timestamp must be an integer: the Unix time in seconds.')
  },
)

it('a timestamp in milliseconds is told so', () => {
  expect(problemAt(String(nowSeconds * 1000))).toBe(
    'X-Request-Timestamp is in milliseconds: divide it by 1000 and send the Unix time in whole seconds.',
  )
})

it.each([
  [-301, '301 s behind the server'],
  [400, '400 s ahead of the server'],
])('a timestamp that is %i s off is told how far, which way, and what to do', (off, which) => {
  expect(problemAt(String(nowSeconds + off))).toBe(
    `X-Request-Timestamp is ${which}: at most 300 s are accepted. Synchronise the clock (NTP).`,
  )
})

it.each([-300, 0, 300])('a timestamp that is %i s off has no problem', (off) => {
  expect(problemAt(String(nowSeconds + off))).toBeNull()
})
