import { expect, it } from 'vitest'
import { isSameRequest } from './interruption.js'

const [interrupted, terminated, hungUp] = [130, 143, 129]

it.each([
  ['a second SIGTERM within a second is the same request', terminated, 999, true],
  ['a SIGHUP right after a SIGTERM is the same request', hungUp, 999, true],
  ['a SIGTERM a second later ends the process at once', terminated, 1000, false],
  ['a second Ctrl-C ends the process at once', interrupted, 1, false],
])('%s', (_, exitCode, afterMs, same) => {
  expect(isSameRequest(exitCode, 5000, 5000 + afterMs)).toBe(same)
})

it('the first signal is not a repetition of an earlier one', () => {
  expect(isSameRequest(terminated, null, 5000)).toBe(false)
})
