import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fixedClock } from '../testing/fixed-clock.js'
import { idMaker } from './ids.js'

describe('an id', () => {
  it.each(['evt', 'dlv', 'wh', 'key'] as const)('of kind %s begins with its prefix and is safe in a URL', (prefix) => {
    const newId = idMaker(fixedClock(), randomBytes)
    expect(newId(prefix)).toMatch(new RegExp(`^${prefix}_[0-9a-z]{20,40}$`))
  })

  it('sorts as text after every id of an earlier millisecond', async () => {
    const clock = fixedClock(0)
    const newId = idMaker(clock, randomBytes)
    const made: string[] = []
    for (const stepMs of [1, 1, 31, 32, 1_000, 86_400_000, Date.UTC(2026, 0, 15), 1, 33, 1_024]) {
      await clock.advance(stepMs)
      made.push(newId('evt'))
    }
    expect(made.toSorted()).toEqual(made)
  })

  it('is as long in a hundred years as today', async () => {
    const clock = fixedClock()
    const newId = idMaker(clock, randomBytes)
    const today = newId('evt')
    await clock.advance(100 * 366 * 86_400_000)
    expect(newId('evt')).toHaveLength(today.length)
    expect(newId('evt') > today).toBe(true)
  })

  it('is never given twice, not within one millisecond either', () => {
    const newId = idMaker(fixedClock(), randomBytes)
    const made = Array.from({ length: 20_000 }, () => newId('dlv'))
    expect(new Set(made).size).toBe(20_000)
  })

  it('of two processes that start in the same millisecond differs', () => {
    const clock = fixedClock()
    expect(idMaker(clock, randomBytes)('evt')).not.toBe(idMaker(clock, randomBytes)('evt'))
  })
})
