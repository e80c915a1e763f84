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

  it('get three quarters and one quarter of the slots that become free one by one', () => {
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

describe('every target gets its turn', () => {
  const targets = Array.from({ length: 12 }, (_, index) => `wh_${index}`)

  it.each([
    ['with windows of 16', 16],
    ['with windows of 4', 4],
  ])('behind the backlog of other targets, %s', (_, perTarget) => {
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

  it('among suspects, targets whose last attempt got no answer', () => {
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
