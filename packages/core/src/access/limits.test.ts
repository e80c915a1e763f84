import { describe, expect, it } from 'vitest'
import { fixedClock } from '../testing/index.js'
import { createLimits, type Limits } from './limits.js'
import type { RateLimit } from './rate-limit.js'

const quotas = { reads: { quota: 60, windowSeconds: 60 }, writes: { quota: 12, windowSeconds: 60 } }
const within = { account_id: 'default', id: 'key_1' }

function limited(rateLimit: RateLimit = quotas) {
  const clock = fixedClock()
  return { clock, limits: createLimits(rateLimit, clock) }
}

/** The number of calls in a row that are allowed, of 200. */
function allowed(call: (n: number) => { readonly allowed: boolean } | null): number {
  for (let n = 0; n < 200; n += 1) if (call(n)?.allowed === false) return n
  return 200
}

const reads = (limits: Limits, caller = within) => allowed(() => limits.take(caller, 'reads'))

describe('the limit of a key', () => {
  it('allows its whole quota at once, and then refills evenly', async () => {
    const { clock, limits } = limited()
    expect(reads(limits)).toBe(60)
    expect(limits.take(within, 'reads')).toEqual({
      ...{ allowed: false, policy: 'reads', quota: 60, windowSeconds: 60 },
      ...{ remaining: 0, resetSeconds: 60, retryAfterSeconds: 1 },
    })
    await clock.advance(999)
    expect(limits.take(within, 'reads')?.allowed).toBe(false)
    await clock.advance(1)
    expect(limits.take(within, 'reads')).toMatchObject({ allowed: true, remaining: 0, retryAfterSeconds: 0 })
    await clock.advance(60_000)
    expect(reads(limits)).toBe(60)
  })

  it('counts reads, writes and keys separately', () => {
    const { limits } = limited()
    expect(reads(limits)).toBe(60)
    expect(allowed(() => limits.take(within, 'writes'))).toBe(12)
    expect(reads(limits, { ...within, id: 'key_2' })).toBe(60)
  })

  it('blocks no caller after the clock is set back', async () => {
    const { clock, limits } = limited()
    expect(reads(limits)).toBe(60)
    await clock.advance(-3_600_000)
    expect(limits.take(within, 'reads')).toMatchObject({ allowed: false, retryAfterSeconds: 1 })
    await clock.advance(1000)
    expect(limits.take(within, 'reads')?.allowed).toBe(true)
  })
})

describe('the limit of an account', () => {
  it('is five times that of a key, for all keys of the account together', () => {
    const { limits } = limited()
    for (let key = 1; key <= 5; key += 1) expect(reads(limits, { ...within, id: `key_${key}` })).toBe(60)
    expect(limits.take({ ...within, id: 'key_6' }, 'reads')).toMatchObject({ allowed: false, policy: 'account-reads' })
    expect(limits.take({ ...within, id: 'key_6' }, 'writes')).toMatchObject({ allowed: true, policy: 'writes' })
    expect(reads(limits, { account_id: 'lyon', id: 'key_7' })).toBe(60)
  })

  it('can be set separately from that of a key', () => {
    const { limits } = limited({ ...quotas, account: { reads: { quota: 3, windowSeconds: 1 }, writes: quotas.writes } })
    expect(reads(limits)).toBe(3)
    expect(reads(limits, { ...within, id: 'key_2' })).toBe(0)
  })
})

describe('failed authentications', () => {
  it('are allowed 20 times a minute from one address', async () => {
    const { limits } = limited()
    const failed = () => limits.failedAuthentication('203.0.113.9')
    expect(allowed(failed)).toBe(20)
    expect(failed()).toEqual({
      ...{ allowed: false, policy: 'failed-authentications', quota: 20, windowSeconds: 60 },
      ...{ remaining: 0, resetSeconds: 60, retryAfterSeconds: 3 },
    })
  })

  it('are counted one fewer when one is taken back after a success, but never below zero', () => {
    const { limits } = limited()
    const failed = (ip = '203.0.113.9') => limits.failedAuthentication(ip)
    expect(allowed(() => failed())).toBe(20)
    limits.authenticated('203.0.113.9')
    expect(failed()).toMatchObject({ allowed: true, remaining: 0 })
    for (let n = 0; n < 30; n += 1) limits.authenticated('203.0.113.9')
    expect(allowed(() => failed())).toBe(20)
    limits.authenticated('203.0.113.10')
    expect(allowed(() => failed('203.0.113.10'))).toBe(20)
  })

  it.each([
    ['each IPv4 address', (n: number) => `203.0.113.${n}`, 200],
    ['an IPv6 network of /64', (n: number) => `2001:db8:1:2::${n.toString(16)}`, 20],
    ['an IPv6 network, however it is written', (n: number) => (n % 2 ? '2001:DB8::1' : '2001:0db8:0:0:f::1'), 20],
    ['each IPv6 network', (n: number) => `2001:db8:1:${n.toString(16)}::1`, 200],
    ['an IPv4 address, mapped into IPv6 or not', (n: number) => (n % 2 ? '203.0.113.9' : '::ffff:203.0.113.9'), 20],
    ['all callers without a known address', () => '', 20],
  ])('are counted for %s', (_, ips, expected) => {
    const { limits } = limited()
    expect(allowed((n) => limits.failedAuthentication(ips(n)))).toBe(expected)
  })

  it('from more than 10,000 addresses are forgotten for the address that failed longest ago', () => {
    const { limits } = limited()
    const ip = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
    const [busy, quiet] = ['192.0.2.1', '192.0.2.2']
    for (const each of [busy, quiet]) allowed(() => limits.failedAuthentication(each))
    for (let n = 0; n < 10_000; n += 1) {
      limits.failedAuthentication(ip(n))
      if (n % 1000 === 0) expect(limits.failedAuthentication(busy)?.allowed).toBe(false)
    }
    expect(limits.failedAuthentication(busy)?.allowed).toBe(false)
    expect(limits.failedAuthentication(quiet)?.allowed).toBe(true)
  })
})

it('a page behind a link can be read 60 times a minute, from any address', () => {
  const { limits } = limited()
  expect(allowed(() => limits.pageReading('secret'))).toBe(60)
  expect(limits.pageReading('another')?.allowed).toBe(true)
})

it('limits that are off allow everything', () => {
  const { limits } = limited(null)
  expect(reads(limits)).toBe(200)
  expect(limits.failedAuthentication('203.0.113.9')).toBeNull()
  expect(limits.publicLook('203.0.113.9')).toBeNull()
  expect(limits.pageReading('secret')).toBeNull()
})
