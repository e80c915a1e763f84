import type { Clock, Storage } from '@sav/core/ports'
import type { PoolUse } from '@sav/storage-kysely/postgres'
import { Gauge, Histogram, type Registry } from 'prom-client'
import type { StorageLocation } from '../store/free-space.js'
import type { LastBackup } from '../store/last-backup.js'
import type { Installation } from './installation.js'
import { diskGauges, installationGauges } from './installation-metrics.js'

/** How long counts are cached. Counting reads every delivery: 600,000 take 18 ms, during which other calls wait. */
const countsKeptMs = 10_000

/** The sources of the store's metrics. */
export interface StoreParts {
  readonly storage: {
    readonly queue: Pick<Storage['queue'], 'counts' | 'lateness'>
    readonly clockDifferenceMs?: Storage['clockDifferenceMs']
    readonly watchCommits: (told: (transactions: number) => void) => void
    /** The use of the connection pool, if the storage has one; null if the pool belongs to the embedding program. */
    readonly poolUse?: () => PoolUse | null
  }
  /** Reads the metrics of the installation. Rejects while the store is unavailable. */
  readonly installation: () => Promise<Installation>
  /**
   * Reads the current state of the disks.
   * @param backup the last backup that is known
   */
  readonly places: (backup: LastBackup | null) => Promise<readonly StorageLocation[]>
  readonly clock: Clock
}

/** Metrics that are read from the store at each scrape. Only its commits are counted as they happen. */
export function storeGauges(registers: Registry[], { storage, installation, places, clock }: StoreParts) {
  const observeLateness = latenessGauges(registers)
  const states = new Gauge({
    name: 'sav_deliveries',
    help: 'Deliveries in the store, of all accounts. The count may be up to 10 s old.',
    labelNames: ['state'],
    registers,
  })
  const databaseUp = new Gauge({
    name: 'sav_database_up',
    help: '1 if the database answered this scrape, else 0; its other metrics are then missing or NaN.',
    registers,
  })
  const groupSizes = new Histogram({
    name: 'sav_db_commit_group_size',
    help: 'Transactions that shared one commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  storage.watchCommits((transactions) => groupSizes.observe(transactions))
  const pool = storage.poolUse === undefined ? null : poolGauges(registers)
  const difference = storage.clockDifferenceMs
  const clockDifference = difference === undefined ? null : clockGauge(registers)
  const counts = keptFor(countsKeptMs, clock, () => storage.queue.counts())
  const look = keptFor(countsKeptMs, clock, installation)
  const observeInstallation = installationGauges(registers)
  const observeDisks = diskGauges(registers)
  let backup: LastBackup | null = null
  return async () => {
    pool?.(storage.poolUse?.() ?? null)
    if (difference !== undefined) clockDifference?.set(difference() / 1000)
    try {
      const now = clock.now() + (difference?.() ?? 0)
      const bounds = { now: instant(now), behindSince: instant(now - behindMs) }
      observeLateness(await storage.queue.lateness(bounds), now)
      for (const [state, count] of Object.entries(await counts())) states.set({ state }, count)
      const found = await look()
      observeInstallation(found)
      backup = found.backup
      databaseUp.set(1)
    } catch {
      // Without an answer from the store, its metrics have no value: a stale value would look current.
      databaseUp.set(0)
      observeLateness(null, 0)
      states.reset()
      observeInstallation(null)
    }
    observeDisks(await places(backup))
  }
}

const clockGauge = (registers: Registry[]) =>
  new Gauge({
    name: 'sav_clock_difference_seconds',
    help: 'How far the clock of PostgreSQL is ahead of the clock of this process; negative: behind.',
    registers,
  })

type Lateness = Awaited<ReturnType<Storage['queue']['lateness']>>

/** A receiver is behind if one of its deliveries has been due for longer than this. */
const behindMs = 900_000

const instant = (ms: number) => new Date(ms).toISOString()

/**
 * Gauges of late deliveries. Returns the function that sets them. It takes null if the store could not be read: then
 * the last values are dropped.
 */
function latenessGauges(registers: Registry[]) {
  const oldestDue = new Gauge({
    name: 'sav_delivery_oldest_due_age_seconds',
    help: 'How long the oldest due delivery has been due; 0 when nothing is due.',
    registers,
  })
  const oldestUnclaimed = new Gauge({
    name: 'sav_delivery_oldest_unclaimed_age_seconds',
    help: 'How long the oldest due first attempt has waited for a worker, though its receiver is healthy and idle.',
    registers,
  })
  const behind = new Gauge({
    name: 'sav_delivery_targets_behind',
    help: 'Receivers with a delivery due for more than 15 minutes.',
    registers,
  })
  return (found: Lateness | null, now: number) => {
    const age = (since: string | null) => (since === null ? 0 : Math.max(0, now - Date.parse(since)) / 1000)
    oldestDue.set(found === null ? Number.NaN : age(found.oldest_due))
    oldestUnclaimed.set(found === null ? Number.NaN : age(found.oldest_unclaimed))
    behind.set(found?.targets_behind ?? Number.NaN)
  }
}

/**
 * Gauges of the connections to PostgreSQL. Returns the function that sets them, which takes null if there is no pool.
 */
function poolGauges(registers: Registry[]) {
  const connections = new Gauge({
    name: 'sav_db_pool_connections',
    help: 'Connections of this process to PostgreSQL.',
    labelNames: ['state'],
    registers,
  })
  const limit = new Gauge({ name: 'sav_db_pool_limit', help: 'The limit of connections of this process.', registers })
  const waiting = new Gauge({ name: 'sav_db_pool_waiting', help: 'Callers waiting for a connection.', registers })
  return (use: PoolUse | null) => {
    if (use === null) return
    connections.set({ state: 'busy' }, use.busy)
    connections.set({ state: 'idle' }, use.idle)
    limit.set(use.limit)
    waiting.set(use.waiting)
  }
}

/** Calls `load` once at a time, and caches its result for `ms`. Failures are not cached. */
function keptFor<T>(ms: number, clock: Clock, load: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | null = null
  const forget = () => {
    kept = null
  }
  return () => {
    if (kept === null) {
      kept = load()
      kept.then(() => clock.after(ms, forget), forget)
    }
    return kept
  }
}
