import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../test/memory-storage.js'
import { UnavailableError } from './errors.js'
import { readiness } from './readiness.js'
import { fixedClock } from './testing/index.js'

const timeoutMs = 5000

describe('a service is ready', () => {
  it('while its worker last looked at the queue at most the attempt timeout plus 5 s ago', async () => {
    const clock = fixedClock()
    const worker = { heartbeat: clock.now() }
    const ready = readiness({ storage: await memoryStorage(), clock, worker, timeoutMs })
    const alone = readiness({ storage: await memoryStorage(), clock, worker: null, timeoutMs })
    await clock.advance(10_000)
    await expect(ready()).resolves.toBeUndefined()
    await clock.advance(1)
    await expect(ready()).rejects.toThrow(UnavailableError)
    await expect(alone()).resolves.toBeUndefined()
    worker.heartbeat = clock.now()
    await expect(ready()).resolves.toBeUndefined()
  })

  it('while its database accepts a test write, which it tries at most once a second', async () => {
    const clock = fixedClock()
    const memory = await memoryStorage()
    let tries = 0
    let full = false
    const transaction: typeof memory.transaction = async (work) => {
      tries += 1
      if (full) throw new UnavailableError('The disk is full.', { retryAfterSeconds: 10 })
      return memory.transaction(work)
    }
    const ready = readiness({ storage: { transaction }, clock, worker: null, timeoutMs })
    await ready()
    await ready()
    expect(tries).toBe(1)
    full = true
    await clock.advance(999)
    await expect(ready()).resolves.toBeUndefined()
    await clock.advance(1)
    await expect(ready()).rejects.toThrow('The disk is full.')
    await expect(ready()).rejects.toThrow('The disk is full.')
    expect(tries).toBe(2)
    full = false
    await clock.advance(1000)
    await expect(ready()).resolves.toBeUndefined()
  })
})
