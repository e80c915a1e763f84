import { describe, expect, it } from 'vitest'
import type { Quota } from './rate-limit.js'
import {
  afterTaking,
  creditOf,
  decideLease,
  decideTake,
  type KnownBucket,
  leaseMs,
  leaseSize,
  tokensIn,
  worthAsking,
} from './token-bucket.js'

const writes: Quota = { quota: 1200, windowSeconds: 60 }
const now = Date.UTC(2026, 0, 15, 10, 30)

describe('the tokens of a bucket', () => {
  it('are all there when it is full, or was never used', () => {
    expect(tokensIn(writes, 0, now)).toBe(1200)
    expect(tokensIn(writes, now, now)).toBe(1200)
  })

  it('are fewer by what was taken, and come back with time', () => {
    const fullAt = afterTaking(writes, 0, { tokens: 60, now })
    expect(tokensIn(writes, fullAt, now)).toBeCloseTo(1140)
    expect(tokensIn(writes, fullAt, now + 1000)).toBeCloseTo(1160)
    expect(tokensIn(writes, fullAt, now + 3000)).toBeCloseTo(1200)
  })

  it('that are given back never make it hold more than its quota', () => {
    const fullAt = afterTaking(writes, 0, { tokens: -60, now })
    expect(tokensIn(writes, fullAt, now)).toBe(1200)
    expect(tokensIn(writes, afterTaking(writes, fullAt, { tokens: 10, now }), now)).toBeCloseTo(1190)
  })

  it('fall a tenth below nothing at most, also for a bucket that a wrong clock has put far away', () => {
    expect(tokensIn(writes, afterTaking(writes, 0, { tokens: 9000, now }), now)).toBeCloseTo(-120)
    expect(tokensIn(writes, afterTaking(writes, now + 86_400_000, { tokens: 0, now }), now)).toBeCloseTo(-120)
  })
})

describe('a lease', () => {
  it('is a twentieth of the bucket, or one token, and lasts for a twentieth of the window', () => {
    expect([leaseSize(writes), leaseMs(writes)]).toEqual([60, 3000])
    expect(leaseSize({ quota: 3, windowSeconds: 60 })).toBe(1)
    expect(leaseSize({ quota: 39, windowSeconds: 1 })).toBe(1)
    expect(leaseMs({ quota: 39, windowSeconds: 1 })).toBe(50)
  })

  it('is granted in whole while the bucket holds it', () => {
    const { granted, fullAt } = decideLease(writes, 0, { spent: 0, wanted: 60 }, now)
    expect(granted).toBe(60)
    expect(tokensIn(writes, fullAt, now)).toBeCloseTo(1140)
  })

  it('is what is there, in whole tokens, when that is less, and nothing when there is none', () => {
    const almost = afterTaking(writes, 0, { tokens: 1192.5, now })
    const first = decideLease(writes, almost, { spent: 0, wanted: 60 }, now)
    expect(first.granted).toBe(7)
    const second = decideLease(writes, first.fullAt, { spent: 0, wanted: 60 }, now)
    expect(second).toEqual({ granted: 0, fullAt: first.fullAt })
  })

  it('of exactly what is there is not lost to rounding', () => {
    for (const quota of [7, 11, 999, 1201]) {
      const odd = { quota, windowSeconds: 60 }
      let fullAt = 0
      let granted = 0
      for (;;) {
        const lease = decideLease(odd, fullAt, { spent: 0, wanted: 1 }, now)
        if (lease.granted === 0) break
        granted += 1
        fullAt = lease.fullAt
      }
      expect(granted).toBe(quota)
    }
  })

  it('comes after what was spent before, which it may leave owing', () => {
    const empty = afterTaking(writes, 0, { tokens: 1200, now })
    const { granted, fullAt } = decideLease(writes, empty, { spent: 30, wanted: 60 }, now)
    expect(granted).toBe(0)
    expect(tokensIn(writes, fullAt, now)).toBeCloseTo(-30)
    expect(decideLease(writes, fullAt, { spent: 0, wanted: 60 }, now + 1500).granted).toBe(0)
    expect(decideLease(writes, fullAt, { spent: 0, wanted: 60 }, now + 2500).granted).toBe(20)
  })

  it('has what comes back in the same step', () => {
    const empty = afterTaking(writes, 0, { tokens: 1200, now })
    expect(decideLease(writes, empty, { spent: -40, wanted: 60 }, now).granted).toBe(40)
  })
})

describe('one token', () => {
  const bucket: KnownBucket = { quota: writes, fullAt: 0, leased: 0, leasedUntil: 0, unsettled: 0 }
  const alone = { processes: 1, canAsk: true }
  const two = { processes: 2, canAsk: true }

  it('is taken of the lease while it lasts', () => {
    const leased = { ...bucket, leased: 2, leasedUntil: now + 1 }
    const taken = decideTake(leased, two, now)
    expect(taken).toEqual({ allowed: true, bucket: { ...leased, leased: 1 } })
  })

  it('is not taken of a lease that has ended: its tokens go back', () => {
    const leased = { ...bucket, fullAt: now + 60_000, leased: 50, leasedUntil: now, unsettled: 3 }
    const taken = decideTake(leased, two, now)
    expect(taken).toMatchObject({ allowed: true, bucket: { leased: 0, unsettled: 3 - 50 + 1 } })
  })

  it('is taken without asking by who is alone, to the last', () => {
    const last = { ...bucket, fullAt: afterTaking(writes, 0, { tokens: 1199, now }), unsettled: 1199 }
    const taken = decideTake(last, alone, now)
    expect(taken).toMatchObject({ allowed: true, bucket: { unsettled: 1200 } })
    expect(taken && decideTake(taken.bucket, alone, now)).toMatchObject({ allowed: false, bucket: { unsettled: 1200 } })
  })

  it('is taken without asking by one of two only within its credit, and while the bucket is not known to be empty', () => {
    expect(creditOf(writes, 2)).toBe(30)
    expect(creditOf(writes, 4)).toBe(15)
    expect(decideTake({ ...bucket, unsettled: 29 }, two, now)).toMatchObject({ allowed: true })
    expect(decideTake({ ...bucket, unsettled: 30 }, two, now)).toBeNull()
    const empty = { ...bucket, fullAt: afterTaking(writes, 0, { tokens: 1199.5, now }) }
    expect(decideTake(empty, two, now)).toEqual({ allowed: false, bucket: empty })
  })

  it('is asked for again when there may be some, not for each call that is refused', () => {
    expect(worthAsking(writes)).toBe(5)
    expect(worthAsking({ quota: 3, windowSeconds: 60 })).toBe(1)
    const holding = (tokens: number) => ({
      ...bucket,
      unsettled: 30,
      fullAt: afterTaking(writes, 0, { tokens: 1200 - tokens, now }),
    })
    expect(decideTake(holding(4.9), two, now)).toMatchObject({ allowed: false })
    expect(decideTake(holding(5), two, now)).toBeNull()
  })

  it('costs as many as there are processes for who cannot ask', () => {
    let current = bucket
    let allowed = 0
    for (;;) {
      const taken = decideTake(current, { processes: 4, canAsk: false }, now)
      if (!taken?.allowed) break
      current = taken.bucket
      allowed += 1
    }
    expect(allowed).toBe(300)
    expect(current.unsettled).toBe(300)
  })
})
