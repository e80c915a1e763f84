import { describe, expect, it } from 'vitest'
import { fixedClock } from './fixed-clock.js'

describe('a fixed clock', () => {
  it('runs a timer once, at its own instant, and not a millisecond before', async () => {
    const clock = fixedClock(0)
    const calls: number[] = []
    clock.after(100, () => calls.push(clock.now()))
    await clock.advance(99)
    expect(calls).toEqual([])
    await clock.advance(1_000)
    expect(calls).toEqual([100])
  })

  it('runs timers in order of time, and those of one instant in the order they were set', async () => {
    const clock = fixedClock(0)
    const calls: string[] = []
    for (const [name, delayMs] of [
      ['c', 20],
      ['a', 10],
      ['d', 20],
      ['b', 10],
    ] as const) {
      clock.after(delayMs, () => calls.push(name))
    }
    await clock.advance(20)
    expect(calls).toEqual(['a', 'b', 'c', 'd'])
  })

  it('runs a timer without delay at the next advance, even by 0', async () => {
    const clock = fixedClock(0)
    const calls: number[] = []
    clock.after(0, () => calls.push(1))
    clock.after(-5, () => calls.push(2))
    expect(calls).toEqual([])
    await clock.advance(0)
    expect(calls).toEqual([1, 2])
  })

  it('does not run a timer that an earlier timer cancelled', async () => {
    const clock = fixedClock(0)
    const calls: string[] = []
    const cancel = clock.after(10, () => calls.push('cancelled'))
    clock.after(5, cancel)
    clock.after(10, () => calls.push('kept'))
    await clock.advance(20)
    expect(calls).toEqual(['kept'])
  })

  it('runs timers that timers set', async () => {
    const clock = fixedClock(0)
    const calls: number[] = []
    const tick = () => {
      calls.push(clock.now())
      clock.after(30, tick)
    }
    clock.after(30, tick)
    await clock.advance(100)
    expect(calls).toEqual([30, 60, 90])
  })

  it('lets promises and their consequences settle before the next timer', async () => {
    const clock = fixedClock(0)
    const calls: string[] = []
    clock.after(10, async () => {
      for (let count = 0; count < 1_000; count++) await undefined
      calls.push('settled')
      clock.after(5, () => calls.push('set while settling'))
    })
    clock.after(20, () => calls.push('later'))
    await clock.advance(20)
    expect(calls).toEqual(['settled', 'set while settling', 'later'])
  })

  it('keeps the remaining delay of timers when the time of day is set', async () => {
    const clock = fixedClock(0)
    const calls: number[] = []
    clock.after(100, () => calls.push(clock.now()))
    await clock.advance(40)
    clock.set(5_000)
    expect(clock.now()).toBe(5_000)
    expect(clock.monotonic()).toBe(40)
    await clock.advance(59)
    expect(calls).toEqual([])
    await clock.advance(1)
    expect(calls).toEqual([5_060])
  })
})
