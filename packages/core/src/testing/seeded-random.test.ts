import { expect, it } from 'vitest'
import { seededRandom } from './seeded-random.js'

it('the same seed gives the same bytes, in requests of any size', () => {
  const [whole, parts] = [seededRandom(42), seededRandom(42)]
  expect([...parts(3), ...parts(0), ...parts(5)]).toEqual([...whole(8)])
})

it('different seeds give different bytes', () => {
  const starts = Array.from({ length: 1_000 }, (_, seed) => seededRandom(seed)(16).join())
  expect(new Set(starts).size).toBe(1_000)
})
