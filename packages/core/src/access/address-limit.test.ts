import { describe, expect, it } from 'vitest'
import { createAddressLimit } from './address-limit.js'

/** How many failing calls in a row are let through. */
function let20(ips: (n: number) => string, now = 0, failed = createAddressLimit('failed-authentications')): number {
  for (let n = 0; n < 100; n += 1) if (!failed.count(ips(n), now).allowed) return n
  return 100
}

describe('failed authentications', () => {
  it('are let through 20 times from one address, then refused until a minute has filled 20 again', () => {
    const failed = createAddressLimit('failed-authentications')
    expect(let20(() => '203.0.113.9', 0, failed)).toBe(20)
    expect(failed.count('203.0.113.9', 0)).toEqual({
      allowed: false,
      policy: 'failed-authentications',
      quota: 20,
      windowSeconds: 60,
      remaining: 0,
      resetSeconds: 60,
      retryAfterSeconds: 3,
    })
    expect(failed.count('203.0.113.9', 2_999)).toMatchObject({ allowed: false, retryAfterSeconds: 1 })
    expect(failed.count('203.0.113.9', 3_000)).toMatchObject({ allowed: true, retryAfterSeconds: 0 })
    expect(failed.count('203.0.113.9', 3_000)).toMatchObject({ allowed: false })
    expect(let20(() => '203.0.113.9', 63_000, failed)).toBe(20)
  })

  it.each([
    ['each IPv4 address', (n: number) => `203.0.113.${n}`, 100],
    ['an IPv6 network of /64', (n: number) => `2001:db8:1:2::${n.toString(16)}`, 20],
    ['an IPv6 network, however it is written', (n: number) => (n % 2 ? '2001:DB8::1' : '2001:0db8:0:0:f::1'), 20],
    ['each IPv6 network', (n: number) => `2001:db8:1:${n.toString(16)}::1`, 100],
    ['an IPv4 address, mapped into IPv6 or not', (n: number) => (n % 2 ? '203.0.113.9' : '::ffff:203.0.113.9'), 20],
    ['callers of no known address', () => '', 20],
  ])('are counted for %s', (_, ips, expected) => {
    expect(let20(ips)).toBe(expected)
  })

  it('are forgotten for who failed longest ago when there are too many, and not for who goes on', () => {
    const failed = createAddressLimit('failed-authentications')
    const ip = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
    const [busy, quiet] = ['192.0.2.1', '192.0.2.2']
    for (const each of [busy, quiet]) let20(() => each, 0, failed)
    for (let n = 0; n < 10_000; n += 1) {
      failed.count(ip(n), 0)
      if (n % 1000 === 0) expect(failed.count(busy, 0).allowed).toBe(false)
    }
    expect(failed.count(busy, 0).allowed).toBe(false)
    expect(failed.count(quiet, 0).allowed).toBe(true)
  })
})
