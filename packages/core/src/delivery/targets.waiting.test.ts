import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claimedDelivery } from '../../../storage-contract/src/samples/queue-samples.js'
import { allocate } from './allocation.js'
import type { ClaimedDelivery, Lane } from './delivery-queue.js'
import { type Concurrency, Targets } from './targets.js'

let numbers = 0

const claimed = (target: string, lane: Lane = 'first'): ClaimedDelivery =>
  claimedDelivery({ id: `dlv_${++numbers}`, account_id: 'default', target, lane })

/** Targets that have all answered before, each time after `tookMs`. */
function provenTargets(concurrency: Concurrency, proven: readonly string[] = [], tookMs = 1000): Targets {
  const targets = new Targets(concurrency)
  for (const target of proven) {
    for (let answers = 0; answers < 100; answers += 1) {
      targets.started({ target, lane: 'first' })
      targets.ended({ target, lane: 'first' }, true, tookMs)
    }
  }
  return targets
}

/** Starts all that may start, and returns it in that order. */
function startAll(targets: Targets): ClaimedDelivery[] {
  const started: ClaimedDelivery[] = []
  for (let delivery = targets.next(); delivery !== undefined; delivery = targets.next()) {
    targets.started(delivery)
    started.push(delivery)
  }
  return started
}

describe('the queue of claimed deliveries', () => {
  it('holds at most two windows of deliveries beyond the attempts in progress', () => {
    const targets = provenTargets({ total: 64, perTarget: 4 }, ['wh_1'])
    expect(targets.capacityOf('wh_1')).toBe(12)
    for (let count = 0; count < 12; count += 1) targets.add(claimed('wh_1'))
    expect(targets.capacityOf('wh_1')).toBe(0)
    expect(startAll(targets)).toHaveLength(4)
    expect(targets.capacityOf('wh_1')).toBe(0)
    expect(targets.waiting).toBe(8)
    targets.ended({ target: 'wh_1', lane: 'first' }, true)
    expect(targets.capacityOf('wh_1')).toBe(1)
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
  ])('holds as many as are answered within 200 ms, two to eight windows: at %i ms, %i windows', (tookMs, ahead) => {
    const targets = provenTargets({ total: 10, perTarget: 4 }, ['wh_1'], tookMs)
    expect(targets.capacityOf('wh_1')).toBe(4 * (1 + ahead))
    expect(targets.capacity).toBe(10 * (1 + ahead))
  })

  it('limits each target by its own answer time, and the total by the answer time of all targets', () => {
    const targets = provenTargets({ total: 64, perTarget: 4 }, ['wh_fast'], 1)
    expect(targets.capacity).toBe(64 * 9)
    for (let answers = 0; answers < 100; answers += 1) {
      targets.started({ target: 'wh_slow', lane: 'first' })
      targets.ended({ target: 'wh_slow', lane: 'first' }, true, 2500)
    }
    expect([targets.capacityOf('wh_fast'), targets.capacityOf('wh_slow')]).toEqual([4 * 9, 4 * 3])
    expect(targets.capacity).toBe(64 * 3)
  })

  it('is reported as low once half of the allowed number has started', () => {
    for (const [tookMs, least] of [
      [1000, 4],
      [1, 16],
    ] as const) {
      const targets = provenTargets({ total: 64, perTarget: 4 }, ['wh_1'], tookMs)
      for (let count = 0; count < 4 + least + 1; count += 1) targets.add(claimed('wh_1'))
      startAll(targets)
      expect(targets.isLow).toBe(false)
      targets.ended({ target: 'wh_1', lane: 'first' }, true, tookMs)
      startAll(targets)
      expect([targets.waiting, targets.isLow]).toEqual([least, true])
    }
  })

  it('prefers the target with the fewest attempts in progress, then the one that started longest ago', () => {
    const targets = provenTargets({ total: 64, perTarget: 16 }, ['wh_1', 'wh_2', 'wh_3'])
    targets.started({ target: 'wh_1', lane: 'first' })
    targets.started({ target: 'wh_2', lane: 'first' })
    targets.ended({ target: 'wh_2', lane: 'first' }, true)
    for (const target of ['wh_1', 'wh_2', 'wh_3', 'wh_1', 'wh_2', 'wh_3']) targets.add(claimed(target))
    expect(startAll(targets).map(({ target }) => target)).toEqual(['wh_3', 'wh_2', 'wh_1', 'wh_3', 'wh_2', 'wh_1'])
  })

  it('starts the oldest first, and first attempts before retries', () => {
    const targets = provenTargets({ total: 2, perTarget: 2 }, ['wh_1'])
    const [retry, first, second] = [claimed('wh_1', 'retry'), claimed('wh_1'), claimed('wh_1')]
    for (const delivery of [retry, first, second]) targets.add(delivery)
    targets.started({ target: 'wh_1', lane: 'retry' })
    expect(startAll(targets)).toEqual([first])
    targets.ended({ target: 'wh_1', lane: 'first' }, true)
    expect(startAll(targets)).toEqual([second])
    targets.ended({ target: 'wh_1', lane: 'first' }, true)
    expect(startAll(targets)).toEqual([retry])
  })

  it('gives retries a quarter of the slots while first attempts wait', () => {
    const targets = provenTargets({ total: 8, perTarget: 16 }, ['wh_1', 'wh_2'])
    for (let count = 0; count < 12; count += 1) {
      targets.add(claimed('wh_1', 'first'))
      targets.add(claimed('wh_2', 'retry'))
    }
    const lanes = startAll(targets).map(({ lane }) => lane)
    expect(lanes.filter((lane) => lane === 'retry')).toHaveLength(2)
    expect(lanes).toHaveLength(8)
    // The slot of an ended retry goes to another retry.
    targets.ended({ target: 'wh_2', lane: 'retry' }, true)
    expect(startAll(targets).map(({ lane }) => lane)).toEqual(['retry'])
    targets.ended({ target: 'wh_1', lane: 'first' }, true)
    expect(startAll(targets).map(({ lane }) => lane)).toEqual(['first'])
  })

  it('gives a quarter of its places to retries', () => {
    const targets = provenTargets({ total: 8, perTarget: 64 }, ['wh_1', 'wh_2'])
    const due = [
      { target: 'wh_1', channel: 'webhook', lane: 'first' },
      { target: 'wh_2', channel: 'webhook', lane: 'retry' },
    ] as const
    const asked = { first: 0, retry: 0 }
    for (const { lane, limit } of allocate(due, targets)) asked[lane] += limit
    expect(asked).toEqual({ first: 18, retry: 6 })
  })
})

describe('whatever happens', () => {
  const names = ['wh_0', 'wh_1', 'wh_2', 'wh_3', 'wh_4', 'wh_5']
  const lanes = ['first', 'retry'] as const
  const action = fc.oneof(
    { weight: 3, arbitrary: fc.record({ type: fc.constant('claim' as const), due: fc.subarray(names) }) },
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
    concurrency: fc.record({ total: fc.integer({ min: 1, max: 24 }), perTarget: fc.integer({ min: 1, max: 16 }) }),
    actions: fc.array(action, { minLength: 1, maxLength: 60 }),
  })

  it('no more deliveries run than a target, all targets, or all suspect ones may have, and each starts as soon as it may', () => {
    fc.assert(
      fc.property(history, ({ concurrency, actions }) => {
        const { total, perTarget } = concurrency
        const targets = new Targets(concurrency)
        const waiting = new Set<ClaimedDelivery>()
        const underWay: ClaimedDelivery[] = []
        const answered = new Map<string, boolean>()
        const sizes = new Map<string, number>()
        const windowOf = (target: string) => sizes.get(target) ?? 1
        const isSuspect = (target: string) => answered.get(target) === false
        const inFlight = (holds: (delivery: ClaimedDelivery) => boolean) => underWay.filter(holds).length
        const quarter = Math.max(1, Math.floor(total / 4))

        function start(): void {
          for (let delivery = targets.next(); delivery !== undefined; delivery = targets.next()) {
            const { target, lane } = delivery
            expect(waiting.delete(delivery)).toBe(true)
            expect(inFlight((other) => other.target === target)).toBeLessThan(windowOf(target))
            targets.started({ target, lane })
            underWay.push(delivery)
            expect(underWay.length).toBeLessThanOrEqual(total)
            if (isSuspect(target)) expect(inFlight((other) => isSuspect(other.target))).toBeLessThanOrEqual(quarter)
          }
        }

        for (const each of actions) {
          if (each.type === 'claim') {
            const due = each.due.flatMap((target) => lanes.map((lane) => ({ target, channel: 'webhook', lane })))
            const requests = allocate(due, targets)
            expect(new Set(requests.map(({ target, lane }) => `${target} ${lane}`)).size).toBe(requests.length)
            for (const { target, lane } of requests) expect(due).toContainEqual({ target, channel: 'webhook', lane })
            for (const { target, lane, limit } of requests) {
              for (let count = 0; count < limit; count += 1) {
                const delivery = claimed(target, lane)
                waiting.add(delivery)
                targets.add(delivery)
              }
            }
            for (const target of each.due)
              if (targets.capacity > 0 && !isSuspect(target)) expect(targets.capacityOf(target)).toBe(0)
            for (const target of names) {
              const ahead = [...waiting].filter((delivery) => delivery.target === target).length
              const held = ahead + inFlight((delivery) => delivery.target === target)
              const asked = requests.some((request) => request.target === target)
              if (asked) expect(held).toBeLessThanOrEqual(isSuspect(target) ? windowOf(target) : perTarget * 9)
            }
            expect(waiting.size + underWay.length).toBeLessThanOrEqual(total * 9)
          } else if (each.type === 'end') {
            const [ended] = underWay.splice(each.at % Math.max(1, underWay.length), 1)
            if (ended === undefined) continue
            targets.ended({ target: ended.target, lane: ended.lane }, each.answered, each.tookMs)
            if (each.answered !== null) {
              answered.set(ended.target, each.answered)
              sizes.set(ended.target, each.answered ? Math.min(windowOf(ended.target) * 2, perTarget) : 1)
            }
            if (each.answered !== true)
              for (const dropped of targets.takeAll(ended.target)) expect(waiting.delete(dropped)).toBe(true)
          } else {
            const target = names[each.at]
            const expected = [...waiting].filter((delivery) => target === undefined || delivery.target === target)
            const dropped = targets.takeAll(target)
            expect(new Set(dropped)).toEqual(new Set(expected))
            for (const delivery of dropped) waiting.delete(delivery)
          }
          start()
          expect(targets.waiting).toBe(waiting.size)
          // A delivery waits only if there is no slot for it.
          if (underWay.length < total)
            for (const { target } of waiting) {
              const full = inFlight((other) => other.target === target) >= windowOf(target)
              const crowded = isSuspect(target) && inFlight((other) => isSuspect(other.target)) >= quarter
              expect(full || crowded).toBe(true)
            }
        }
        expect(new Set(targets.takeAll())).toEqual(waiting)
        expect(targets.waiting).toBe(0)
      }),
      { numRuns: 500 },
    )
  })
})
