import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { replacing } from '../../test/replacing.js'
import { UnavailableError } from '../errors.js'
import type { Storage } from '../storage.js'
import { type FixedClock, fixedClock, seededRandom } from '../testing/index.js'
import type { Clock } from '../time/clock.js'
import { createLimits, type Limits } from './limits.js'
import { createServing } from './serving.js'
import { SharedLimit } from './shared-limit.js'

const rateLimit = { reads: { quota: 6000, windowSeconds: 60 }, writes: { quota: 1200, windowSeconds: 60 } }
const { quota } = rateLimit.writes
const perSecond = 20

const nothing = { flush: async () => {}, finish: async () => {} }
const away = () => Promise.reject(new UnavailableError('away', { retryAfterSeconds: 1 }))

/** A storage that counts its transactions, and can go away. */
async function countedStorage(clock: FixedClock) {
  const memory = await memoryStorage()
  const state = { transactions: 0, isAway: false, hangs: false }
  const storage: Storage = {
    ...memory,
    transaction: (work) => {
      state.transactions += 1
      if (state.hangs) return new Promise(() => {})
      if (state.isAway) return away()
      // As of a database on a machine of its own.
      const now = async () => clock.now()
      return memory.transaction((tx) => work({ ...tx, processes: replacing(tx.processes, { now }) }))
    },
  }
  return { storage, state }
}

interface Part {
  readonly clock: Clock
  readonly storage: Storage
  /** Tells processes apart. */
  readonly seed: number
}

async function startProcess({ clock, storage, seed }: Part) {
  const limits = createLimits({ storage, clock, random: seededRandom(seed), rateLimit })
  const serving = createServing({ clock, limits, audit: nothing, uses: [nothing], fault: () => {} })
  await serving.start()
  return { ...limits, stop: serving.stop }
}

/** Processes of one installation that come to the store at different times of a second, with clocks of their own. */
async function processes(count: number, skewsMs: readonly number[] = []) {
  const clock = fixedClock()
  const { storage, state } = await countedStorage(clock)
  const started: Awaited<ReturnType<typeof startProcess>>[] = []
  for (let seed = 0; seed < count; seed += 1) {
    const skewed = { ...clock, now: () => clock.now() + (skewsMs[seed] ?? 0) }
    started.push(await startProcess({ clock: skewed, storage, seed }))
    await clock.advance(230)
  }
  await clock.advance(1000)
  return { clock, storage, state, started }
}

/** How many writes of these a process allows, one after the other. */
async function send(limits: Limits | undefined, count: number, key_id = 'key_1'): Promise<number> {
  let allowed = 0
  for (let n = 0; n < count; n += 1) if ((await limits?.take(key_id, 'writes'))?.allowed) allowed += 1
  return allowed
}

/** How many of its writes each process allows, when each is asked for so many a second. */
async function run(clock: FixedClock, started: readonly Limits[], demand: readonly number[], seconds: number) {
  const stepMs = 50
  const allowed = started.map(() => 0)
  let due = started.map(() => 0)
  for (let passed = 0; passed < seconds * 1000; passed += stepMs) {
    due = due.map((left, n) => left + ((demand[n] ?? 0) * stepMs) / 1000)
    const calls = due.map((each) => Math.floor(each + 1e-6))
    due = due.map((left, n) => left - (calls[n] ?? 0))
    const went = await Promise.all(started.map((limits, n) => send(limits, calls[n] ?? 0)))
    for (const [n, count] of went.entries()) allowed[n] = (allowed[n] ?? 0) + count
    await clock.advance(stepMs)
  }
  return { allowed, total: allowed.reduce((sum, each) => sum + each, 0) }
}

describe('the quota of a key', () => {
  it('is there at the second process after a little of it went to the first', async () => {
    const { started } = await processes(2)
    expect(await send(started[0], 60)).toBe(60)
    expect(await send(started[1], 150)).toBe(150)
  })

  it.each([2, 4])('is there in whole at one of %i processes, but for what another has leased', async (count) => {
    const { started } = await processes(count)
    expect(await send(started[1], 31)).toBe(31)
    expect(await send(started[0], 1300)).toBeGreaterThanOrEqual(quota - 31 - 60)
  })

  it('holds when it is asked for in bursts at two at once', async () => {
    const { clock, started } = await processes(2)
    const bursts = await Promise.all([send(started[0], 1200), send(started[1], 1200)])
    const total = bursts[0] + bursts[1]
    expect(total).toBeGreaterThanOrEqual(quota)
    expect(total).toBeLessThanOrEqual(1.05 * quota)
    await clock.advance(5000)
    const later = await Promise.all([send(started[0], 1200), send(started[1], 1200)])
    expect(total + later[0] + later[1]).toBeLessThanOrEqual(1.05 * quota + 5 * perSecond)
  })

  it.each([
    ['equally', [100, 100, 100, 100]],
    ['equally, a little too much', [12, 12, 12, 12]],
    ['by one process alone', [400, 0, 0, 0]],
    ['most by one', [200, 20, 5, 1]],
    ['by turns', [0, 50, 0, 50]],
  ])('holds over four processes when it is asked for %s', async (_, demand) => {
    const { clock, started } = await processes(4)
    const asked = demand.reduce((sum, each) => sum + each, 0)
    let total = 0
    const seconds = 180
    for (let second = 1; second <= seconds; second += 1) {
      total += (await run(clock, started, demand, 1)).total
      expect(total).toBeLessThanOrEqual(1.1 * quota + perSecond * second)
    }
    expect(total).toBeGreaterThan(0.95 * Math.min(quota + perSecond * seconds, asked * seconds))
    const minute = await run(clock, started, demand, 60)
    expect(minute.total).toBeGreaterThan(0.95 * Math.min(quota, asked * 60))
    expect(minute.total).toBeLessThan(1.1 * quota)
  })

  it.each([1, 2, 3, 4, 5, 6])(
    'is neither refused before it is used up nor exceeded by a tenth, whatever comes where (seed %i)',
    async (seed) => {
      const random = seededRandom(100 + seed)
      const below = (bound: number) => (new DataView(random(4).buffer).getUint32(0) / 2 ** 32) * bound
      const count = 2 + Math.floor(below(4))
      // Clocks that are wrong by up to an hour either way.
      const skews = Array.from({ length: count }, () => Math.round(below(7_200_000) - 3_600_000))
      const { clock, started } = await processes(count, skews)
      const start = clock.now()
      /** What one bucket would hold had it been told of every call at once. */
      let exact: number = quota
      let last = start
      const allowed: { readonly at: number; readonly calls: number }[] = []
      const unused = count * 0.05 * quota + 0.25 * perSecond + 1
      let refusedNear = 0

      for (let step = 0; step < 1200; step += 1) {
        // Quiet, a steady flow, or a burst, at one of them or at all.
        const mood = below(1)
        const size = mood < 0.5 ? below(4) : mood < 0.95 ? below(30) : below(600)
        const where = below(1) < 0.7 ? [Math.floor(below(count))] : started.map((_, n) => n)
        exact = Math.min(quota, exact + ((clock.now() - last) / 1000) * perSecond)
        last = clock.now()
        const went = await Promise.all(where.map((n) => send(started[n], Math.floor(size))))
        const calls = went.reduce((sum, each) => sum + each, 0)
        exact -= calls
        if (went.some((each) => each < Math.floor(size))) {
          refusedNear += 1
          expect(exact).toBeLessThanOrEqual(unused)
        }
        allowed.push({ at: clock.now(), calls })
        await clock.advance(20 + Math.floor(below(200)))
      }
      expect(refusedNear).toBeGreaterThan(0)

      for (const { at: from } of allowed) {
        const minute = allowed.filter(({ at }) => at >= from && at < from + 60_000)
        const total = minute.reduce((sum, { calls }) => sum + calls, 0)
        expect(total).toBeLessThanOrEqual(1.1 * quota + 60 * perSecond)
      }
    },
  )

  it('is there in whole, and no more, for a process that is alone', async () => {
    const { clock, started } = await processes(1)
    expect(await send(started[0], 1300)).toBe(1200)
    // What comes within the second before the store hears of it is lost to a full bucket.
    const { total } = await run(clock, started, [100], 60)
    expect(total).toBeGreaterThanOrEqual(1200 - perSecond)
    expect(total).toBeLessThanOrEqual(1200)
  })

  it('is not there twice for who goes to a process that has just started', async () => {
    const { clock, storage, started } = await processes(1)
    await run(clock, started, [1000], 5)
    const newest = await startProcess({ clock, storage, seed: 9 })
    expect(await send(newest, 300)).toBeLessThanOrEqual(60)
  })

  it('is not lost with a process that dies with a lease, for longer than the lease lasts', async () => {
    const { clock, started } = await processes(2)
    await run(clock, started, [100, 100], 70)
    await started[1]?.stop()
    await clock.advance(66_000)
    expect(await send(started[0], 1300)).toBe(1200)
  })

  it('that one process has leased and does not need comes back to the others', async () => {
    const { clock, started } = await processes(2)
    expect(await send(started[1], 31)).toBe(31)
    expect(await send(started[0], 1000)).toBe(1000)
    await clock.advance(4500)
    const there = quota - 31 - 1000 + 4.5 * perSecond
    expect(await send(started[0], 400)).toBeGreaterThanOrEqual(there - 0.25 * perSecond)
  })

  it('is there again in whole after every process has started anew, and is not while it is used up', async () => {
    const { clock, storage, started } = await processes(2)
    expect(await send(started[0], 1300)).toBeGreaterThanOrEqual(1200)
    await clock.advance(1000)
    await Promise.all(started.map(({ stop }) => stop()))
    const again = [await startProcess({ clock, storage, seed: 7 }), await startProcess({ clock, storage, seed: 8 })]
    await clock.advance(1000)
    expect(await send(again[0], 300)).toBeLessThan(150)
    await clock.advance(61_000)
    expect(await send(again[1], 1300)).toBeGreaterThanOrEqual(1200)
  })

  it('is kept apart for each key, and for reads and writes', async () => {
    const { started } = await processes(2)
    expect(await send(started[0], 1300, 'key_1')).toBeGreaterThanOrEqual(1200)
    expect(await send(started[0], 1300, 'key_2')).toBeGreaterThanOrEqual(1200)
    expect(await started[0]?.take('key_1', 'reads')).toMatchObject({
      allowed: true,
      policy: 'reads',
      quota: 6000,
      remaining: 5999,
    })
  })
})

describe('a transaction', () => {
  it('is none beside the one a second, for a process that is alone, and for slow callers of one of several', async () => {
    for (const [count, calls] of [
      [1, 500],
      [2, 10],
    ] as const) {
      const { clock, state, started } = await processes(count)
      const before = state.transactions
      for (let second = 0; second < 10; second += 1) {
        for (let key = 0; key < 20; key += 1) await send(started[0], calls / 10, `key_${key}`)
        await clock.advance(1000)
      }
      expect(state.transactions - before).toBe(10 * count)
    }
  })

  it('pays for a twentieth of the bucket, however fast calls come and however many are refused', async () => {
    const { clock, state, started } = await processes(2)
    const before = state.transactions
    await send(started[0], 1200)
    expect(state.transactions - before).toBeLessThanOrEqual(22)
    await Promise.all(Array.from({ length: 50 }, () => send(started[0], 100)))
    expect(state.transactions - before).toBeLessThanOrEqual(25)
    const drained = state.transactions
    await run(clock, started, [1000, 0], 10)
    expect(state.transactions - drained).toBeLessThanOrEqual(20 + 10 * 5)
  })
})

describe('while the store is away', () => {
  it('a process goes on with its lease, and then with its part, and a key is never refused in whole', async () => {
    const { clock, state, started } = await processes(4)
    expect(await send(started[0], 20)).toBe(20)
    state.isAway = true
    const { allowed } = await run(clock, started, [100, 0, 0, 0], 60)
    expect(allowed[0]).toBeGreaterThan(300)
    expect(allowed[0]).toBeLessThan(700)
    const all = await run(clock, started, [100, 100, 100, 100], 60)
    expect(all.total).toBeLessThan(2.1 * quota)
    state.isAway = false
    await run(clock, started, [100, 100, 100, 100], 10)
    const { total } = await run(clock, started, [100, 100, 100, 100], 60)
    expect(total).toBeGreaterThan(0.9 * quota)
    expect(total).toBeLessThan(1.1 * quota)
  })

  it('a store that does not answer holds a caller up for half a second, once', async () => {
    const { clock, state, started } = await processes(2)
    expect(await send(started[0], 30)).toBe(30)
    state.hangs = true
    const taking = send(started[0], 100)
    let isDone = false
    void taking.then(() => {
      isDone = true
    })
    await clock.advance(499)
    expect(isDone).toBe(false)
    await clock.advance(1)
    expect(isDone).toBe(true)
    expect(await taking).toBe(100)
  })
})

describe('what callers are told of their bucket', () => {
  const limits = { reads: { quota: 3, windowSeconds: 60 }, writes: { quota: 60, windowSeconds: 60 } }
  const open = async () => {
    const clock = fixedClock(0)
    const deps = { storage: await memoryStorage(), clock, random: seededRandom(1) }
    return { clock, limit: (writes = limits.writes) => new SharedLimit({ ...deps, rateLimit: { ...limits, writes } }) }
  }

  it('is as the headers have it, down to the refusal and up again', async () => {
    const { clock, limit } = await open()
    const buckets = limit()
    const state = { quota: 3, windowSeconds: 60, policy: 'reads' }
    const allowed = { ...state, allowed: true, retryAfterSeconds: 0 }
    expect(await buckets.take('reads', 'key_1')).toEqual({ ...allowed, remaining: 2, resetSeconds: 20 })
    expect(await buckets.take('reads', 'key_1')).toEqual({ ...allowed, remaining: 1, resetSeconds: 40 })
    expect(await buckets.take('reads', 'key_1')).toEqual({ ...allowed, remaining: 0, resetSeconds: 60 })
    const refused = { ...state, allowed: false, remaining: 0 }
    expect(await buckets.take('reads', 'key_1')).toEqual({ ...refused, resetSeconds: 60, retryAfterSeconds: 20 })
    await clock.advance(19_999)
    expect(await buckets.take('reads', 'key_1')).toEqual({ ...refused, resetSeconds: 41, retryAfterSeconds: 1 })
    await clock.advance(1)
    expect(await buckets.take('reads', 'key_1')).toEqual({ ...allowed, remaining: 0, resetSeconds: 60 })
    await clock.advance(60_000)
    expect(await buckets.take('reads', 'key_1')).toEqual({ ...allowed, remaining: 2, resetSeconds: 20 })
  })

  it.each([1, 7, 11, 60, 999])('of %i is when a call is allowed again, and not a second before', async (quota) => {
    const { clock, limit } = await open()
    const buckets = limit({ quota, windowSeconds: 60 })
    while ((await buckets.take('writes', 'key_1')).allowed) clock.set(clock.now() + 1)
    const { retryAfterSeconds } = await buckets.take('writes', 'key_1')
    if (retryAfterSeconds > 1) {
      await clock.advance((retryAfterSeconds - 1) * 1000)
      expect(await buckets.take('writes', 'key_1')).toMatchObject({ allowed: false })
    }
    await clock.advance(retryAfterSeconds > 1 ? 1000 : retryAfterSeconds * 1000)
    expect(await buckets.take('writes', 'key_1')).toMatchObject({ allowed: true })
  })

  it('holds for who is refused by one of several processes: after that time a call is allowed', async () => {
    const { clock, started } = await processes(2)
    await Promise.all([send(started[0], 1300), send(started[1], 1300)])
    const refused = await started[0]?.take('key_1', 'writes')
    expect(refused).toMatchObject({ allowed: false, remaining: 0 })
    await clock.advance((refused?.retryAfterSeconds ?? 0) * 1000 + 3000)
    expect(await started[0]?.take('key_1', 'writes')).toMatchObject({ allowed: true })
  })

  it('goes on from there when a clock is set back', async () => {
    const { clock, limit } = await open()
    const buckets = limit()
    clock.set(1_000_000)
    for (let n = 0; n < 3; n += 1) await buckets.take('reads', 'key_1')
    clock.set(0)
    expect(await buckets.take('reads', 'key_1')).toMatchObject({ allowed: false })
    await clock.advance(30_000)
    expect(await buckets.take('reads', 'key_1')).toMatchObject({ allowed: true })
  })

  it('is forgotten once the bucket is full, and not before', async () => {
    const { clock, limit } = await open()
    const buckets = limit()
    for (let n = 0; n < 1000; n += 1) {
      await buckets.take('writes', `key_${n}`)
      clock.set(clock.now() + 1)
    }
    await buckets.exchange()
    await clock.advance(999)
    await buckets.exchange()
    expect(buckets.size).toBe(1000)
    await clock.advance(1)
    await buckets.exchange()
    expect(buckets.size).toBe(0)
  })
})

describe('limits that are off', () => {
  it('refuse nobody and ask the store nothing', async () => {
    const clock = fixedClock()
    const { storage, state } = await countedStorage(clock)
    const limits = createLimits({ storage, clock, random: seededRandom(1), rateLimit: null })
    await limits.exchange()
    expect(await limits.take('key_1', 'reads')).toBeNull()
    for (let n = 0; n < 100; n += 1) expect(limits.failedAuthentication('203.0.113.9')).toBeNull()
    expect(state.transactions).toBe(0)
  })
})
