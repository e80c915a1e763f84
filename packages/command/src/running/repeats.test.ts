import { expect, it } from 'vitest'
import { Repeats } from './repeats.js'

it('logs a repeated message every ten seconds, with how often it was suppressed', () => {
  let now = 0
  const repeats = new Repeats(() => now)
  const at = (ms: number, what = 'away') => {
    now = ms
    return repeats.note(what)
  }
  expect([at(0), at(1), at(9_999), at(9_999, 'full'), at(10_000), at(10_001)]).toEqual([0, null, null, 0, 2, null])
  expect([at(20_000), at(50_000)]).toEqual([1, 0])
})
