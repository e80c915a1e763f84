import { expect, it } from 'vitest'
import { seededRandom } from './seeded-random.js'

it('the same seed gives the same bytes, however they are asked for', () => {
  const [whole, parts] = [seededRandom(42), seededRandom(42)]
  expect([...parts(3), ...parts(0), ...parts(5)]).toEqual([...whole(8)])
})

it('seeds differ from each other, also neighbours', () => {
  const starts = Array.from({ length: 1_000 }, (_, seed) => seededRandom(seed)(16).join())
  expect(new Set(starts).size).toBe(1_000)
})
