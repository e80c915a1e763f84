import { describe, expect, it } from 'vitest'
import { Targets } from './targets.js'

/** One attempt after the other, each with this end. */
function attempts(windows: Targets, target: string, ends: readonly (boolean | null)[]): void {
  for (const answered of ends) {
    windows.started({ target, lane: 'first' })
    windows.ended({ target, lane: 'first' }, answered)
  }
}

describe('the window of a target', () => {
  it('does not change after an attempt that was not sent', () => {
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
})

describe('suspect targets', () => {
  it.each([
    [256, 64],
    [64, 16],
    [16, 4],
    [4, 1],
    [7, 1],
    [8, 2],
    [3, 1],
    [1, 1],
  ])('of %i slots share %i', (total, quarter) => {
    const windows = new Targets({ total, perTarget: 16 })
    expect(windows.suspectCapacity).toBe(quarter)
    for (let started = 1; started <= quarter; started += 1) {
      attempts(windows, `wh_${started}`, [false])
      windows.started({ target: `wh_${started}`, lane: 'first' })
      expect(windows.suspectCapacity).toBe(quarter - started)
    }
  })
})

describe('the answer time', () => {
  it('is a moving average of the answers, and the slowest before there are any', () => {
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
