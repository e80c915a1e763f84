import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { StoreClock } from './store-clock.js'

const own = Date.UTC(2026, 0, 15, 10, 30)
const instant = (ms: number) => new Date(own + ms).toISOString()

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'], now: own }))
afterEach(() => void vi.useRealTimers())

/** A clock after an answer that took `tookMs` and showed the store `aheadMs` ahead. */
function seen(aheadMs: number, tookMs: number, clock = new StoreClock()): StoreClock {
  const askedAtMs = performance.now()
  vi.advanceTimersByTime(tookMs)
  clock.note(Date.now() - tookMs / 2 + aheadMs, askedAtMs)
  return clock
}

it('clocks up to a second apart count as equal, and those further apart do not', () => {
  expect([1000, -1000].map((ms) => seen(ms, 0).of(instant(0)))).toEqual([instant(0), instant(0)])
  expect([1001, -1001].map((ms) => seen(ms, 0).of(instant(0)))).toEqual([instant(1001), instant(-1001)])
  expect(new StoreClock().of(instant(0))).toBe(instant(0))
})

it('a difference measured by a slow answer is replaced once a faster answer comes', () => {
  const clock = seen(600_000, 3000)
  expect(clock.differenceMs).toBe(600_000)
  expect(seen(500_000, 1000, clock).differenceMs).toBe(500_000)
  expect(seen(0, 1002, clock).differenceMs).toBe(500_000)
})

it('setting this machine’s clock does not change the store’s time', () => {
  const clock = seen(0, 0)
  vi.advanceTimersByTime(60_000)
  vi.setSystemTime(Date.now() + 600_000)
  expect(clock.differenceMs).toBe(-600_000)
  expect(clock.of(instant(660_000))).toBe(instant(60_000))
})
