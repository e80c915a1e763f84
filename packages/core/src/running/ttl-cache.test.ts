import { describe, expect, it } from 'vitest'
import { fixedClock } from '../testing/index.js'
import { TtlCache } from './ttl-cache.js'

describe('a cache with a time to live', () => {
  it.each([
    ['has a value until just before it expires', 499, 'yes'],
    ['no longer has a value from its expiry on', 500, undefined],
  ])('%s', async (_, laterMs, value) => {
    const clock = fixedClock()
    const cache = new TtlCache<string, string>(clock, 500)
    cache.set('is it so', 'yes')
    await clock.advance(laterMs)
    expect(cache.get('is it so')).toBe(value)
  })

  it.each([-3_600_000, -35_000, -1, 35_000])('does not depend on the system clock, set by %i ms', async (stepMs) => {
    const clock = fixedClock()
    const cache = new TtlCache<string, string>(clock, 500)
    cache.set('is it so', 'yes')
    clock.set(clock.now() + stepMs)
    await clock.advance(499)
    expect(cache.get('is it so')).toBe('yes')
    await clock.advance(Math.abs(stepMs))
    expect(cache.get('is it so')).toBeUndefined()
  })

  it('keeps a value for that time after it was last set', async () => {
    const clock = fixedClock()
    const cache = new TtlCache<string, number>(clock, 500)
    cache.set('a', 1)
    await clock.advance(400)
    cache.set('a', 2)
    await clock.advance(400)
    expect(cache.get('a')).toBe(2)
  })

  it('deletes values by key or by value', () => {
    const cache = new TtlCache<string, number>(fixedClock(), 500)
    for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index)
    cache.delete('a')
    cache.forget((value) => value === 1)
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, undefined, 2])
  })

  it('deletes expired values', async () => {
    const clock = fixedClock()
    const cache = new TtlCache<number, object>(clock, 500)
    cache.set(-1, {})
    await clock.advance(500)
    for (let key = 0; key < 64; key += 1) cache.set(key, {})
    const kept: number[] = []
    cache.forget((_, key) => {
      kept.push(key)
      return false
    })
    expect(kept).toEqual(Array.from({ length: 64 }, (_, key) => key))
  })
})
