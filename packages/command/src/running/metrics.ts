import type { Worker, WorkerEvent } from '@sav/core'
import { letterChannels } from '@sav/core/names'
import { type ApiAnswer, failureKinds } from '@sav/http-node'
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import { accountCounter } from './account-metrics.js'
import { type StoreParts, storeGauges } from './store-metrics.js'

interface Parts extends StoreParts {
  /** The version of this release. */
  readonly version: string
  /** The most attempts at once; 0 if this process has no worker. */
  readonly attemptLimit: number
}

/** The sources of a scrape. */
export interface ScrapeTarget {
  readonly worker: Pick<Worker, 'heartbeat' | 'inFlight'>
  /** The check of `/readyz`. */
  readonly ready: () => Promise<void>
}

export interface Metrics {
  readonly onDelivery: (event: WorkerEvent) => void
  readonly onAnswer: (answer: ApiAnswer) => void
  /** The metrics for Prometheus, with their media type; also works while the database is unavailable. */
  readonly scrape: (service: ScrapeTarget) => Promise<{ readonly text: string; readonly mediaType: string }>
}

/**
 * Creates the metrics. Their number of series is bounded: no label names an endpoint or an address, and at most ten
 * accounts are named.
 */
export function createMetrics({ version, attemptLimit, ...parts }: Parts): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) renameGauge(registry, name)
  new Gauge({
    name: 'sav_build_info',
    help: 'Always 1; its labels name the release and the version of Node.js.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.versions.node }, 1)
  const observeWorker = workerGauges(registers, attemptLimit)
  const observeStore = storeGauges(registers, parts)
  const readyGauge = new Gauge({
    name: 'sav_ready',
    help: '1 if the check of /readyz succeeds, else 0; also in `sav worker`.',
    registers,
  })
  const [calls, attempts] = accountCounters({ registers, clock: parts.clock })
  const [countDelivery, countAnswer] = [deliveryCounters(registers), callCounters(registers)]
  return {
    onDelivery(event) {
      countDelivery(event)
      if (event.type === 'attempt') attempts.note(event.delivery.account_id)
    },
    onAnswer(answer) {
      countAnswer(answer)
      if (answer.account_id !== null) calls.note(answer.account_id)
    },
    async scrape({ worker, ready }) {
      for (const each of [calls, attempts]) each.choose()
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

const accountCounters = (on: Parameters<typeof accountCounter>[1]) =>
  [
    accountCounter(
      {
        name: 'sav_account_calls_total',
        help: 'API calls of the ten accounts that call most; `(others)` counts the rest.',
      },
      on,
    ),
    accountCounter(
      {
        name: 'sav_account_delivery_attempts_total',
        help: 'Finished attempts of the ten accounts with most of them; `(others)` counts the rest.',
      },
      on,
    ),
  ] as const

/** Gauges that prom-client names like counters, so that Prometheus would treat them as such. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

function renameGauge(registry: Registry, name: string): void {
  const found: (Metric & { name?: string }) | undefined = registry.getSingleMetric(name)
  if (found === undefined) throw new Error(`prom-client has no ${name} any more.`)
  registry.removeSingleMetric(name)
  // The name without any suffix is taken: prom-client has a metric with that name that counts by type.
  found.name = name.replace(/_total$/, '_all')
  registry.registerMetric(found)
}

/**
 * Starts a counter at 0 for each combination of labels. If a series only appeared with its first event, Prometheus
 * would miss that event.
 */
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
    help: 'Finished attempts by outcome: `delivered`, `retry` (another attempt follows) or `failed` (the last one).',
    labelNames: ['channel', 'outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'sav_delivery_attempt_duration_seconds',
    help: 'Duration of an attempt, by channel and outcome.',
    labelNames: ['channel', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  })
  const endpointsDisabled = new Counter({
    name: 'sav_endpoints_disabled_total',
    help: 'Endpoints that this process disabled, after an answer 410, or five days without a success.',
    registers,
  })
  const leasesLost = new Counter({
    name: 'sav_delivery_leases_lost_total',
    help: 'Outcomes dropped because the lease of their delivery had run out; the delivery is attempted again.',
    registers,
  })
  const faults = new Counter({
    name: 'sav_delivery_faults_total',
    help: 'Faults of the service itself, by what it was doing; each is in the log.',
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
    help: 'Time to answer an API call; `route` is the path in the contract, or `unknown`.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  const refusals = new Counter({
    name: 'sav_http_refusals_total',
    help: 'API calls refused, by reason, such as `too_many_requests`.',
    labelNames: ['reason'],
    registers,
  })
  const answered = new Counter({
    name: 'sav_http_response_bytes_total',
    help: 'Size of the bodies of answers, in bytes.',
    labelNames: ['method', 'route'],
    registers,
  })
  beginAtZero(
    refusals,
    failureKinds.map((reason) => ({ reason })),
  )
  return ({ method, route, status, refusal, durationMs, bytes }) => {
    // An unknown path is not a label, because callers can send any text as a path.
    const labels = { method, route: route ?? 'unknown' }
    requests.observe({ ...labels, status }, durationMs / 1000)
    answered.inc(labels, bytes)
    if (refusal !== null) refusals.inc({ reason: refusal })
  }
}

function workerGauges(registers: Registry[], attemptLimit: number) {
  const inFlight = new Gauge({
    name: 'sav_delivery_attempts_in_flight',
    help: 'Attempts in progress in this process.',
    registers,
  })
  new Gauge({
    name: 'sav_delivery_attempts_limit',
    help: 'The limit of simultaneous attempts in this process; 0 without a worker.',
    registers,
  }).set(attemptLimit)
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
