import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fixedClock } from '../testing/fixed-clock.js'
import { idMaker } from './ids.js'

describe('an id', () => {
  it.each(['evt', 'dlv', 'wh', 'key'] as const)('of kind %s begins with its prefix and is safe in a URL', (prefix) => {
    const newId = idMaker(fixedClock(), randomBytes)
    expect(newId(prefix)).toMatch(new RegExp(`^${prefix}_[0-9a-z]{20,40}$`))
  })

  it('sorts as text after ids of earlier milliseconds, also in a hundred years', async () => {
    const clock = fixedClock(0)
    const newId = idMaker(clock, randomBytes)
    const made: string[] = []
    for (const stepMs of [
      1,
      1,
      31,
      32,
      1_000,
      86_400_000,
      Date.UTC(2026, 0, 15),
      1,
      33,
      1_024,
      100 * 366 * 86_400_000,
    ]) {
      await clock.advance(stepMs)
      made.push(newId('evt'))
    }
    expect(made.toSorted()).toEqual(made)
    expect(new Set(made.map(({ length }) => length)).size).toBe(1)
  })

  it('is unique within one millisecond, also in two processes', () => {
    const makers = [idMaker(fixedClock(), randomBytes), idMaker(fixedClock(), randomBytes)]
    const made = makers.flatMap((newId) => Array.from({ length: 10_000 }, () => newId('dlv')))
    expect(new Set(made).size).toBe(20_000)
  })
})
