import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allocate } from './allocation.js'
import { ClaimedAhead } from './claimed-ahead.js'
import type { ClaimedDelivery, Lane } from './delivery-queue.js'
import { type Concurrency, Windows } from './windows.js'

let numbers = 0

function claimed(target: string, lane: Lane = 'first'): ClaimedDelivery {
  return {
    id: `dlv_${++numbers}`,
    account_id: 'default',
    created_at: '2026-01-15T10:30:00.000Z',
    channel: 'webhook',
    lane,
    target,
    event_id: 'evt_1',
    event: 'sav.created',
    body: '{}',
    attempt_count: 0,
    run_attempt_count: 0,
    run_started_at: '2026-01-15T10:30:00.000Z',
    next_attempt_at: '2026-01-15T10:30:00.000Z',
    lease_token: 'token',
    leased_until: '2026-01-15T10:30:15.000Z',
    intended_at: null,
    traceparent: null,
  }
}

/** A claimedAhead whose targets have all proved themselves, each with answers that took so long. */
function stockOf(concurrency: Concurrency, proven: readonly string[] = [], tookMs = 1000) {
  const windows = new Windows(concurrency)
  for (const target of proven) {
    for (let answers = 0; answers < 100; answers += 1) {
      windows.started(target, 'first')
      windows.ended(target, 'first', true, tookMs)
    }
  }
  return { windows, claimedAhead: new ClaimedAhead(windows, concurrency) }
}

/** Starts all that may start; in the order in which it started. */
function startAll({ windows, claimedAhead }: ReturnType<typeof stockOf>): ClaimedDelivery[] {
  const started: ClaimedDelivery[] = []
  for (let delivery = claimedAhead.next(); delivery !== undefined; delivery = claimedAhead.next()) {
    windows.started(delivery.target, delivery.lane)
    started.push(delivery)
  }
  return started
}

describe('a claimedAhead', () => {
  it('is two windows ahead of the attempts, and never more', () => {
    const house = stockOf({ total: 64, perTarget: 4 }, ['wh_1'])
    expect(house.claimedAhead.roomOf('wh_1')).toBe(12)
    for (let count = 0; count < 12; count += 1) house.claimedAhead.add(claimed('wh_1'))
    expect(house.claimedAhead.roomOf('wh_1')).toBe(0)
    expect(startAll(house)).toHaveLength(4)
    expect(house.claimedAhead.roomOf('wh_1')).toBe(0)
    expect(house.claimedAhead.size).toBe(8)
    house.windows.ended('wh_1', 'first', true)
    expect(house.claimedAhead.roomOf('wh_1')).toBe(1)
  })

  it('is three times the total for all targets together', () => {
    const house = stockOf({ total: 4, perTarget: 16 }, ['wh_1'])
    expect(house.claimedAhead.capacity).toBe(12)
    for (let count = 0; count < 12; count += 1) house.claimedAhead.add(claimed('wh_1'))
    expect(house.claimedAhead.capacity).toBe(0)
    expect(startAll(house)).toHaveLength(4)
    expect(house.claimedAhead.capacity).toBe(0)
  })

  it.each([
    [0, 8],
    [24, 8],
    [26, 7],
    [49, 4],
    [66, 3],
    [67, 2],
    [1000, 2],
    [4999, 2],
  ])(
    'is what is answered within 200 ms ahead, two windows at least and eight at most: %i ms, %i windows',
    (tookMs, ahead) => {
      const house = stockOf({ total: 10, perTarget: 4 }, ['wh_1'], tookMs)
      expect(house.claimedAhead.roomOf('wh_1')).toBe(4 * (1 + ahead))
      expect(house.claimedAhead.capacity).toBe(10 * (1 + ahead))
    },
  )

  it('is as much for each target as its own answers take, and for all as theirs do', () => {
    const house = stockOf({ total: 64, perTarget: 4 }, ['wh_fast'], 1)
    expect(house.claimedAhead.capacity).toBe(64 * 9)
    for (let answers = 0; answers < 100; answers += 1) {
      house.windows.started('wh_slow', 'first')
      house.windows.ended('wh_slow', 'first', true, 2500)
    }
    expect([house.claimedAhead.roomOf('wh_fast'), house.claimedAhead.roomOf('wh_slow')]).toEqual([4 * 9, 4 * 3])
    expect(house.claimedAhead.capacity).toBe(64 * 3)
  })

  it('is low once half of what may wait is gone', () => {
    for (const [tookMs, least] of [
      [1000, 4],
      [1, 16],
    ] as const) {
      const house = stockOf({ total: 64, perTarget: 4 }, ['wh_1'], tookMs)
      for (let count = 0; count < 4 + least + 1; count += 1) house.claimedAhead.add(claimed('wh_1'))
      startAll(house)
      expect(house.claimedAhead.isLow).toBe(false)
      house.windows.ended('wh_1', 'first', true, tookMs)
      startAll(house)
      expect([house.claimedAhead.size, house.claimedAhead.isLow]).toEqual([least, true])
    }
  })

  it('starts to the target with the fewest attempts under way, and among equals to the one that started longest ago', () => {
    const house = stockOf({ total: 64, perTarget: 16 }, ['wh_1', 'wh_2', 'wh_3'])
    house.windows.started('wh_1', 'first')
    house.windows.started('wh_2', 'first')
    house.windows.ended('wh_2', 'first', true)
    for (const target of ['wh_1', 'wh_2', 'wh_3', 'wh_1', 'wh_2', 'wh_3']) house.claimedAhead.add(claimed(target))
    expect(startAll(house).map(({ target }) => target)).toEqual(['wh_3', 'wh_2', 'wh_1', 'wh_3', 'wh_2', 'wh_1'])
  })

  it('starts no more to suspects than a quarter of the total, and all else beside them', () => {
    const house = stockOf({ total: 8, perTarget: 4 }, ['wh_1'])
    const suspects = ['wh_2', 'wh_3', 'wh_4']
    for (const target of suspects) {
      house.windows.started(target, 'first')
      house.windows.ended(target, 'first', false)
    }
    for (const target of [...suspects, 'wh_1', 'wh_1']) house.claimedAhead.add(claimed(target))
    expect(startAll(house).map(({ target }) => target)).toEqual(['wh_1', 'wh_2', 'wh_3', 'wh_1'])
    house.windows.ended('wh_2', 'first', true)
    expect(startAll(house).map(({ target }) => target)).toEqual(['wh_4'])
  })

  it('is never ahead for a target that did not answer the last time', () => {
    const { windows, claimedAhead } = stockOf({ total: 64, perTarget: 4 }, ['wh_1'])
    windows.started('wh_1', 'first')
    windows.ended('wh_1', 'first', false)
    expect(claimedAhead.roomOf('wh_1')).toBe(1)
    claimedAhead.add(claimed('wh_1'))
    expect(claimedAhead.roomOf('wh_1')).toBe(0)
  })

  it('gives out what came first, and first attempts before retries', () => {
    const house = stockOf({ total: 2, perTarget: 2 }, ['wh_1'])
    const [retry, first, second] = [claimed('wh_1', 'retry'), claimed('wh_1'), claimed('wh_1')]
    for (const delivery of [retry, first, second]) house.claimedAhead.add(delivery)
    house.windows.started('wh_1', 'retry')
    expect(startAll(house)).toEqual([first])
    house.windows.ended('wh_1', 'first', true)
    expect(startAll(house)).toEqual([second])
    house.windows.ended('wh_1', 'first', true)
    expect(startAll(house)).toEqual([retry])
  })

  it('gives retries a quarter of the places while first attempts wait', () => {
    const house = stockOf({ total: 8, perTarget: 16 }, ['wh_1', 'wh_2'])
    for (let count = 0; count < 12; count += 1) {
      house.claimedAhead.add(claimed('wh_1', 'first'))
      house.claimedAhead.add(claimed('wh_2', 'retry'))
    }
    const lanes = startAll(house).map(({ lane }) => lane)
    expect(lanes.filter((lane) => lane === 'retry')).toHaveLength(2)
    expect(lanes).toHaveLength(8)
    // A place that a retry leaves goes to a retry.
    house.windows.ended('wh_2', 'retry', true)
    expect(startAll(house).map(({ lane }) => lane)).toEqual(['retry'])
    house.windows.ended('wh_1', 'first', true)
    expect(startAll(house).map(({ lane }) => lane)).toEqual(['first'])
  })

  it('claims a quarter of itself for retries', () => {
    const house = stockOf({ total: 8, perTarget: 64 }, ['wh_1', 'wh_2'])
    const due = [
      { target: 'wh_1', channel: 'webhook', lane: 'first' },
      { target: 'wh_2', channel: 'webhook', lane: 'retry' },
    ] as const
    const asked = { first: 0, retry: 0 }
    for (const { lane, limit } of allocate(due, house.claimedAhead)) asked[lane] += limit
    expect(asked).toEqual({ first: 18, retry: 6 })
  })

  it('dropped for one target gives back all that waits for it, and nothing else', () => {
    const { claimedAhead } = stockOf({ total: 64, perTarget: 4 }, ['wh_1', 'wh_2'])
    const [a, b, c] = [claimed('wh_1'), claimed('wh_1', 'retry'), claimed('wh_2')]
    for (const delivery of [a, b, c]) claimedAhead.add(delivery)
    expect(new Set(claimedAhead.drop('wh_1'))).toEqual(new Set([a, b]))
    expect(claimedAhead.drop('wh_1')).toEqual([])
    expect(claimedAhead.drop('wh_none')).toEqual([])
    expect(claimedAhead.size).toBe(1)
    expect(claimedAhead.drop()).toEqual([c])
    expect([claimedAhead.size, claimedAhead.capacity]).toEqual([0, 192])
    expect(claimedAhead.next()).toBeUndefined()
  })
})

describe('whatever happens', () => {
  const targets = ['wh_0', 'wh_1', 'wh_2', 'wh_3', 'wh_4', 'wh_5']
  const lanes = ['first', 'retry'] as const
  const action = fc.oneof(
    { weight: 3, arbitrary: fc.record({ type: fc.constant('claim' as const), due: fc.subarray(targets) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant('end' as const),
        at: fc.nat(),
        answered: fc.constantFrom(true, true, true, false, null),
        tookMs: fc.constantFrom(1, 100, 3000),
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant('drop' as const), at: fc.nat({ max: 7 }) }) },
  )
  const history = fc.record({
    concurrency: fc.record({ total: fc.integer({ min: 4, max: 24 }), perTarget: fc.integer({ min: 1, max: 16 }) }),
    actions: fc.array(action, { minLength: 1, maxLength: 60 }),
  })

  it('windows, total and the quarter for suspects hold, nothing is kept back, and nothing vanishes', () => {
    fc.assert(
      fc.property(history, ({ concurrency, actions }) => {
        const { total, perTarget } = concurrency
        const house = stockOf(concurrency)
        const { windows, claimedAhead } = house
        const waiting = new Set<ClaimedDelivery>()
        const underWay: ClaimedDelivery[] = []
        const answered = new Map<string, boolean>()
        const isSuspect = (target: string) => answered.get(target) === false
        const inFlight = (holds: (delivery: ClaimedDelivery) => boolean) => underWay.filter(holds).length
        const quarter = Math.max(1, Math.floor(total / 4))

        function start(): void {
          for (let delivery = claimedAhead.next(); delivery !== undefined; delivery = claimedAhead.next()) {
            const { target, lane } = delivery
            expect(waiting.delete(delivery)).toBe(true)
            expect(inFlight((other) => other.target === target)).toBeLessThan(windows.of(target).size)
            windows.started(target, lane)
            underWay.push(delivery)
            expect(underWay.length).toBeLessThanOrEqual(total)
            if (isSuspect(target)) expect(inFlight((other) => isSuspect(other.target))).toBeLessThanOrEqual(quarter)
          }
        }

        for (const each of actions) {
          if (each.type === 'claim') {
            const due = each.due.flatMap((target) => lanes.map((lane) => ({ target, channel: 'webhook', lane })))
            const requests = allocate(due, claimedAhead)
            for (const { target, lane, limit } of requests) {
              for (let count = 0; count < limit; count += 1) {
                const delivery = claimed(target, lane)
                waiting.add(delivery)
                claimedAhead.add(delivery)
              }
            }
            for (const target of targets) {
              const ahead = [...waiting].filter((delivery) => delivery.target === target).length
              const held = ahead + inFlight((delivery) => delivery.target === target)
              const asked = requests.some((request) => request.target === target)
              if (asked) expect(held).toBeLessThanOrEqual(isSuspect(target) ? windows.of(target).size : perTarget * 9)
            }
            expect(waiting.size + underWay.length).toBeLessThanOrEqual(total * 9)
          } else if (each.type === 'end') {
            const [ended] = underWay.splice(each.at % Math.max(1, underWay.length), 1)
            if (ended === undefined) continue
            windows.ended(ended.target, ended.lane, each.answered, each.tookMs)
            if (each.answered !== null) answered.set(ended.target, each.answered)
            if (each.answered !== true)
              for (const dropped of claimedAhead.drop(ended.target)) expect(waiting.delete(dropped)).toBe(true)
          } else {
            const target = targets[each.at]
            const expected = [...waiting].filter((delivery) => target === undefined || delivery.target === target)
            const dropped = claimedAhead.drop(target)
            expect(new Set(dropped)).toEqual(new Set(expected))
            for (const delivery of dropped) waiting.delete(delivery)
          }
          start()
          expect(claimedAhead.size).toBe(waiting.size)
          // What waits does so for want of a place.
          if (underWay.length < total)
            for (const { target } of waiting) {
              const full = inFlight((other) => other.target === target) >= windows.of(target).size
              const crowded = isSuspect(target) && inFlight((other) => isSuspect(other.target)) >= quarter
              expect(full || crowded).toBe(true)
            }
        }
        expect(new Set(claimedAhead.drop())).toEqual(waiting)
        expect(claimedAhead.size).toBe(0)
      }),
      { numRuns: 500 },
    )
  })
})
