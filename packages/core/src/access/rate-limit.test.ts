import { describe, expect, it } from 'vitest'
import { parseRateLimit } from './rate-limit.js'

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

  it('may say those of an account, both or none', () => {
    expect(parseRateLimit('reads=1/s,writes=2/s,account-reads=3/s,account-writes=4/s')).toEqual({
      reads: { quota: 1, windowSeconds: 1 },
      writes: { quota: 2, windowSeconds: 1 },
      account: { reads: { quota: 3, windowSeconds: 1 }, writes: { quota: 4, windowSeconds: 1 } },
    })
    expect(() => parseRateLimit('reads=1/s,writes=2/s,account-reads=3/s')).toThrow(/nothing of account-writes/)
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
