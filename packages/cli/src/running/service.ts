import { setTimeout } from 'node:timers/promises'
import type { Job, Sav, Worker, WorkerEvent } from '@sav/core'
import type { HttpSender } from '@sav/core/ports'
import { type Api, type ApiAnswer, createSender } from '@sav/http-node'
import { systemClock } from '@sav/http-node/runtime'
import { anchorJob } from '../evidence/anchors.js'
import type { StoreStorage } from '../installation/database.js'
import { finishRotation, isRotating } from '../installation/secret-key-rotation.js'
import type { OpenStore } from '../installation/store.js'
import type { Announce } from '../installation/upgrade.js'
import { declaredSettings } from '../settings/declared-settings.js'
import type { Settings } from '../settings/settings.js'
import { unknownSettingSentence } from '../settings/unknown-settings.js'
import { version } from '../version.js'
import { closeInTurn } from './closing.js'
import { compose, composeWorker } from './compose.js'
import { type Log, openLog } from './log.js'
import type { Metrics } from './metrics.js'
import { openReporting } from './reporting.js'
import { openTracing } from './tracing.js'

/** The service with everything that it needs to deliver, until it is stopped. */
export interface Service {
  readonly sav: Sav
  /** Not started yet. */
  readonly worker: Worker
  readonly storage: StoreStorage
  readonly log: Log
  /** Told of each answer of an API of this process. */
  readonly onAnswer: (answer: ApiAnswer) => void
  /** See Tracing; the API itself where nothing is traced. */
  readonly traced: (api: Api) => Api
  /**
   * Lets the attempts under way and `others` end, but not for longer than a stop may take; then closes everything,
   * each thing whatever failed before it. @throws what the first that failed threw
   */
  stop(others: readonly Promise<void>[]): Promise<void>
}

/** A stop ends within 10 s. What is cut off is attempted again by the next worker, once its lease has run out. */
const maxStopMs = 9000

/** @throws CommandError when a channel or the metrics refuse their settings, and what `open` throws; then nothing stays open */
export async function startService(
  settings: Settings,
  open: (announce: Announce) => Promise<OpenStore>,
): Promise<Service> {
  const log = openLog(settings.logLevel)
  const opened: (() => unknown)[] = []
  try {
    return await start(settings, { open, log, opened })
  } catch (error) {
    await closeInTurn([...opened.toReversed(), () => log.close()]).catch(() => {})
    throw error
  }
}

interface Starting {
  readonly open: (announce: Announce) => Promise<OpenStore>
  readonly log: Log
  /** Closes what was opened so far, each thing before those that stand above it. */
  readonly opened: (() => unknown)[]
}

async function start(settings: Settings, { open, log, opened }: Starting): Promise<Service> {
  for (const unknown of settings.unknown) log.warn(unknownSettingSentence(unknown))
  const store = await open(log.say)
  const { storage } = store
  opened.push(() => storage.close())
  log.say('starting', { version: version(), node: process.versions.node, settings: writtenSettings(settings) })
  const reporting = await openReporting(settings)
  opened.push(() => reporting.close())
  if (await isRotating(settings, storage)) await finishRotation(settings, storage)
  const metrics =
    settings.metrics &&
    (await import('./metrics.js')).createMetrics({ storage, clock: systemClock, version: version() })
  const tracing = await openTracing()
  const observers = [log.onDelivery, metrics?.onDelivery, tracing?.onDelivery]
  const observe = (event: WorkerEvent) => {
    for (const observer of observers) observer?.(event)
  }
  const http = createSender({
    userAgent: `sav/${version()}`,
    allowLocal: settings.allowLocalReceivers,
    allowCidrs: settings.allowedCidrs,
    proxy: settings.webhookProxy,
    maxConnectionsPerOrigin: settings.concurrency.total,
  })
  opened.push(() => http.close())
  const calls = tracing === null ? store : { ...store, storage: tracing.tracedStorage(storage) }
  const sav = compose(settings, calls, {
    onFault: (error) => observe({ type: 'fault', doing: 'upkeep', job: 'serving', error }),
    reportRenderer: reporting.reports.renderer,
  })
  // Sends on while SQLite writes: a quarter more deliveries a second on two processors.
  const queueThread = 'queueInThread' in storage ? storage.queueInThread() : null
  opened.push(() => queueThread?.close())
  const delivering = queueThread === null ? storage : { ...storage, queue: queueThread }
  const worker = composeWorker(
    settings,
    { ...store, storage: delivering },
    {
      http,
      reports: reporting.reports,
      jobs: jobsOf(settings, sav, http),
      observe,
      ...(tracing !== null && { traceAttempt: tracing.traceAttempt }),
    },
  )
  const listener = await listenFor(metrics, { settings, worker })
  opened.push(() => listener?.close())
  if (listener !== null) log.say(`metrics on ${listener.url}`)
  return {
    sav,
    worker,
    storage,
    log,
    onAnswer(answer) {
      metrics?.onAnswer(answer)
      tracing?.onAnswer(answer)
    },
    traced: (api) => tracing?.traced(api) ?? api,
    async stop(others) {
      log.say('stopping')
      const since = performance.now()
      const abort = new AbortController()
      const ending = [worker.stop(), ...others]
      const bound = setTimeout(maxStopMs, undefined, { signal: abort.signal }).catch(() => {})
      const ends = await Promise.race([Promise.allSettled(ending), bound])
      abort.abort()
      await closeInTurn([
        () => ends && Promise.all(ending),
        ...opened.toReversed(),
        () => log.say('stopped', { version: version(), duration_ms: Math.round(performance.now() - since) }),
        () => log.close(),
      ])
    },
  }
}

/** Those that somebody wrote; of addresses, which may hold a secret, that they are there. */
function writtenSettings({ inForce }: Settings): Readonly<Record<string, string>> {
  const open = new Set<string>(
    Object.values(declaredSettings).flatMap(({ variable }) =>
      variable.holds === 'nothing secret' ? variable.name : [],
    ),
  )
  const written = inForce.filter(({ from }) => from !== 'default')
  return Object.fromEntries(written.map(({ name, value }) => [name, open.has(name) ? value : '(set)']))
}

function jobsOf({ evidenceAnchor }: Settings, sav: Sav, http: HttpSender): Job[] {
  return evidenceAnchor === null ? [] : [anchorJob(evidenceAnchor, { sav, http })]
}

async function listenFor(
  metrics: Metrics | null,
  { settings: { metrics: address }, worker }: { readonly settings: Settings; readonly worker: Worker },
) {
  if (metrics === null || address === null) return null
  const { listenForScrapes } = await import('./metrics-listener.js')
  return listenForScrapes(() => metrics.scrape(worker), address)
}
