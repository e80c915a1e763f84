import { createReportSettling, drawnRecorder } from './cases/report-settling.js'
import { scrubErased } from './cases/scrubbing.js'
import { type Feature, keptRowsOf, type WorkerParts } from './composition.js'
import { createSealer } from './crypto/sealing.js'
import type { Channel } from './delivery/channel.js'
import type { AttemptOutcome } from './delivery/delivery-queue.js'
import type { DispatcherEvent } from './delivery/dispatcher.js'
import { OwnLimitRecord } from './delivery/own-limits.js'
import type { RetrySchedule } from './delivery/retry-schedule.js'
import type { Concurrency } from './delivery/targets.js'
import { deliveryJobs } from './delivery/upkeep.js'
import { createDeliveryWorker, type Job, type JobFault, type Worker } from './delivery/worker.js'
import { createStamping } from './evidence/stamping.js'
import type { Timestamper } from './evidence/timestamper.js'
import type { Carriers } from './letters/carrier.js'
import { createKeyWarnings } from './letters/key-warnings.js'
import { checkLetterChannels } from './letters/letter.js'
import { letterChannel } from './letters/letter-channel.js'
import { createNotify, noticeWriter } from './letters/notices.js'
import { type SavDeps, withoutSlash } from './parts.js'
import { createReceiverRecords } from './receivers/receiver-records.js'
import { createDrawing } from './reports/drawing.js'
import type { ReportRenderer } from './reports/report.js'
import type { CheckUrl } from './reports/report-content.js'
import { reportWriter } from './reports/report-letter.js'
import { dayMs, hourMs, minuteMs } from './time/time.js'
import { idMaker } from './values/ids.js'
import type { EndpointRecord } from './webhooks/endpoint.js'
import { createEndpointHealth } from './webhooks/endpoint-health.js'
import type { HttpSender } from './webhooks/http-sender.js'
import { type TraceAttempt, webhookChannel } from './webhooks/webhook-channel.js'

/** The events of a worker: attempts, faults, and endpoints that it disabled. */
export type WorkerEvent =
  | DispatcherEvent
  | JobFault
  | { readonly type: 'endpoint_disabled'; readonly endpoint: EndpointRecord }

/** What a worker needs from outside. Storage and secret key are those of the service whose deliveries it sends. */
export interface WorkerDeps
  extends Pick<SavDeps, 'storage' | 'clock' | 'random' | 'secretKey' | 'findSecretKey' | 'timeZone' | 'publicUrl'> {
  /** Posts webhooks. */
  readonly http: HttpSender
  /** The time limit of an attempt at a webhook, connecting included. */
  readonly timeoutMs: number
  /** When failed attempts are repeated. */
  readonly schedule: RetrySchedule
  /** How many attempts may be in progress at once. */
  readonly concurrency: Concurrency
  /** The settings of reports. Without them this process neither draws nor sends reports: another one does. */
  readonly reports?: ReportSettings
  /** Channels besides webhooks and letters, by their names in deliveries. */
  readonly channels?: Readonly<Record<string, Channel>>
  /** The features whose jobs it runs and whose letters it writes. Default: none. */
  readonly features?: readonly Feature[]
  /** Jobs besides the service's own. */
  readonly jobs?: readonly Job[]
  /** Called after outcomes were recorded, for every channel; see DispatcherDeps. */
  readonly onRecorded?: (outcomes: readonly AttemptOutcome[]) => Promise<void>
  /** Called right before each attempt at a webhook; it must neither throw nor wait. */
  readonly traceAttempt?: TraceAttempt
  /** Called with every event as it happens; it must neither throw nor wait. */
  readonly observe?: (event: WorkerEvent) => void
}

/** The settings for drawing reports, carrying letters and stamping evidence. */
export interface ReportSettings {
  /** Draws reports: see `@sav/reception-report/pdf`. */
  readonly renderer: ReportRenderer
  /** The carriers of letters, by the names in `letters`: `{ email, sms }`. */
  readonly carriers: Carriers
  /** The address of the page that checks a hash, printed on reports; null: none. */
  readonly checkUrl: CheckUrl
  /** Stamps the evidence chains every hour; null: they get no stamps. */
  readonly timestamper: Timestamper | null
}

/** How often the worker stores that limits of our own were reached. */
const limitsEveryMs = 10_000

/** How often the worker looks for reports to draw. */
const reportEveryMs = 500

/** Sends the service's webhooks, reports and notices, and does the store's upkeep. */
export function createWorker(deps: WorkerDeps): Worker {
  const { storage, clock, random, http, timeoutMs, schedule, concurrency } = deps
  const { timeZone = 'Europe/Paris', publicUrl = null } = deps
  const { reports, channels, features = [], jobs = [], onRecorded, traceAttempt, observe = () => {} } = deps
  const ownLimits = new OwnLimitRecord(storage, clock)
  const { reads, queue } = storage
  const newId = idMaker(clock, random)
  const sealer = createSealer(deps.secretKey, random, deps.findSecretKey)
  const notify = createNotify({ clock, newId, byEmail: reports?.carriers.email !== undefined })
  const health = createEndpointHealth({ storage, clock, notify })
  const receivers = createReceiverRecords({ storage, clock })
  const settling = createReportSettling({ storage, clock, newId, random })
  const shared = {
    storage,
    clock,
    random,
    newId,
    secretKey: deps.secretKey,
    timeZone,
    publicUrl: withoutSlash(publicUrl),
  }
  const reporting = reports === undefined ? null : createReporting({ ...shared, features, reports })

  return createDeliveryWorker({
    queue,
    clock,
    random,
    schedule,
    concurrency,
    channels: {
      ...channels,
      ...reporting?.channels,
      webhook: webhookChannel({ reads, http, timeoutMs, sealer, clock, traceAttempt }),
    },
    jobs: [
      ...deliveryJobs({ storage, clock, kept: keptRowsOf(features, shared) }),
      { name: 'receivers', everyMs: 1000, run: receivers.keep },
      { name: 'own limits', everyMs: limitsEveryMs, run: () => ownLimits.keep() },
      { name: 'key warnings', everyMs: dayMs, run: createKeyWarnings({ storage, clock, notify }) },
      { name: 'reports', everyMs: reportEveryMs, run: async () => (await reporting?.draw()) || settling.step() },
      ...features.flatMap(({ jobs = () => [] }) => jobs(shared)),
      { name: 'erasures', everyMs: hourMs, run: () => scrubErased(storage) },
      ...outsideFileJobs(storage),
      ...(reporting?.jobs ?? []),
      ...jobs,
    ],
    async stopped() {
      await ownLimits.keep()
      await receivers.keepAll()
    },
    async onRecorded(outcomes) {
      receivers.note(outcomes)
      for (const endpoint of await health.note(outcomes)) observe({ type: 'endpoint_disabled', endpoint })
      await settling.note(outcomes)
      await onRecorded?.(outcomes)
    },
    observe(event) {
      if (event.type === 'fault') ownLimits.note(event.error)
      observe(event)
    },
  })
}

/** Removes contents outside of the store that no case holds any more. */
function outsideFileJobs({ outsideFiles }: WorkerDeps['storage']): Job[] {
  if (outsideFiles === undefined) return []
  return [{ name: 'files', everyMs: minuteMs, run: async () => (await outsideFiles.removeDue()) > 0 }]
}

interface ReportingDeps extends WorkerParts {
  readonly features: readonly Feature[]
  readonly reports: ReportSettings
}

/** A worker's jobs for reports: drawing them, sending letters, and time-stamping evidence. */
function createReporting({ reports, features, ...parts }: ReportingDeps) {
  const { storage, clock, random } = parts
  const { renderer, carriers, checkUrl, timestamper } = reports
  const { reads, queue } = storage
  const recordDrawn = drawnRecorder({ clock, random })
  const drawing = createDrawing({ storage, clock, renderer, checkUrl, recordDrawn })
  const added = features.flatMap((feature) => feature.letters?.(parts) ?? [])
  const writers = [
    reportWriter({ reads, drawing, checkUrl }),
    noticeWriter(reads, Object.assign({}, ...added.map(({ notices }) => notices))),
    ...added.flatMap(({ writers = [] }) => writers),
  ]
  const channels: Record<string, Channel> = {}
  checkLetterChannels(Object.keys(carriers))
  for (const [name, carrier] of Object.entries(carriers)) {
    if (carrier !== undefined) channels[name] = letterChannel({ name, carrier, writers, queue, clock })
  }
  const jobs: Job[] = added.flatMap(({ jobs = [] }) => jobs)
  if (timestamper !== null)
    jobs.push({ name: 'time stamps', everyMs: hourMs, run: createStamping({ storage, clock, timestamper }) })
  return { channels, jobs, draw: drawing.step }
}
