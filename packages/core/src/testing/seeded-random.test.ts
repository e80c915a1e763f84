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

it('every byte occurs about as often', () => {
  const counts = new Array<number>(256).fill(0)
  for (const byte of seededRandom(1)(256_000)) counts[byte] = (counts[byte] ?? 0) + 1
  expect(Math.min(...counts)).toBeGreaterThan(800)
  expect(Math.max(...counts)).toBeLessThan(1_200)
})
