import { describe, expect, it } from 'vitest'
import { Believed } from './believed.js'
import { fixedClock } from './testing/index.js'

describe('what is believed', () => {
  it.each([
    ['just before its time is over', 499, 'yes'],
    ['when its time is over', 500, undefined],
    ['at once', 0, 'yes'],
  ])('%s', async (_, laterMs, value) => {
    const clock = fixedClock()
    const believed = new Believed<string, string>(clock, 500)
    believed.set('is it so', 'yes')
    await clock.advance(laterMs)
    expect(believed.get('is it so')).toBe(value)
  })

  it.each([-3_600_000, -35_000, -1, 35_000])(
    'is as old as it is where the time of day is set by %i ms',
    async (stepMs) => {
      const clock = fixedClock()
      const believed = new Believed<string, string>(clock, 500)
      believed.set('is it so', 'yes')
      clock.set(clock.now() + stepMs)
      await clock.advance(499)
      expect(believed.get('is it so')).toBe('yes')
      await clock.advance(Math.abs(stepMs))
      expect(believed.get('is it so')).toBeUndefined()
    },
  )

  it('is counted from when it was set last', async () => {
    const clock = fixedClock()
    const believed = new Believed<string, number>(clock, 500)
    believed.set('a', 1)
    await clock.advance(400)
    believed.set('a', 2)
    await clock.advance(400)
    expect(believed.get('a')).toBe(2)
  })

  it('can be forgotten, by its key or by what it is', () => {
    const believed = new Believed<string, number>(fixedClock(), 500)
    for (const [index, key] of ['a', 'b', 'c'].entries()) believed.set(key, index)
    believed.delete('a')
    believed.forget((value) => value === 1)
    expect(['a', 'b', 'c'].map((key) => believed.get(key))).toEqual([undefined, undefined, 2])
  })

  it('does not keep what nobody asks for again', async () => {
    const clock = fixedClock()
    const believed = new Believed<number, object>(clock, 500)
    believed.set(-1, {})
    await clock.advance(500)
    for (let key = 0; key < 64; key += 1) believed.set(key, {})
    const kept: number[] = []
    believed.forget((_, key) => {
      kept.push(key)
      return false
    })
    expect(kept).toEqual(Array.from({ length: 64 }, (_, key) => key))
  })
})
