import type { Worker, WorkerEvent } from '@sav/core'
import { letterChannels } from '@sav/core/names'
import type { Clock, Storage } from '@sav/core/ports'
import { type ApiAnswer, failureKinds } from '@sav/http-node'
import type { PoolUse } from '@sav/storage-kysely/postgres'
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import type { StorageLocation } from '../store/free-space.js'
import type { LastBackup } from '../store/last-backup.js'
import type { Installation } from './installation.js'
import { diskGauges, installationGauges } from './installation-metrics.js'

/** Counting reads every delivery: 18 ms at 600,000, which other calls wait for. */
const countsKeptMs = 10_000

interface Parts {
  readonly storage: {
    readonly queue: Pick<Storage['queue'], 'counts' | 'oldestDue'>
    readonly watchCommits: (told: (transactions: number) => void) => void
    /** Where there is a pool of connections; null: it belongs to the host. */
    readonly poolUse?: () => PoolUse | null
  }
  /** What is told of the installation beside its deliveries; rejects while the store is away. */
  readonly installation: () => Promise<Installation>
  /** The disks at this moment. @param backup the last one that is known */
  readonly places: (backup: LastBackup | null) => Promise<readonly StorageLocation[]>
  readonly clock: Clock
  /** The version of this release. */
  readonly version: string
}

/** What a process is asked at each scrape. */
export interface ScrapeTarget {
  readonly worker: Pick<Worker, 'heartbeat' | 'inFlight'>
  /** As `/readyz` has it. */
  readonly ready: () => Promise<void>
}

export interface Metrics {
  readonly onDelivery: (event: WorkerEvent) => void
  readonly onAnswer: (answer: ApiAnswer) => void
  /** What Prometheus reads, and its media type; works while the database is away. */
  readonly scrape: (service: ScrapeTarget) => Promise<{ readonly text: string; readonly mediaType: string }>
}

/** Numbers without names: no account, no endpoint, no address is a label, so that the number of series is bounded. */
export function createMetrics({ storage, installation, places, clock, version }: Parts): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) renameGauge(registry, name)
  new Gauge({
    name: 'sav_build_info',
    help: 'Always 1; its labels say which release runs on which Node.js.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.versions.node }, 1)
  const observeWorker = workerGauges(registers)
  const observeStore = storeGauges(registers, { storage, installation, places, clock })
  const readyGauge = new Gauge({
    name: 'sav_ready',
    help: 'What /readyz says: 1 while the store takes writes and the worker looks at its queue, else 0.',
    registers,
  })
  return {
    onDelivery: deliveryCounters(registers),
    onAnswer: callCounters(registers),
    async scrape({ worker, ready }) {
      observeWorker(worker)
      readyGauge.set(
        await ready().then(
          () => 1,
          () => 0,
        ),
      )
      await observeStore()
      return { text: await registry.metrics(), mediaType: registry.contentType }
    },
  }
}

/** Gauges that prom-client names like counters, which Prometheus takes for ones that never grow. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

function renameGauge(registry: Registry, name: string): void {
  const found: (Metric & { name?: string }) | undefined = registry.getSingleMetric(name)
  if (found === undefined) throw new Error(`prom-client has no ${name} any more.`)
  registry.removeSingleMetric(name)
  // prom-client has metrics without the suffix already, by kinds.
  found.name = name.replace(/_total$/, '_all')
  registry.registerMetric(found)
}

/** Each combination of labels that can occur: a counter that appears with its first event has not grown, for Prometheus. */
function beginAtZero<L extends string>(counter: Counter<L>, labels: readonly Readonly<Record<L, string>>[]): void {
  for (const each of labels) counter.inc(each, 0)
}

const channels = ['webhook', ...letterChannels]
const outcomes = ['delivered', 'retry', 'failed'] as const
type FaultActivity = Extract<WorkerEvent, { type: 'fault' }>['doing']
const doings = Object.keys({
  claim: 0,
  send: 0,
  record: 0,
  release: 0,
  follow_up: 0,
  upkeep: 0,
} satisfies Record<FaultActivity, 0>)

function deliveryCounters(registers: Registry[]): Metrics['onDelivery'] {
  const attempts = new Counter({
    name: 'sav_delivery_attempts_total',
    help: 'Attempts that ended, by channel and outcome: delivered, retry (another one follows) or failed (the last one).',
    labelNames: ['channel', 'outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'sav_delivery_attempt_duration_seconds',
    help: 'Time that an attempt took.',
    labelNames: ['channel', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  })
  const endpointsDisabled = new Counter({
    name: 'sav_endpoints_disabled_total',
    help: 'Endpoints that this process disabled, because they were beyond hope.',
    registers,
  })
  const leasesLost = new Counter({
    name: 'sav_delivery_leases_lost_total',
    help: 'Outcomes dropped because the lease of their delivery had run out.',
    registers,
  })
  const faults = new Counter({
    name: 'sav_delivery_faults_total',
    help: "Faults of the service itself, not of a receiver, by what it was doing: the log's errors.",
    labelNames: ['doing'],
    registers,
  })
  beginAtZero(
    attempts,
    channels.flatMap((channel) => outcomes.map((outcome) => ({ channel, outcome }))),
  )
  beginAtZero(
    faults,
    doings.map((doing) => ({ doing })),
  )
  return (event) => {
    if (event.type === 'attempt') {
      const { attempt, update } = event.outcome
      const outcome = update.state === 'pending' ? 'retry' : update.state
      const labels = { channel: event.delivery.channel, outcome }
      attempts.inc(labels)
      durations.observe(labels, attempt.duration_ms / 1000)
    } else if (event.type === 'endpoint_disabled') endpointsDisabled.inc()
    else if (event.type === 'lease_lost') leasesLost.inc()
    else faults.inc({ doing: event.doing })
  }
}

function callCounters(registers: Registry[]): Metrics['onAnswer'] {
  const requests = new Histogram({
    name: 'sav_http_request_duration_seconds',
    help: 'Time from a call of the API to its answer, by the path of the contract.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const refusals = new Counter({
    name: 'sav_http_refusals_total',
    help: 'Calls of the API that were refused, by the reason.',
    labelNames: ['reason'],
    registers,
  })
  const answered = new Counter({
    name: 'sav_http_response_bytes_total',
    help: 'Bytes of the bodies that the API answered with.',
    labelNames: ['method', 'route'],
    registers,
  })
  beginAtZero(
    refusals,
    failureKinds.map((reason) => ({ reason })),
  )
  return ({ method, route, status, refusal, durationMs, bytes }) => {
    // An unknown path is a stranger's word.
    const labels = { method, route: route ?? 'unknown' }
    requests.observe({ ...labels, status }, durationMs / 1000)
    answered.inc(labels, bytes)
    if (refusal !== null) refusals.inc({ reason: refusal })
  }
}

function workerGauges(registers: Registry[]) {
  const inFlight = new Gauge({
    name: 'sav_delivery_attempts_in_flight',
    help: 'Attempts that this process has under way.',
    registers,
  })
  const heartbeat = new Gauge({
    name: 'sav_worker_heartbeat_seconds',
    help: "When this process's worker last looked at the queue, in Unix time; 0 without a worker.",
    registers,
  })
  return (worker: Pick<Worker, 'heartbeat' | 'inFlight'>) => {
    inFlight.set(worker.inFlight)
    heartbeat.set(worker.heartbeat / 1000)
  }
}

/** What is read of the store at each scrape; and, as they happen, its commits. */
function storeGauges(registers: Registry[], { storage, installation, places, clock }: Omit<Parts, 'version'>) {
  const oldestDue = new Gauge({
    name: 'sav_delivery_oldest_due_age_seconds',
    help: 'For how long the oldest due delivery has been due; 0 when nothing is.',
    registers,
  })
  const states = new Gauge({
    name: 'sav_deliveries',
    help: 'Deliveries in the store, by state; up to 10 s old.',
    labelNames: ['state'],
    registers,
  })
  const databaseUp = new Gauge({
    name: 'sav_database_up',
    help: 'Whether the database answered this scrape: 1 or 0.',
    registers,
  })
  const groupSizes = new Histogram({
    name: 'sav_db_commit_group_size',
    help: 'Transactions of this process that one commit made durable.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  })
  storage.watchCommits((transactions) => groupSizes.observe(transactions))
  const pool = storage.poolUse === undefined ? null : poolGauges(registers)
  const counts = keptFor(countsKeptMs, clock, () => storage.queue.counts())
  const look = keptFor(countsKeptMs, clock, installation)
  const observeInstallation = installationGauges(registers)
  const observeDisks = diskGauges(registers)
  let backup: LastBackup | null = null
  return async () => {
    pool?.(storage.poolUse?.() ?? null)
    try {
      const now = clock.now()
      const oldest = await storage.queue.oldestDue(new Date(now).toISOString())
      oldestDue.set(oldest === null ? 0 : Math.max(0, now - Date.parse(oldest)) / 1000)
      for (const [state, count] of Object.entries(await counts())) states.set({ state }, count)
      const found = await look()
      observeInstallation(found)
      backup = found.backup
      databaseUp.set(1)
    } catch {
      // What is stale must not look alive: without an answer, there is no number.
      databaseUp.set(0)
      oldestDue.set(Number.NaN)
      states.reset()
      observeInstallation(null)
    }
    observeDisks(await places(backup))
  }
}

/** Gauges of PostgreSQL's connections; a file has none. Returns the function that sets them. */
function poolGauges(registers: Registry[]) {
  const connections = new Gauge({
    name: 'sav_db_pool_connections',
    help: 'Connections of this process to the database, by state: busy or idle.',
    labelNames: ['state'],
    registers,
  })
  const limit = new Gauge({ name: 'sav_db_pool_limit', help: 'At most so many of them.', registers })
  const waiting = new Gauge({ name: 'sav_db_pool_waiting', help: 'Callers that wait for one.', registers })
  return (use: PoolUse | null) => {
    if (use === null) return
    connections.set({ state: 'busy' }, use.busy)
    connections.set({ state: 'idle' }, use.idle)
    limit.set(use.limit)
    waiting.set(use.waiting)
  }
}

/** What `load` gives, asked for once at a time and kept for `ms` from its answer on; a failure is not kept. */
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
