import { describe, expect, it } from 'vitest'
import { Targets } from './targets.js'

/** One attempt after the other, each with this end. */
function attempts(windows: Targets, target: string, ends: readonly (boolean | null)[]): void {
  for (const answered of ends) {
    windows.started({ target, lane: 'first' })
    windows.ended({ target, lane: 'first' }, answered)
  }
}

function start(windows: Targets, target: string, count: number): void {
  for (let started = 0; started < count; started += 1) windows.started({ target, lane: 'first' })
}

describe('the window of a target', () => {
  it('starts at 1', () => {
    const windows = new Targets({ total: 256, perTarget: 16 })
    expect(windows.startableTo('wh_1')).toBe(1)
    windows.started({ target: 'wh_1', lane: 'first' })
    expect(windows.startableTo('wh_1')).toBe(0)
    expect(windows.startableTo('wh_2')).toBe(1)
  })

  it('grows with success, up to its limit and not beyond', () => {
    const windows = new Targets({ total: 256, perTarget: 16 })
    let before = windows.startableTo('wh_1')
    for (let answers = 0; answers < 20; answers += 1) {
      attempts(windows, 'wh_1', [true])
      expect(windows.startableTo('wh_1')).toBeGreaterThanOrEqual(before)
      before = windows.startableTo('wh_1')
      expect(before).toBeLessThanOrEqual(16)
    }
    expect(before).toBe(16)
  })

  it.each([1, 3, 5])('never exceeds a limit of %i', (perTarget) => {
    const windows = new Targets({ total: 256, perTarget })
    attempts(windows, 'wh_1', Array(20).fill(true))
    expect(windows.startableTo('wh_1')).toBe(perTarget)
  })

  it('shrinks when an answer never comes, though others are under way', () => {
    const windows = new Targets({ total: 256, perTarget: 16 })
    attempts(windows, 'wh_1', Array(20).fill(true))
    start(windows, 'wh_1', 10)
    windows.ended({ target: 'wh_1', lane: 'first' }, false)
    expect(windows.startableTo('wh_1')).toBe(0)
    for (let left = 9; left > 0; left -= 1) windows.ended({ target: 'wh_1', lane: 'first' }, false)
    expect(windows.startableTo('wh_1')).toBe(1)
  })

  it('learns nothing from an attempt that was not sent', () => {
    const windows = new Targets({ total: 256, perTarget: 16 })
    attempts(windows, 'wh_1', Array(20).fill(true))
    attempts(windows, 'wh_1', [null])
    expect(windows.startableTo('wh_1')).toBe(16)
    attempts(windows, 'wh_2', [null])
    expect(windows.startableTo('wh_2')).toBe(1)
    expect(windows.isSuspect('wh_2')).toBe(false)
    // Nor is anything claimed ahead for it.
    expect(windows.capacityOf('wh_2')).toBe(1)
  })

  it('of one target does not depend on how another fares', () => {
    const windows = new Targets({ total: 256, perTarget: 16 })
    attempts(windows, 'wh_1', Array(20).fill(true))
    attempts(windows, 'wh_2', Array(20).fill(false))
    expect(windows.startableTo('wh_1')).toBe(16)
    expect(windows.isSuspect('wh_1')).toBe(false)
  })
})

describe('a suspect', () => {
  it('is who did not answer the last time, and not who was never asked', () => {
    const windows = new Targets({ total: 256, perTarget: 16 })
    const judged = [null, true, false, false, true].map((answered) => {
      if (answered !== null) attempts(windows, 'wh_1', [answered])
      return windows.isSuspect('wh_1')
    })
    expect(judged).toEqual([false, false, true, true, false])
  })

  it.each([
    [256, 64],
    [64, 16],
    [16, 4],
    [4, 1],
    [7, 1],
    [8, 2],
  ])('of %i places has, with all others, %i', (total, quarter) => {
    const windows = new Targets({ total, perTarget: 16 })
    expect(windows.suspectCapacity).toBe(quarter)
    for (let started = 1; started <= quarter; started += 1) {
      attempts(windows, `wh_${started}`, [false])
      windows.started({ target: `wh_${started}`, lane: 'first' })
      expect(windows.suspectCapacity).toBe(quarter - started)
    }
  })

  it('is let in at all when there are fewer than four places', () => {
    for (const total of [1, 2, 3]) expect(new Targets({ total, perTarget: 16 }).suspectCapacity).toBe(1)
  })

  it('gives its places back when it answers, and takes them when it stops to', () => {
    const windows = new Targets({ total: 64, perTarget: 16 })
    attempts(windows, 'wh_1', Array(10).fill(true))
    start(windows, 'wh_1', 10)
    expect(windows.suspectCapacity).toBe(16)
    windows.ended({ target: 'wh_1', lane: 'first' }, false)
    expect(windows.suspectCapacity).toBe(16 - 9)
    windows.ended({ target: 'wh_1', lane: 'first' }, true)
    expect(windows.suspectCapacity).toBe(16)
  })
})

describe('all windows together', () => {
  it('have as many places as the total', () => {
    const windows = new Targets({ total: 3, perTarget: 16 })
    expect(windows.startable).toBe(3)
    for (const target of ['wh_1', 'wh_2', 'wh_3']) windows.started({ target, lane: 'first' })
    expect([windows.startable, windows.inFlight]).toEqual([0, 3])
    windows.ended({ target: 'wh_2', lane: 'first' }, true)
    expect([windows.startable, windows.inFlight]).toEqual([1, 2])
  })

  it('are empty when everything has ended, however it did', () => {
    const windows = new Targets({ total: 64, perTarget: 16 })
    const ends = [true, false, null, false, true, true, null, false]
    for (const [index, answered] of ends.entries()) attempts(windows, `wh_${index % 3}`, [answered])
    expect([windows.startable, windows.inFlight, windows.suspectCapacity]).toEqual([64, 0, 16])
  })
})

describe('how long answers take', () => {
  it('is a moving average of the answers alone, and as long as any until there are some', () => {
    const windows = new Targets({ total: 10, perTarget: 1 })
    /** How many windows are claimed ahead. */
    const ahead = () => windows.capacity / 10 - 1
    const end = (count: number, answered: boolean | null, tookMs: number) => {
      for (let ended = 0; ended < count; ended += 1) {
        windows.started({ target: 'wh_1', lane: 'first' })
        windows.ended({ target: 'wh_1', lane: 'first' }, answered, tookMs)
      }
    }
    expect(ahead()).toBe(2)
    end(20, true, 0)
    expect(ahead()).toBe(2)
    end(1, true, 0)
    expect(ahead()).toBe(3)
    end(20, false, 0)
    end(20, null, 0)
    expect(ahead()).toBe(3)
    end(5, true, 0)
    expect(ahead()).toBe(6)
    // As if it had taken a second.
    end(1, true, 60_000)
    expect(ahead()).toBe(2)
    end(6, true, 0)
    expect(ahead()).toBe(2)
    end(1, true, 0)
    expect(ahead()).toBe(3)
  })
})
