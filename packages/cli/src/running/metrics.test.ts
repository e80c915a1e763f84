import { UnavailableError } from '@sav/core'
import { fixedClock } from '@sav/core/testing'
import { describe, expect, it } from 'vitest'
import { createMetrics } from './metrics.js'

/** Metrics of a store whose counting can be held up and can fail. */
function counted() {
  const clock = fixedClock()
  const store = { countings: 0, pending: 1, answers: Promise.resolve() }
  const queue = {
    oldestDue: async () => null,
    async counts() {
      store.countings += 1
      await store.answers
      return { pending: store.pending, delivered: 0, failed: 0 }
    },
  }
  const metrics = createMetrics({ storage: { queue }, clock })
  const scrape = () => metrics.scrape({ heartbeat: 0, inFlight: 0 })
  const pending = async () => /^sav_deliveries\{state="pending"\} (\d+)$/m.exec((await scrape()).text)?.[1]
  return { clock, store, scrape, pending }
}

describe('deliveries are counted', () => {
  it('at most once in 10 s, however often metrics are read', async () => {
    const { clock, store, pending } = counted()
    expect(await pending()).toBe('1')
    store.pending = 2
    await clock.advance(9999)
    expect([await pending(), store.countings]).toEqual(['1', 1])
    await clock.advance(1)
    expect([await pending(), store.countings]).toEqual(['2', 2])
  })

  it('once for readings that come together, and kept from the answer on', async () => {
    const { clock, store, pending } = counted()
    const held = Promise.withResolvers<void>()
    store.answers = held.promise
    const readings = [pending(), pending()]
    await clock.advance(60_000)
    readings.push(pending())
    held.resolve()
    expect([await Promise.all(readings), store.countings]).toEqual([['1', '1', '1'], 1])
    await clock.advance(9999)
    await pending()
    expect(store.countings).toBe(1)
  })

  it('again at once after the store was away, and without a number meanwhile', async () => {
    const { store, scrape, pending } = counted()
    store.answers = Promise.reject(new UnavailableError('away', { retryAfterSeconds: 1 }))
    const { text } = await scrape()
    expect(text).toMatch(/^sav_database_up 0$/m)
    expect(text).not.toMatch(/^sav_deliveries\{/m)
    store.answers = Promise.resolve()
    expect([await pending(), store.countings]).toEqual(['1', 2])
  })
})
