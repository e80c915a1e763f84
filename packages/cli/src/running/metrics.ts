import type { Worker, WorkerEvent } from '@sav/core'
import type { Clock, Storage } from '@sav/core/ports'
import type { ApiAnswer } from '@sav/http-node'
import type { PoolUse } from '@sav/storage-kysely/postgres'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Counting reads every delivery: 18 ms at 600,000, which other calls wait for. */
const countsKeptMs = 10_000

interface Parts {
  readonly storage: {
    readonly queue: Pick<Storage['queue'], 'counts' | 'oldestDue'>
    readonly watchCommits: (told: (transactions: number) => void) => void
    /** Where there is a pool of connections; null: it is somebody else's. */
    readonly poolUse?: () => PoolUse | null
  }
  readonly clock: Clock
  /** Of this release. */
  readonly version: string
}

export interface Metrics {
  readonly onDelivery: (event: WorkerEvent) => void
  readonly onAnswer: (answer: ApiAnswer) => void
  /** What Prometheus reads, and its media type; works while the database is away. */
  readonly scrape: (
    worker: Pick<Worker, 'heartbeat' | 'inFlight'>,
  ) => Promise<{ readonly text: string; readonly mediaType: string }>
}

/** Numbers without names: no account, no endpoint, no address is a label, so that the number of series is bounded. */
export function createMetrics({ storage, clock, version }: Parts): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'sav_build_info',
    help: 'Always 1; its labels say which release runs on which Node.js.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.versions.node }, 1)
  const observeWorker = workerGauges(registers)
  const observeStore = storeGauges(registers, { storage, clock })
  return {
    onDelivery: deliveryCounters(registers),
    onAnswer: callCounters(registers),
    async scrape(worker) {
      observeWorker(worker)
      await observeStore()
      return { text: await registry.metrics(), mediaType: registry.contentType }
    },
  }
}

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
    help: 'Outcomes dropped because another process had taken the delivery over.',
    registers,
  })
  const faults = new Counter({
    name: 'sav_delivery_faults_total',
    help: "Faults of the service itself, not of a receiver, by what it was doing: the log's errors.",
    labelNames: ['doing'],
    registers,
  })
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
function storeGauges(registers: Registry[], { storage, clock }: Pick<Parts, 'storage' | 'clock'>) {
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
  return async () => {
    pool?.(storage.poolUse?.() ?? null)
    try {
      const now = clock.now()
      const oldest = await storage.queue.oldestDue(new Date(now).toISOString())
      oldestDue.set(oldest === null ? 0 : Math.max(0, now - Date.parse(oldest)) / 1000)
      for (const [state, count] of Object.entries(await counts())) states.set({ state }, count)
      databaseUp.set(1)
    } catch {
      // What is stale must not look alive: without an answer, there is no number.
      databaseUp.set(0)
      oldestDue.set(Number.NaN)
      states.reset()
    }
  }
}

/** Of PostgreSQL alone: a file has no connections. Gives what sets them. */
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
