import { UnavailableError } from '@sav/core'
import { fixedClock } from '@sav/core/testing'
import { describe, expect, it } from 'vitest'
import type { StorageLocation } from '../store/free-space.js'
import type { LastBackup } from '../store/last-backup.js'
import type { Installation } from './installation.js'
import { createMetrics } from './metrics.js'

const idle = { worker: { heartbeat: 0, inFlight: 0 }, ready: async () => {} }

/** An installation with a failing receiver, a waiting letter, and a backup whose volume is missing. */
const shop: Installation = {
  receivers: { ok: 4, ralenti: 0, en_echec: 1, desactive: 2 },
  letters: 3,
  backup: { at: '2026-01-15T02:15:00.000Z', file: '/mnt/backup/b.db' },
}
const lateness = async () => ({ oldest_due: null, oldest_unclaimed: null, targets_behind: 0 })
const installation = async () => shop
const store = { what: 'store', path: '/var/lib/sav', space: { freeBytes: 4e9, sizeBytes: 2e10 } } as const
const places = async (backup: LastBackup | null): Promise<StorageLocation[]> =>
  backup === null ? [store] : [store, { what: 'backup', path: '/mnt/backup', space: null }]

const noDeliveries = {
  queue: { lateness, counts: async () => ({ pending: 0, delivered: 0, failed: 0 }) },
  watchCommits() {},
}

const metricsOf = (more: Partial<Parameters<typeof createMetrics>[0]> = {}) =>
  createMetrics({
    storage: noDeliveries,
    installation,
    places,
    clock: fixedClock(),
    version: '1.2.3',
    attemptLimit: 256,
    ...more,
  })

const textOf = async (more: Parameters<typeof metricsOf>[0], asked = idle) => (await metricsOf(more).scrape(asked)).text

/** Metrics of a store whose counts the test can delay or fail. */
function counted() {
  const clock = fixedClock()
  const store = { countings: 0, pending: 1, answers: Promise.resolve() }
  const queue = {
    lateness,
    async counts() {
      store.countings += 1
      await store.answers
      return { pending: store.pending, delivered: 0, failed: 0 }
    },
  }
  const metrics = metricsOf({ storage: { queue, watchCommits() {} }, clock })
  const scrape = () => metrics.scrape(idle)
  const pending = async () => /^sav_deliveries\{state="pending"\} (\d+)$/m.exec((await scrape()).text)?.[1]
  return { clock, store, scrape, pending }
}

it('a connection pool is reported only if there is one', async () => {
  const { storage, use } = pooled()
  const metrics = metricsOf({ storage })
  const text = async () => (await metrics.scrape(idle)).text
  expect(await text()).toMatch(/^sav_db_pool_connections\{state="busy"\} 3$/m)
  use.waiting = 7
  const now = await text()
  for (const line of ['sav_db_pool_waiting 7', 'sav_db_pool_limit 10', 'sav_db_pool_connections{state="idle"} 2'])
    expect(now).toContain(`\n${line}\n`)
  expect((await counted().scrape()).text).not.toContain('sav_db_pool')
})

it('the metrics report how many transactions shared each commit', async () => {
  const { storage } = pooled()
  let told = (_: number) => {}
  const watchCommits = (given: (transactions: number) => void) => {
    told = given
  }
  const metrics = metricsOf({ storage: { ...storage, watchCommits } })
  for (const transactions of [1, 1, 30]) told(transactions)
  const { text } = await metrics.scrape(idle)
  for (const line of ['_bucket{le="1"} 2', '_bucket{le="32"} 3', '_sum 32', '_count 3'])
    expect(text).toContain(`\nsav_db_commit_group_size${line}\n`)
})

function pooled() {
  const use = { limit: 10, busy: 3, idle: 2, waiting: 0 }
  return { use, storage: { ...noDeliveries, poolUse: () => use } }
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

  it('once for simultaneous readings; the count is then cached for 10 s', async () => {
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

  it('again as soon as the store is back; while it is unavailable, no count is reported', async () => {
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
  it('are labelled by route and by reason of refusal, but never by a text that the caller chose', async () => {
    const metrics = metricsOf()
    const answer = {
      method: 'GET',
      route: '/api/v1/sav/{id}',
      status: 200,
      refusal: null,
      account_id: null,
      durationMs: 4,
      bytes: 512,
    }
    metrics.onAnswer(answer)
    metrics.onAnswer({ ...answer, durationMs: 2600 })
    metrics.onAnswer({ ...answer, route: null, status: 404, refusal: 'not_found' })
    const { text } = await metrics.scrape(idle)
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

describe('the state of the installation', () => {
  it('is reported as gauges of receivers, letters, disks and the last backup', async () => {
    const text = await textOf({})
    for (const line of [
      'sav_endpoints{state="ok"} 4',
      'sav_endpoints{state="ralenti"} 0',
      'sav_endpoints{state="en_echec"} 1',
      'sav_endpoints{state="desactive"} 2',
      'sav_letters_waiting 3',
      'sav_free_bytes{path="store"} 4000000000',
      'sav_size_bytes{path="store"} 20000000000',
      'sav_free_bytes{path="backup"} 0',
      'sav_last_backup_timestamp_seconds 1768443300',
      'sav_ready 1',
    ])
      expect(text).toContain(`\n${line}\n`)
  })

  it('has 0 as the time of a missing backup, and no stale numbers while the store does not answer', async () => {
    const never = async () => ({ ...shop, backup: null })
    expect(await textOf({ installation: never })).toContain('\nsav_last_backup_timestamp_seconds 0\n')
    const away = () => Promise.reject(new UnavailableError('away', { retryAfterSeconds: 1 }))
    const text = await textOf({ installation: away }, { ...idle, ready: away })
    expect(text).toContain('\nsav_ready 0\n')
    expect(text).toMatch(/^sav_last_backup_timestamp_seconds nan$/im)
    expect(text).not.toMatch(/^sav_endpoints\{/m)
  })

  it('has the current free space of disks, even while the store does not answer', async () => {
    const clock = fixedClock()
    let freeBytes = 4e9
    let answer = async () => shop
    const metrics = metricsOf({
      installation: () => answer(),
      places: async () => [{ ...store, space: { freeBytes, sizeBytes: 2e10 } }],
      clock,
    })
    const free = async () => /^sav_free_bytes\{path="store"\} (\d+)$/m.exec((await metrics.scrape(idle)).text)?.[1]
    expect(await free()).toBe('4000000000')
    freeBytes = 8192
    expect(await free()).toBe('8192')
    answer = () => Promise.reject(new UnavailableError('The disk is full: make room.', { retryAfterSeconds: 10 }))
    await clock.advance(60_000)
    freeBytes = 0
    expect(await free()).toBe('0')
  })
})

describe('a counter', () => {
  it('begins at 0 for each possible combination of labels, unless the route is a label', async () => {
    const text = await textOf({})
    const counters = [...text.matchAll(/^# TYPE (sav_\S+) counter$/gm)].map(([, name]) => name)
    expect(counters.length).toBeGreaterThan(5)
    const missing = counters.filter((name) => !new RegExp(`^${name}(\\{.*\\})? 0$`, 'm').test(text))
    expect(missing).toEqual(['sav_http_response_bytes_total'])
    for (const line of [
      'sav_delivery_attempts_total{channel="webhook",outcome="failed"} 0',
      'sav_delivery_attempts_total{channel="email",outcome="retry"} 0',
      'sav_delivery_faults_total{doing="upkeep"} 0',
      'sav_http_refusals_total{reason="unavailable"} 0',
    ])
      expect(text).toContain(`\n${line}\n`)
  })

  it('is the only kind of metric whose name ends in _total', async () => {
    const text = await textOf({})
    expect(text).toMatch(/^nodejs_active_handles_all \d/m)
    expect([...text.matchAll(/^# TYPE (\S+_total) (?!counter)/gm)].map(([, name]) => name)).toEqual([])
  })
})
