import { expect, it } from 'vitest'
import { Repeats } from './repeats.js'

it('a repeated message is logged every ten seconds, with the number of suppressed ones', () => {
  let now = 0
  const repeats = new Repeats(() => now)
  const at = (ms: number, what = 'away') => {
    now = ms
    return repeats.note(what)
  }
  expect([at(0), at(1), at(9_999), at(9_999, 'full'), at(10_000), at(10_001)]).toEqual([0, null, null, 0, 2, null])
  expect([at(20_000), at(50_000)]).toEqual([1, 0])
})
