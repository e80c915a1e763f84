import { setTimeout } from 'node:timers/promises'
import { createService, type Service, UnavailableError, type WorkerEvent } from '@sav/core'
import type { Job } from '@sav/core/adapter'
import { type Api, type ApiAnswer, createSender } from '@sav/http-node'
import type { FeatureRoutes } from '@sav/http-node/feature'
import { systemClock } from '@sav/http-node/runtime'
import { anchorJob } from '../evidence/anchors.js'
import { closeInTurn } from '../process/closing.js'
import { declaredSettings } from '../settings/declared-settings.js'
import { passedOverSentence } from '../settings/service-links.js'
import type { Settings } from '../settings/settings.js'
import { unknownSettingSentence } from '../settings/unknown-settings.js'
import { depsOf } from '../store/compose.js'
import type { StoreStorage } from '../store/database.js'
import { placesOf } from '../store/free-space.js'
import { finishRotation, isRotating } from '../store/secret-key-rotation.js'
import type { OpenStore } from '../store/store.js'
import type { Announce } from '../store/upgrade.js'
import { version } from '../version.js'
import { lookAtInstallation, readinessOf } from './installation.js'
import { type Log, openLog } from './log.js'
import type { Metrics, ScrapeTarget } from './metrics.js'
import { openReporting } from './reporting.js'
import { openTracing } from './tracing.js'

/** The service of a process, with its log, metrics and traces. */
export interface RunningService {
  readonly service: Service
  /** The readiness check of a probe: see `readinessOf`. It fails while the process drains. */
  readonly ready: Service['ready']
  readonly storage: StoreStorage
  /** The operations of the service's features. */
  readonly operations: readonly FeatureRoutes[]
  readonly log: Log
  /** To be called with each answer of this process's API, for metrics and traces. */
  readonly onAnswer: (answer: ApiAnswer) => void
  /** The API with traces, as in `Tracing`; without tracing, the API unchanged. */
  readonly traced: (api: Api) => Api
  /**
   * Makes `/readyz` fail from now on, so that balancers send no more calls. Calls are still answered. Resolves after
   * `ms`.
   */
  drain(ms: number): Promise<void>
  /** Closes the service, then everything opened for it, even if an earlier step failed. @throws the first error */
  close(): Promise<void>
}

interface ServiceOptions {
  readonly open: (announce: Announce) => Promise<OpenStore>
  /** Whether this process makes deliveries. */
  readonly sends: boolean
}

/**
 * How long the service may take to close, so that a stop takes at most 10 s. Another worker repeats interrupted
 * attempts once their lease has expired.
 */
const maxCloseMs = 9000

/**
 * Opens the service without starting it, and everything that it needs: the log, the store, the drawing and sending of
 * letters, the sender, the queue's thread and the metrics. `close` closes the service first, then these in reverse
 * order.
 * @throws CommandError if a channel or the metrics refuse their settings
 * @throws the errors of `open`; everything opened before is then closed
 */
export async function openService(settings: Settings, opening: ServiceOptions): Promise<RunningService> {
  const log = openLog(settings.logLevel)
  const opened: (() => unknown)[] = [() => log.close()]
  try {
    return await openOn(settings, { ...opening, log, opened })
  } catch (error) {
    await closeInTurn(opened.toReversed()).catch(() => {})
    throw error
  }
}

interface OpeningContext extends ServiceOptions {
  readonly log: Log
  /** One function for each resource opened so far, which closes it. They are called in reverse order. */
  readonly opened: (() => unknown)[]
}

async function openOn(settings: Settings, { open, sends, log, opened }: OpeningContext): Promise<RunningService> {
  for (const passed of settings.passedOver) log.warn(passedOverSentence(passed))
  for (const unknown of settings.unknown) log.warn(unknownSettingSentence(unknown))
  const store = await open(log.say)
  const { storage } = store
  opened.push(() => storage.close())
  // With a thread for the queue, sending continues while SQLite writes. On two processors, that is a quarter more
  // deliveries a second.
  const queueThread = sends && 'queueInThread' in storage ? storage.queueInThread({ starts: 'under load' }) : null
  opened.push(() => queueThread?.close())
  log.say('starting', { version, node: process.versions.node, settings: writtenSettings(settings) })
  const reporting = await openReporting(settings)
  opened.push(() => reporting.close())
  if (await isRotating(settings, storage)) await finishRotation(settings, storage)
  const metrics =
    settings.metrics &&
    (await import('./metrics.js')).createMetrics({
      storage,
      installation: () => lookAtInstallation(storage),
      places: (backup) => placesOf(settings, backup),
      clock: systemClock,
      version,
      attemptLimit: sends ? settings.concurrency.total : 0,
    })
  const tracing = await openTracing()
  const observers = [log.onDelivery, metrics?.onDelivery, tracing?.onDelivery]
  const observe = (event: WorkerEvent) => {
    for (const observer of observers) observer?.(event)
  }
  const http = createSender({
    userAgent: `sav/${version}`,
    allowLocal: settings.allowLocalReceivers,
    allowCidrs: settings.allowedCidrs,
    proxy: settings.webhookProxy,
    maxConnectionsPerOrigin: settings.concurrency.total,
  })
  const traced = tracing === null ? storage : tracing.tracedStorage(storage)
  const { operations, ...deps } = await depsOf(settings, {
    ...store,
    storage: { ...traced, features: storage.features, ...(queueThread !== null && { queue: queueThread }) },
  })
  const service: Service = createService({
    ...deps,
    http,
    reports: reporting.reports,
    jobs: jobsOf(settings, { anchors: () => service.evidence.anchors(), http }),
    observe,
    onFault: (error) => observe({ type: 'fault', doing: 'upkeep', job: 'serving', error }),
    ...(tracing !== null && { traceAttempt: tracing.traceAttempt }),
    schedule: settings.retrySchedule,
    timeoutMs: settings.webhookTimeoutMs,
    concurrency: settings.concurrency,
    sends,
    maxCloseMs,
  })
  const isReady = await readinessOf(service, settings)
  let draining = false
  const ready = async () => {
    if (draining) throw new UnavailableError('This process is about to stop.', { retryAfterSeconds: 1 })
    await isReady()
  }
  const listener = await listenFor(metrics, settings, { worker: service.sending, ready }).catch(
    async (error: unknown) => {
      await http.close()
      throw error
    },
  )
  opened.push(() => listener?.close())
  if (listener !== null) log.say(`metrics on ${listener.url}`)
  return {
    service,
    ready,
    storage,
    operations,
    log,
    onAnswer(answer) {
      metrics?.onAnswer(answer)
      tracing?.onAnswer(answer)
    },
    traced: (api) => tracing?.traced(api) ?? api,
    async drain(ms) {
      draining = true
      if (ms === 0) return
      log.say('draining', { duration_ms: ms })
      await setTimeout(ms)
    },
    async close() {
      log.say('stopping')
      const since = performance.now()
      const told = () => log.say('stopped', { version, duration_ms: Math.round(performance.now() - since) })
      const [closeLog = () => {}, ...others] = opened
      await closeInTurn([() => service.close(), ...others.toReversed(), told, closeLog])
    },
  }
}

/** The settings that were set, for the log. For secrets, and for addresses that may contain one, only `(set)`. */
function writtenSettings({ inForce }: Settings): Readonly<Record<string, string>> {
  const open = new Set<string>(
    Object.values(declaredSettings).flatMap(({ variable }) =>
      variable.holds === 'nothing secret' ? variable.name : [],
    ),
  )
  const written = inForce.filter(({ from }) => from !== 'default')
  return Object.fromEntries(written.map(({ name, value }) => [name, open.has(name) ? value : '(set)']))
}

function jobsOf({ evidenceAnchor }: Settings, deps: Parameters<typeof anchorJob>[1]): Job[] {
  return evidenceAnchor === null ? [] : [anchorJob(evidenceAnchor, deps)]
}

async function listenFor(metrics: Metrics | null, { metrics: address }: Settings, scraped: ScrapeTarget) {
  if (metrics === null || address === null) return null
  const { listenForScrapes } = await import('./metrics-listener.js')
  return listenForScrapes(() => metrics.scrape(scraped), address)
}
