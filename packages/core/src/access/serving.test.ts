import { describe, expect, it } from 'vitest'
import { fixedClock } from '../testing/index.js'
import { createServing } from './serving.js'

describe('a process that serves', () => {
  it('does its background work once a second until it is stopped, even if all of it fails', async () => {
    const clock = fixedClock()
    const done: string[] = []
    const failing = (name: string) => async () => {
      done.push(name)
      throw new Error(`${name} failed`)
    }
    const faults: unknown[] = []
    const serving = createServing({
      clock,
      heartbeat: { beat: failing('heartbeat'), end: failing('end of the heartbeat') },
      audit: { flush: failing('audit'), finish: failing('audit') },
      uses: [{ flush: failing('key use') }],
      fault: (error) => faults.push(error),
    })
    await serving.start()
    expect(done).toEqual(['heartbeat'])
    await clock.advance(60_000)
    expect(done.filter((name) => name === 'heartbeat')).toHaveLength(61)
    expect(done.filter((name) => name === 'audit')).toHaveLength(60)
    expect(done.filter((name) => name === 'key use')).toHaveLength(1)
    expect(faults).toHaveLength(done.length)
    await serving.stop()
    expect(done.slice(-3)).toEqual(['audit', 'key use', 'end of the heartbeat'])
    const { length } = done
    await clock.advance(60_000)
    expect(done).toHaveLength(length)
  })
})
