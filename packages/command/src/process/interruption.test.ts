import { expect, it } from 'vitest'
import { isSameRequest } from './interruption.js'

const [interrupted, terminated, hungUp] = [130, 143, 129]

it.each([
  ['a second SIGTERM within a second is the first one', terminated, 999, true],
  ['a SIGHUP after it too', hungUp, 999, true],
  ['a SIGTERM a second later ends at once', terminated, 1000, false],
  ['who presses Ctrl-C again means it', interrupted, 1, false],
])('%s', (_, exitCode, afterMs, same) => {
  expect(isSameRequest(exitCode, 5000, 5000 + afterMs)).toBe(same)
})

it('is none before the first', () => {
  expect(isSameRequest(terminated, null, 5000)).toBe(false)
})
