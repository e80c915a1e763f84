import { describe, expect, it } from 'vitest'
import { parseRateLimit } from './rate-limit.js'

describe('a rate limit as text', () => {
  it('has a quota and a window for reads and for writes, in either order', () => {
    expect(parseRateLimit('reads=6000/min,writes=1200/min')).toEqual({
      reads: { quota: 6000, windowSeconds: 60 },
      writes: { quota: 1200, windowSeconds: 60 },
    })
    expect(parseRateLimit('off')).toBeNull()
    expect(parseRateLimit('writes=1/h, reads=999999999/s')).toEqual({
      reads: { quota: 999_999_999, windowSeconds: 1 },
      writes: { quota: 1, windowSeconds: 3600 },
    })
  })

  it('may include the limits of an account, for both reads and writes or for neither', () => {
    expect(parseRateLimit('reads=1/s,writes=2/s,account-reads=3/s,account-writes=4/s')).toEqual({
      reads: { quota: 1, windowSeconds: 1 },
      writes: { quota: 2, windowSeconds: 1 },
      account: { reads: { quota: 3, windowSeconds: 1 }, writes: { quota: 4, windowSeconds: 1 } },
    })
    expect(() => parseRateLimit('reads=1/s,writes=2/s,account-reads=3/s')).toThrow(/account-writes is missing/)
  })

  it.each([
    ['', /cannot read ""/],
    ['on', /cannot read "on"/],
    ['OFF', /cannot read "OFF"/],
    ['reads=6000/min', /writes is missing/],
    ['writes=6000/min', /reads is missing/],
    ['reads=1/min,reads=2/min', /reads appears twice/],
    ['reads=0/min,writes=1/min', /"reads=0\/min"/],
    ['reads=-1/min,writes=1/min', /"reads=-1\/min"/],
    ['reads=1.5/min,writes=1/min', /"reads=1.5\/min"/],
    ['reads=1e3/min,writes=1/min', /"reads=1e3\/min"/],
    ['reads=1000000000/min,writes=1/min', /"reads=1000000000\/min"/],
    ['reads=60,writes=1/min', /"reads=60"/],
    ['reads=60/day,writes=1/min', /"reads=60\/day"/],
    ['reads=60/constructor,writes=1/min', /"reads=60\/constructor"/],
    ['reads=1/min,writes=1/min,', /cannot read ""/],
    ['reads=1/min,writes=1/min,deletes=1/min', /"deletes=1\/min"/],
  ])('%j is refused, with the fault and the allowed form', (text, found) => {
    expect(() => parseRateLimit(text)).toThrow(RangeError)
    expect(() => parseRateLimit(text)).toThrow(found)
    expect(() => parseRateLimit(text)).toThrow(/reads=6000\/min,writes=1200\/min .*or off$/)
  })
})
