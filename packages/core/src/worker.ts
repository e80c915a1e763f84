import { createReportSettling, drawnRecorder } from './cases/report-settling.js'
import { scrubErased } from './cases/scrubbing.js'
import { createSealer } from './crypto/sealing.js'
import type { Channel } from './delivery/channel.js'
import type { AttemptOutcome } from './delivery/delivery-queue.js'
import type { DispatcherEvent } from './delivery/dispatcher.js'
import type { RetrySchedule } from './delivery/retry-schedule.js'
import { deliveryJobs } from './delivery/upkeep.js'
import type { Concurrency } from './delivery/windows.js'
import { createDeliveryWorker, type Job, type JobFault, type Worker } from './delivery/worker.js'
import { createStamping } from './evidence/stamping.js'
import type { Timestamper } from './evidence/timestamper.js'
import { idMaker } from './ids.js'
import type { Carrier } from './letters/carrier.js'
import { createKeyWarnings } from './letters/key-warnings.js'
import { type LetterChannel, letterChannels } from './letters/letter.js'
import { letterChannel } from './letters/letter-channel.js'
import { createNotify, noticeWriter } from './letters/notices.js'
import { holdsJob } from './planning/holds.js'
import { createDrawing } from './reports/drawing.js'
import type { ReportRenderer } from './reports/report.js'
import type { CheckUrl } from './reports/report-content.js'
import { reportWriter } from './reports/report-letter.js'
import type { SavDeps } from './sav.js'
import type { EndpointRecord } from './webhooks/endpoint.js'
import { createEndpointHealth } from './webhooks/endpoint-health.js'
import type { HttpSender } from './webhooks/http-sender.js'
import { webhookChannel } from './webhooks/webhook-channel.js'

/** What a worker tells of: attempts, faults, and endpoints that it disabled. */
export type WorkerEvent =
  | DispatcherEvent
  | JobFault
  | { readonly type: 'endpoint_disabled'; readonly endpoint: EndpointRecord }

export interface WorkerDeps extends Pick<SavDeps, 'storage' | 'clock' | 'random' | 'secretKey' | 'findSecretKey'> {
  readonly http: HttpSender
  /** A whole attempt at a webhook, connect included. */
  readonly timeoutMs: number
  readonly schedule: RetrySchedule
  readonly concurrency: Concurrency
  /** Without it this process neither draws nor sends reports: another one does. */
  readonly reports?: ReportSettings
  /** Ways out beside webhooks and letters, by the names that deliveries have them by. */
  readonly channels?: Readonly<Record<string, Channel>>
  /** Work beside that of the service itself. */
  readonly jobs?: readonly Job[]
  /** Called after outcomes were recorded, for every channel; see DispatcherDeps. */
  readonly onRecorded?: (outcomes: readonly AttemptOutcome[]) => Promise<void>
  /** Told of everything as it happens; it must neither throw nor wait. */
  readonly observe?: (event: WorkerEvent) => void
}

export interface ReportSettings {
  readonly renderer: ReportRenderer
  /** How reports and notices reach people. */
  readonly carriers: Readonly<Partial<Record<LetterChannel, Carrier>>>
  readonly checkUrl: CheckUrl
  /** Stamps the chains of evidence every hour; null: nobody does. */
  readonly timestamper: Timestamper | null
}

/** How long a close waits at most before its report is drawn. */
const reportEveryMs = 500
const hour = 3_600_000
const day = 24 * hour

/** Sends what the service leaves to be sent: webhooks, reports and notices; and looks after what is kept. */
export function createWorker(deps: WorkerDeps): Worker {
  const { storage, clock, random, http, timeoutMs, schedule, concurrency } = deps
  const { reports, channels, jobs = [], onRecorded, observe = () => {} } = deps
  const { reads, queue } = storage
  const newId = idMaker(clock, random)
  const sealer = createSealer(deps.secretKey, random, deps.findSecretKey)
  const notify = createNotify({ clock, newId, byEmail: reports?.carriers.email !== undefined })
  const health = createEndpointHealth({ storage, clock, notify })
  const settling = createReportSettling({ storage, clock, newId, random })
  const reporting = reports === undefined ? null : createReporting({ ...deps, reports })

  return createDeliveryWorker({
    queue,
    clock,
    random,
    schedule,
    concurrency,
    channels: {
      ...channels,
      ...reporting?.channels,
      webhook: webhookChannel({ reads, http, timeoutMs, sealer, clock }),
    },
    jobs: [
      ...deliveryJobs({ storage, clock }),
      { name: 'key warnings', everyMs: day, run: createKeyWarnings({ storage, clock, notify }) },
      { name: 'reports', everyMs: reportEveryMs, run: async () => (await reporting?.draw()) || settling.step() },
      holdsJob({ storage, clock, newId }),
      { name: 'erasures', everyMs: hour, run: () => scrubErased(storage) },
      ...(reporting?.jobs ?? []),
      ...jobs,
    ],
    async onRecorded(outcomes) {
      for (const endpoint of await health.note(outcomes)) observe({ type: 'endpoint_disabled', endpoint })
      await settling.note(outcomes)
      await onRecorded?.(outcomes)
    },
    observe,
  })
}

/** What a worker does for reports: it draws them, carries letters, and has the evidence stamped. */
function createReporting({
  storage,
  clock,
  random,
  reports: { renderer, carriers, checkUrl, timestamper },
}: Pick<WorkerDeps, 'storage' | 'clock' | 'random'> & { readonly reports: ReportSettings }) {
  const { reads, queue } = storage
  const recordDrawn = drawnRecorder({ clock, random })
  const drawing = createDrawing({ storage, clock, renderer, checkUrl, recordDrawn })
  const writers = [reportWriter({ reads, drawing, checkUrl }), noticeWriter(reads)]
  const channels: Record<string, Channel> = {}
  for (const name of letterChannels) {
    const carrier = carriers[name]
    if (carrier !== undefined) channels[name] = letterChannel({ name, carrier, writers, queue, clock })
  }
  const jobs: Job[] = []
  if (timestamper !== null)
    jobs.push({ name: 'time stamps', everyMs: hour, run: createStamping({ storage, clock, timestamper }) })
  return { channels, jobs, draw: drawing.step }
}
