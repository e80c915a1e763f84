import { describe, expect, it } from 'vitest'
import { UnavailableError } from '../errors.js'
import type { Storage } from '../storage.js'
import { type FixedClock, fixedClock, memoryStorage, seededRandom } from '../testing/index.js'
import { createLimits, type Limits } from './limits.js'
import { createServing } from './serving.js'

const rateLimit = { reads: { quota: 6000, windowSeconds: 60 }, writes: { quota: 600, windowSeconds: 60 } }

const nothing = { flush: async () => {} }

interface Part {
  readonly clock: FixedClock
  readonly storage: Storage
  /** Tells processes apart. */
  readonly seed: number
}

async function startProcess({ clock, storage, seed }: Part) {
  const limits = createLimits({ storage, clock, random: seededRandom(seed), rateLimit })
  const serving = createServing({ clock, limits, audit: nothing, keyUse: nothing, fault: () => {} })
  await serving.start()
  return { ...limits, stop: serving.stop }
}

/** Processes of one installation that talk to each other at different times of a second. */
async function processes(count: number) {
  const clock = fixedClock()
  const storage = memoryStorage()
  const started: Awaited<ReturnType<typeof startProcess>>[] = []
  for (let seed = 0; seed < count; seed += 1) {
    started.push(await startProcess({ clock, storage, seed }))
    await clock.advance(230)
  }
  await clock.advance(1000)
  return { clock, storage, started }
}

/** How many of its writes each process allows, when each is asked for so many a second. */
async function run(clock: FixedClock, started: readonly Limits[], demand: readonly number[], seconds: number) {
  const stepMs = 10
  const allowed = started.map(() => 0)
  let due = started.map(() => 0)
  for (let passed = 0; passed < seconds * 1000; passed += stepMs) {
    due = due.map((left, n) => left + ((demand[n] ?? 0) * stepMs) / 1000)
    for (const [n, limits] of started.entries()) {
      for (; (due[n] ?? 0) >= 1; due[n] = (due[n] ?? 0) - 1)
        if (limits.take('key_1', 'writes')?.allowed) allowed[n] = (allowed[n] ?? 0) + 1
    }
    await clock.advance(stepMs)
  }
  return { allowed, total: allowed.reduce((sum, each) => sum + each, 0) }
}

/** How many writes a process allows at once. */
function burst(limits: Limits, key_id = 'key_1'): number {
  let allowed = 0
  while (limits.take(key_id, 'writes')?.allowed) allowed += 1
  return allowed
}

describe('the quota of a key', () => {
  it.each([
    ['equally', [100, 100, 100, 100]],
    ['equally, a little too much', [3, 3, 3, 3]],
    ['by one process alone', [400, 0, 0, 0]],
    ['most by one', [200, 20, 5, 1]],
    ['most by one, a little too much', [12, 1, 1, 1]],
    ['by turns', [0, 50, 0, 50]],
  ])('holds over four processes when it is asked for %s', async (_, demand) => {
    const { clock, started } = await processes(4)
    let total = 0
    const seconds = 330
    for (let second = 1; second <= seconds; second += 1) {
      total += (await run(clock, started, demand, 1)).total
      expect(total).toBeLessThanOrEqual(1.1 * (600 + 10 * second))
    }
    const asked = demand.reduce((sum, each) => sum + each, 0)
    expect(total).toBeGreaterThan(0.9 * Math.min(600 + 10 * seconds, asked * seconds))

    for (let minute = 1; minute <= 3; minute += 1) {
      const { total } = await run(clock, started, demand, 60)
      expect(total).toBeGreaterThan(0.9 * 600)
      expect(total).toBeLessThan(1.1 * 600)
    }
  })

  it('goes to all who ask for as much in equal parts, and to who asks for little as well', async () => {
    const { clock, started } = await processes(4)
    await run(clock, started, [100, 100, 100, 100], 60)
    for (const each of (await run(clock, started, [100, 100, 100, 100], 60)).allowed) {
      expect(each).toBeGreaterThan(120)
      expect(each).toBeLessThan(180)
    }
    const { allowed } = await run(clock, started, [300, 5, 5, 5], 120)
    for (const each of allowed) expect(each).toBeGreaterThan(5)
  })

  it('lets everything through that is within it, whichever processes are asked', async () => {
    const { clock, started } = await processes(4)
    for (const demand of [
      [2.4, 2.4, 2.4, 2.4],
      [9, 0.2, 0.2, 0.2],
      [0, 9.5, 0, 0],
    ]) {
      const asked = Math.floor(demand.reduce((sum, each) => sum + each, 0) * 60)
      expect((await run(clock, started, demand, 60)).total).toBeGreaterThanOrEqual(asked - 4)
    }
  })

  it('is there in whole for a process that is alone', async () => {
    const { clock, started } = await processes(1)
    const [alone] = started
    if (alone === undefined) throw new Error('nobody is there')
    expect(burst(alone)).toBe(600)
    expect([599, 600]).toContain((await run(clock, started, [100], 60)).total)
  })

  it('is shared equally before anybody has asked for it, by a process that has just started too', async () => {
    const { clock, storage, started } = await processes(3)
    await clock.advance(1000)
    const newest = await startProcess({ clock, storage, seed: 9 })
    expect(burst(newest)).toBe(150)
    await clock.advance(1000)
    const [first] = started
    expect(first && burst(first, 'key_2')).toBe(150)
  })

  it('is not there twice for who goes to a process that has just started', async () => {
    const { clock, storage, started } = await processes(1)
    await run(clock, started, [1000], 5)
    const newest = await startProcess({ clock, storage, seed: 9 })
    expect(burst(newest)).toBeLessThanOrEqual(60)
  })

  it('is kept apart for each key, and for reads and writes', async () => {
    const { started } = await processes(1)
    const [limits] = started
    if (limits === undefined) throw new Error('nobody is there')
    expect(burst(limits, 'key_1')).toBe(600)
    expect(burst(limits, 'key_2')).toBe(600)
    expect(limits.take('key_1', 'reads')).toMatchObject({
      allowed: true,
      policy: 'reads',
      quota: 6000,
      remaining: 5999,
    })
  })

  it('of a process that is gone goes to the others', async () => {
    const { clock, started } = await processes(2)
    const [gone, left] = started
    if (gone === undefined || left === undefined) throw new Error('nobody is there')
    await run(clock, started, [100, 100], 70)
    await gone.stop()
    await clock.advance(12_000)
    await run(clock, [left], [100], 60)
    expect((await run(clock, [left], [100], 60)).total).toBe(600)
  })

  it('stays shared as it was while the processes cannot talk, and is not owed afterwards', async () => {
    const { clock, storage, started } = await processes(4)
    await run(clock, started, [100, 100, 100, 100], 70)
    const { exchange } = storage.processes
    const away = () => Promise.reject(new UnavailableError('away', { retryAfterSeconds: 1 }))
    Object.assign(storage.processes, { exchange: away })
    await run(clock, started, [100, 100, 100, 100], 60)
    const { allowed } = await run(clock, started, [100, 0, 0, 0], 60)
    expect(allowed[0]).toBeGreaterThan(100)
    expect(allowed[0]).toBeLessThan(200)
    Object.assign(storage.processes, { exchange })
    await run(clock, started, [100, 100, 100, 100], 10)
    const { total } = await run(clock, started, [100, 100, 100, 100], 60)
    expect(total).toBeGreaterThan(0.9 * 600)
    expect(total).toBeLessThan(1.1 * 600)
  })

  it('does not care for what a process of another release says', async () => {
    const { clock, storage, started } = await processes(1)
    for (const says of [
      '[]',
      '{"id":7}',
      '{"id":"x","buckets":{"writes key_1":["much"]}}',
      '{"id":"y","buckets":{"z":[1,2,3]}}',
    ])
      await storage.processes.exchange({ id: says, at: new Date(clock.now()).toISOString(), says }, '')
    await clock.advance(2000)
    expect(started[0]?.take('key_1', 'writes')).toMatchObject({ allowed: true })
  })
})

describe('limits that are off', () => {
  it('refuse nobody and talk to nobody', async () => {
    const storage = memoryStorage()
    const clock = fixedClock()
    const limits = createLimits({ storage, clock, random: seededRandom(1), rateLimit: null })
    await limits.exchange()
    expect(limits.take('key_1', 'reads')).toBeNull()
    for (let n = 0; n < 100; n += 1) expect(limits.failedAuthentication('203.0.113.9')).toBeNull()
    expect(
      await storage.processes.exchange({ id: 'x', at: new Date(clock.now()).toISOString(), says: '' }, ''),
    ).toEqual([])
  })
})
