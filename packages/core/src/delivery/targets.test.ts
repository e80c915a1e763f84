import { describe, expect, it } from 'vitest'
import { Targets } from './targets.js'

describe('the answer time', () => {
  it('is a moving average, which starts at the slowest answer time before the first answer', () => {
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
    // This slow answer counts as if it had taken a second.
    end(1, true, 60_000)
    expect(ahead()).toBe(2)
    end(6, true, 0)
    expect(ahead()).toBe(2)
    end(1, true, 0)
    expect(ahead()).toBe(3)
  })
})
