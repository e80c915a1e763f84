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
  const metrics = createMetrics({ storage: { queue, watchCommits() {} }, clock, version: '1.2.3' })
  const scrape = () => metrics.scrape({ heartbeat: 0, inFlight: 0 })
  const pending = async () => /^sav_deliveries\{state="pending"\} (\d+)$/m.exec((await scrape()).text)?.[1]
  return { clock, store, scrape, pending }
}

it('the pool of connections is told where there is one', async () => {
  const { storage, use } = pooled()
  const metrics = createMetrics({ storage, clock: fixedClock(), version: '1.2.3' })
  const text = async () => (await metrics.scrape({ heartbeat: 0, inFlight: 0 })).text
  expect(await text()).toMatch(/^sav_db_pool_connections\{state="busy"\} 3$/m)
  use.waiting = 7
  const now = await text()
  for (const line of ['sav_db_pool_waiting 7', 'sav_db_pool_limit 10', 'sav_db_pool_connections{state="idle"} 2'])
    expect(now).toContain(`\n${line}\n`)
  expect((await counted().scrape()).text).not.toContain('sav_db_pool')
})

it('so is how many transactions shared a commit', async () => {
  const { storage } = pooled()
  let told = (_: number) => {}
  const watchCommits = (given: (transactions: number) => void) => {
    told = given
  }
  const metrics = createMetrics({ storage: { ...storage, watchCommits }, clock: fixedClock(), version: '1.2.3' })
  for (const transactions of [1, 1, 30]) told(transactions)
  const { text } = await metrics.scrape({ heartbeat: 0, inFlight: 0 })
  for (const line of ['_bucket{le="1"} 2', '_bucket{le="32"} 3', '_sum 32', '_count 3'])
    expect(text).toContain(`\nsav_db_commit_group_size${line}\n`)
})

function pooled() {
  const use = { limit: 10, busy: 3, idle: 2, waiting: 0 }
  const queue = { oldestDue: async () => null, counts: async () => ({ pending: 0, delivered: 0, failed: 0 }) }
  return { use, storage: { queue, watchCommits() {}, poolUse: () => use } }
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

describe('answers of the API', () => {
  it('are counted by the path of the contract and by the reason of a refusal, and by no word of a caller', async () => {
    const { clock } = counted()
    const queue = { oldestDue: async () => null, counts: async () => ({ pending: 0, delivered: 0, failed: 0 }) }
    const metrics = createMetrics({ storage: { queue, watchCommits() {} }, clock, version: '1.2.3' })
    const answer = { method: 'GET', route: '/api/v1/sav/{id}', status: 200, refusal: null, durationMs: 4, bytes: 512 }
    metrics.onAnswer(answer)
    metrics.onAnswer({ ...answer, durationMs: 2600 })
    metrics.onAnswer({ ...answer, route: null, status: 404, refusal: 'not_found' })
    const { text } = await metrics.scrape({ heartbeat: 0, inFlight: 0 })
    const found = 'method="GET",route="/api/v1/sav/{id}",status="200"'
    expect(text).toContain(`sav_http_request_duration_seconds_bucket{le="0.005",${found}} 1\n`)
    expect(text).toContain(`sav_http_request_duration_seconds_bucket{le="2.5",${found}} 1\n`)
    expect(text).toContain(`sav_http_request_duration_seconds_bucket{le="5",${found}} 2\n`)
    expect(text).toContain('sav_http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 1\n')
    expect(text).toContain('sav_http_response_bytes_total{method="GET",route="/api/v1/sav/{id}"} 1024\n')
    expect(text).toContain('sav_http_refusals_total{reason="not_found"} 1\n')
    expect(text).toContain(`sav_build_info{version="1.2.3",node="${process.versions.node}"} 1\n`)
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  })
})
