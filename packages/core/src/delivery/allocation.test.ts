import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allocate as allocated, type Capacity } from './allocation.js'
import type { ClaimRequest, DueTarget, Lane } from './delivery-queue.js'
import { type Concurrency, Targets } from './targets.js'

const due = (target: string, lane: Lane = 'first'): DueTarget => ({ target, channel: 'webhook', lane })

/** Allocates only attempts that may start now, without claiming ahead. */
const allocate = (waiting: readonly DueTarget[], targets: Targets): ClaimRequest[] => {
  const free: Capacity = {
    capacity: targets.startable,
    suspectCapacity: targets.suspectCapacity,
    retriesOwed: targets.retriesStartable,
    isRetryTurn: (target) => targets.isRetryTurn(target),
    isSuspect: (target) => targets.isSuspect(target),
    capacityOf: (target) => targets.startableTo(target),
    compare: (a, b) => targets.compare(a, b),
  }
  return allocated(waiting, free)
}

const given = (requests: readonly ClaimRequest[], belongs: (request: ClaimRequest) => boolean = () => true) =>
  requests.filter(belongs).reduce((sum, { limit }) => sum + limit, 0)

const toTarget = (target: string) => (request: ClaimRequest) => request.target === target
const inLane = (lane: Lane) => (request: ClaimRequest) => request.lane === lane

/** These targets, after several answers from each. */
function trusting(concurrency: Concurrency, targets: readonly string[]): Targets {
  const windows = new Targets(concurrency)
  for (const target of targets) {
    for (let answers = 0; answers < 6; answers += 1) {
      windows.started({ target, lane: 'first' })
      windows.ended({ target, lane: 'first' }, true)
    }
  }
  return windows
}

/** Starts as many attempts as were requested. */
function startAll(windows: Targets, requests: readonly ClaimRequest[]): ClaimRequest[] {
  const started = requests.flatMap((request) => Array<ClaimRequest>(request.limit).fill(request))
  for (const { target, lane } of started) windows.started({ target, lane })
  return started
}

describe('slots', () => {
  it('are shared evenly among equal targets', () => {
    const targets = ['wh_1', 'wh_2', 'wh_3', 'wh_4']
    const requests = allocate(
      targets.map((target) => due(target)),
      trusting({ total: 16, perTarget: 16 }, targets),
    )
    expect(targets.map((target) => given(requests, toTarget(target)))).toEqual([4, 4, 4, 4])
  })
})

describe('first attempts and retries', () => {
  const windows = () => trusting({ total: 16, perTarget: 16 }, ['wh_1', 'wh_2'])

  it('keep their shares as slots become free one by one', () => {
    const both = [due('wh_1', 'first'), due('wh_2', 'retry')]
    const busy = windows()
    const underWay = startAll(busy, allocate(both, busy))
    const started = { first: 0, retry: 0 }
    for (let ended = 0; ended < 400; ended += 1) {
      const [oldest] = underWay.splice(0, 1)
      if (oldest === undefined) throw new Error('nothing is under way')
      busy.ended({ target: oldest.target, lane: oldest.lane }, true)
      const next = startAll(busy, allocate(both, busy))
      for (const { lane } of next) started[lane] += 1
      underWay.push(...next)
    }
    expect(started).toEqual({ first: 300, retry: 100 })
  })
})

describe('whatever happens', () => {
  const targets = Array.from({ length: 12 }, (_, index) => `wh_${index}`)
  const anyDue = fc.subarray(targets.flatMap((target) => [due(target, 'first'), due(target, 'retry')]))
  const step = fc.record({
    due: anyDue,
    /** Which attempts in progress end now, by their index, and how. */
    ends: fc.array(fc.record({ at: fc.nat(), answered: fc.constantFrom(true, true, true, false, null) }), {
      maxLength: 12,
    }),
  })
  const history = fc.record({
    concurrency: fc.record({ total: fc.integer({ min: 4, max: 40 }), perTarget: fc.integer({ min: 1, max: 16 }) }),
    steps: fc.array(step, { minLength: 1, maxLength: 25 }),
  })

  it('the limits hold, and no usable slot stays empty', () => {
    fc.assert(
      fc.property(history, ({ concurrency, steps }) => {
        const { total, perTarget } = concurrency
        const quarter = Math.floor(total / 4)
        const windows = new Targets(concurrency)
        const underWay: ClaimRequest[] = []
        const lastAnswered = new Map<string, boolean>()
        const isSuspect = (target: string) => lastAnswered.get(target) === false
        const count = (belongs: (request: ClaimRequest) => boolean) => underWay.filter(belongs).length

        for (const { due, ends } of steps) {
          const before = [...underWay]
          const startable = new Map(targets.map((target) => [target, windows.startableTo(target)]))
          const requests = allocate(due, windows)
          underWay.push(...startAll(windows, requests))
          expect(new Set(requests.map(({ target, lane }) => `${target} ${lane}`)).size).toBe(requests.length)

          for (const request of requests)
            expect(due).toContainEqual(expect.objectContaining({ target: request.target, lane: request.lane }))
          expect(underWay.length).toBeLessThanOrEqual(total)
          for (const target of targets) {
            expect(given(requests, toTarget(target))).toBeLessThanOrEqual(startable.get(target) ?? 0)
            if (given(requests, toTarget(target)) > 0) expect(count(toTarget(target))).toBeLessThanOrEqual(perTarget)
          }

          const toSuspects = ({ target }: ClaimRequest) => isSuspect(target)
          if (given(requests, toSuspects) > 0) expect(count(toSuspects)).toBeLessThanOrEqual(quarter)

          const suspectsFull = count(toSuspects) >= quarter
          const couldStart = ({ target }: DueTarget) =>
            windows.startableTo(target) > 0 && !(isSuspect(target) && suspectsFull)
          if (underWay.length < total) expect(due.filter(couldStart)).toEqual([])

          const retries = count(inLane('retry'))
          const firstsWaiting = due.some((target) => target.lane === 'first' && couldStart(target))
          if (firstsWaiting && given(requests, inLane('retry')) > 0) expect(retries).toBeLessThanOrEqual(quarter)
          // Where first attempts of the same target wait too, its own quarter is the measure.
          const hasFirst = (target: string) => due.some((each) => each.lane === 'first' && each.target === target)
          const retriesWaiting = due.some((each) => each.lane === 'retry' && couldStart(each) && !hasFirst(each.target))
          const possible = Math.min(quarter, before.filter(inLane('retry')).length + total - before.length)
          if (retriesWaiting) expect(retries).toBeGreaterThanOrEqual(possible)

          for (const { at, answered } of ends) {
            const [ended] = underWay.splice(at % Math.max(1, underWay.length), 1)
            if (ended === undefined) continue
            windows.ended({ target: ended.target, lane: ended.lane }, answered)
            if (answered !== null) lastAnswered.set(ended.target, answered)
          }
        }
        expect(windows.inFlight).toBe(underWay.length)
      }),
      { numRuns: 400 },
    )
  })

  it.each([
    ['with windows of 16', 16],
    ['with windows of 4', 4],
  ])('no target starves behind the backlog of others, %s', (_, perTarget) => {
    const backlog = targets.map((target) => due(target))
    const windows = trusting({ total: 16, perTarget }, targets)
    const underWay = startAll(windows, allocate(backlog, windows))
    const served = new Map(targets.map((target) => [target, 0]))
    for (let round = 0; round < 240; round += 1) {
      const [oldest] = underWay.splice(0, 1)
      if (oldest === undefined) throw new Error('nothing is under way')
      windows.ended({ target: oldest.target, lane: oldest.lane }, true)
      served.set(oldest.target, (served.get(oldest.target) ?? 0) + 1)
      underWay.push(...startAll(windows, allocate(backlog, windows)))
    }
    for (const [target, count] of served) expect(count, target).toBeGreaterThanOrEqual(10)
  })

  it('no suspect starves behind other suspects', () => {
    const backlog = targets.map((target) => due(target))
    const windows = new Targets({ total: 4, perTarget: 4 })
    const served = new Set<string>()
    for (let round = 0; round < 60; round += 1) {
      for (const { target, lane } of startAll(windows, allocate(backlog, windows))) {
        windows.ended({ target, lane }, false)
        served.add(target)
      }
    }
    expect(served.size).toBe(targets.length)
  })
})
