import { describe, expect, it } from 'vitest'
import { parseRateLimit } from './rate-limit.js'
import { SharedBuckets } from './shared-buckets.js'

describe('a rate limit as text', () => {
  it('is read with its windows, in either order', () => {
    expect(parseRateLimit('reads=6000/min,writes=1200/min')).toEqual({
      reads: { quota: 6000, windowSeconds: 60 },
      writes: { quota: 1200, windowSeconds: 60 },
    })
    expect(parseRateLimit('writes=1/h, reads=999999999/s')).toEqual({
      reads: { quota: 999_999_999, windowSeconds: 1 },
      writes: { quota: 1, windowSeconds: 3600 },
    })
  })

  it('may be off', () => {
    expect(parseRateLimit('off')).toBeNull()
  })

  it.each([
    ['', /"" does not read as one/],
    ['on', /"on" does not read as one/],
    ['OFF', /"OFF" does not read as one/],
    ['reads=6000/min', /nothing of writes/],
    ['writes=6000/min', /nothing of reads/],
    ['reads=1/min,reads=2/min', /reads twice/],
    ['reads=0/min,writes=1/min', /"reads=0\/min"/],
    ['reads=-1/min,writes=1/min', /"reads=-1\/min"/],
    ['reads=1.5/min,writes=1/min', /"reads=1.5\/min"/],
    ['reads=1e3/min,writes=1/min', /"reads=1e3\/min"/],
    ['reads=1000000000/min,writes=1/min', /"reads=1000000000\/min"/],
    ['reads=60,writes=1/min', /"reads=60"/],
    ['reads=60/day,writes=1/min', /"reads=60\/day"/],
    ['reads=60/constructor,writes=1/min', /"reads=60\/constructor"/],
    ['reads=1/min,writes=1/min,', /"" does not/],
    ['reads=1/min,writes=1/min,deletes=1/min', /"deletes=1\/min"/],
  ])('of %j is refused, with what was found and what is allowed', (text, found) => {
    expect(() => parseRateLimit(text)).toThrow(RangeError)
    expect(() => parseRateLimit(text)).toThrow(found)
    expect(() => parseRateLimit(text)).toThrow(/reads=6000\/min,writes=1200\/min .*or off$/)
  })
})

describe('a bucket', () => {
  const limits = { reads: { quota: 3, windowSeconds: 60 }, writes: { quota: 60, windowSeconds: 60 } }

  it('is told of as the headers have it, down to the refusal and up again', () => {
    const buckets = new SharedBuckets(limits)
    const state = { quota: 3, windowSeconds: 60, policy: 'reads' }
    const allowed = { ...state, allowed: true, retryAfterSeconds: 0 }
    expect(buckets.take('reads', 'key_1', 0)).toEqual({ ...allowed, remaining: 2, resetSeconds: 20 })
    expect(buckets.take('reads', 'key_1', 0)).toEqual({ ...allowed, remaining: 1, resetSeconds: 40 })
    expect(buckets.take('reads', 'key_1', 0)).toEqual({ ...allowed, remaining: 0, resetSeconds: 60 })
    const refused = { ...state, allowed: false, remaining: 0 }
    expect(buckets.take('reads', 'key_1', 0)).toEqual({ ...refused, resetSeconds: 60, retryAfterSeconds: 20 })
    expect(buckets.take('reads', 'key_1', 19_999)).toEqual({ ...refused, resetSeconds: 41, retryAfterSeconds: 1 })
    expect(buckets.take('reads', 'key_1', 20_000)).toEqual({ ...allowed, remaining: 0, resetSeconds: 60 })
    expect(buckets.take('reads', 'key_1', 80_000)).toEqual({ ...allowed, remaining: 2, resetSeconds: 20 })
  })

  it('allows a call after the time that a refusal said, and not a second before', () => {
    for (const quota of [1, 7, 11, 60, 999]) {
      const buckets = new SharedBuckets({ ...limits, writes: { quota, windowSeconds: 60 } })
      let now = 0
      while (buckets.take('writes', 'key_1', now).allowed) now += 1
      const { retryAfterSeconds } = buckets.take('writes', 'key_1', now)
      if (retryAfterSeconds > 1)
        expect(buckets.take('writes', 'key_1', now + (retryAfterSeconds - 1) * 1000).allowed).toBe(false)
      expect(buckets.take('writes', 'key_1', now + retryAfterSeconds * 1000).allowed).toBe(true)
    }
  })

  it('is not filled by a clock that is set back, and goes on from there', () => {
    const buckets = new SharedBuckets(limits)
    for (let n = 0; n < 3; n += 1) buckets.take('reads', 'key_1', 1_000_000)
    expect(buckets.take('reads', 'key_1', 0).allowed).toBe(false)
    expect(buckets.take('reads', 'key_1', 19_999).allowed).toBe(false)
    expect(buckets.take('reads', 'key_1', 20_000).allowed).toBe(true)
  })

  it('that is full is forgotten, and one that is not is kept', () => {
    const buckets = new SharedBuckets(limits)
    for (let n = 0; n < 1000; n += 1) buckets.take('writes', `key_${n}`, n)
    expect(buckets.size).toBe(1000)
    buckets.hear([], 1_500)
    expect(buckets.size).toBe(499)
    buckets.hear([], 2_000)
    expect(buckets.size).toBe(0)
  })

  it('of a key that was never used is never refused its first call, however many processes there are', () => {
    const buckets = new SharedBuckets(limits)
    buckets.hear(
      Array.from({ length: 99 }, (_, n) => ({ id: `p${n}`, buckets: {} })),
      0,
    )
    expect(buckets.take('reads', 'key_1', 0).allowed).toBe(true)
    expect(buckets.take('reads', 'key_1', 0).allowed).toBe(false)
  })
})
