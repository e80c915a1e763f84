import { createKeys, type Keys } from './access/api-keys.js'
import { type Audit, createAudit } from './access/audit.js'
import { createIdempotency, type Idempotency } from './access/idempotency.js'
import { createKeyUse } from './access/key-use.js'
import { createKnownKeys } from './access/known-keys.js'
import { createLimits, type Limits } from './access/limits.js'
import type { RateLimit } from './access/rate-limit.js'
import { createServing, type Serving } from './access/serving.js'
import { alongside, type Finish } from './alongside.js'
import { type Cases, createCases } from './cases/cases.js'
import { checkEvidence, type EvidenceReport } from './cases/evidence-check.js'
import { createStamping } from './cases/stamping.js'
import { type Accounts, createAccounts } from './directory/accounts.js'
import { type Clients, createClients } from './directory/clients.js'
import { createPoseurs, type Poseurs } from './directory/poseurs.js'
import { idMaker } from './ids.js'
import { createLoop } from './loop.js'
import type { Carrier, Channel, Clock, HttpSender, Random, ReportRenderer, Storage, Timestamper } from './ports.js'
import { createDrawing } from './reports/drawing.js'
import { type LetterChannel, letterChannel, letterChannels } from './reports/letter-channel.js'
import { createKeyWarnings, createNotify } from './reports/notices.js'
import { createSettling } from './reports/settling.js'
import { businessCalendar } from './time.js'
import { createDeliveries, type Deliveries } from './webhooks/deliveries.js'
import { createDispatcher, type DispatcherEvent } from './webhooks/dispatcher.js'
import { createEndpointHealth } from './webhooks/endpoint-health.js'
import { createEndpoints, type Endpoints } from './webhooks/endpoints.js'
import type { ReceiverPolicy } from './webhooks/receiver-url.js'
import { createReplays, type Replays } from './webhooks/replays.js'
import type { RetrySchedule } from './webhooks/retry-schedule.js'
import { createSealer, type FindKey } from './webhooks/sealing.js'
import { createRetention, createUpkeep, type Retention } from './webhooks/upkeep.js'
import { webhookChannel } from './webhooks/webhook-channel.js'
import type { Concurrency } from './webhooks/windows.js'
import { createWorker, type Worker } from './webhooks/worker.js'

/** Everything that the core needs from outside; nothing is assumed. */
export interface SavDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly random: Random
  /** 32 bytes: seals webhook secrets at rest. */
  readonly secretKey: Uint8Array
  /** Opens what an earlier or a later secret key has sealed; needed only while keys are rotated. */
  readonly findSecretKey?: FindKey
  /** IANA name of the business time zone. */
  readonly timeZone: string
  readonly webhooks: WebhookSettings
  /** What one key may call; without it, or null, limits are off. */
  readonly rateLimit?: RateLimit
  /** Without it reports are neither drawn nor sent by this process. */
  readonly reports?: ReportSettings
}

export interface ReportSettings {
  readonly renderer: ReportRenderer
  /** How reports and notices reach people; a close sends its report by each one that is here. */
  readonly carriers: Readonly<Partial<Record<LetterChannel, Carrier>>>
  /** Where this service is seen from outside, for the address that checks a report; null: none is printed. */
  readonly publicUrl: string | null
  /** Stamps the chains of evidence every hour; null: nobody does. */
  readonly timestamper: Timestamper | null
}

export interface WebhookSettings {
  readonly http: HttpSender
  readonly receivers: ReceiverPolicy
  readonly schedule: RetrySchedule
  /** A whole attempt, connect included. */
  readonly timeoutMs: number
  readonly concurrency: Concurrency
  /** Ways out beside webhooks, by their names. */
  readonly channels: Readonly<Record<string, Channel>>
  readonly observe: (event: DispatcherEvent) => void
}

/** What callers can have done. */
export interface UseCases {
  readonly accounts: Accounts
  readonly keys: Keys
  readonly directory: { readonly clients: Clients; readonly poseurs: Poseurs }
  readonly cases: Cases
  readonly evidence: {
    /** See checkEvidence. */
    verify(
      account_id: string,
      options?: { readonly case_id?: number; readonly progress?: (checked: number) => void },
    ): Promise<EvidenceReport>
    /** When the close with this snapshot was recorded, whoever's it is: null when there is none. */
    dateOf(hash_dossier: string): Promise<string | null>
    /** Has the chains stamped now, if an authority is set. */
    stamp(): Promise<void>
  }
  readonly webhooks: Endpoints & Deliveries & Replays
  /** Deletes deliveries that were kept long enough; a worker does it daily. */
  readonly retention: Retention
}

export interface Sav extends UseCases {
  readonly audit: Audit
  readonly idempotency: Idempotency
  readonly limits: Limits
  /** To be started before a process answers its first call, and stopped after its last. */
  readonly serving: Serving
  /** Sends what is due. One per process; start it in as many processes as you like. */
  readonly worker: Worker
  /** The same service inside a transaction of the caller's own: `sav.within(storage.within(trx))`. */
  within(storage: Storage): UseCases
  /**
   * The same service with something more in each of its transactions: `finish` gets what the use case will resolve to,
   * and when it rejects nothing of both is written. Made for one call: it costs a few microseconds.
   */
  alongside(finish: Finish): UseCases
}

/** How long a close waits at most before its report is drawn. */
const reportPollMs = 500

/** The one entry to the core. */
export function createSav(deps: SavDeps): Sav {
  const { storage, clock, random, secretKey, timeZone } = deps
  const { http, receivers, timeoutMs, channels, ...sending } = deps.webhooks
  const newId = idMaker(clock, random)
  const calendar = businessCalendar(timeZone)
  const sealer = createSealer(secretKey, random, deps.findSecretKey)
  const queue = storage.queue
  const webhook = webhookChannel({ queue, http, timeoutMs, sealer, clock })
  const reports = deps.reports ?? null
  const publicUrl = reports?.publicUrl ?? null
  const drawing = reports && createDrawing({ storage, clock, renderer: reports.renderer, publicUrl })
  const carried = letterChannels.filter((name) => reports?.carriers[name] !== undefined)
  const letters: Record<string, Channel> = {}
  for (const name of carried) {
    const carrier = reports?.carriers[name]
    if (carrier && drawing) letters[name] = letterChannel({ name, carrier, storage, clock, drawing, publicUrl })
  }
  const notify = createNotify({ clock, newId, byEmail: letters['email'] !== undefined })
  const stamp = createStamping({ storage, clock, timestamper: reports?.timestamper ?? null })
  const settling = createSettling({ storage, clock, newId, committed: () => dispatcher.wake() })
  const dispatcher = createDispatcher({
    queue,
    channels: { ...channels, ...letters, webhook },
    clock,
    random,
    health: createEndpointHealth({ storage, clock, notify }),
    settling,
    ...sending,
  })
  const committed = () => dispatcher.wake()

  const known = createKnownKeys(clock)
  const keyUse = createKeyUse({ storage, clock })
  const used = keyUse.note

  const useCases = (storage: Storage): UseCases => ({
    accounts: createAccounts({ storage, clock }),
    keys: createKeys({ storage, clock, calendar, random, newId, known, used }),
    directory: { clients: createClients({ storage, clock }), poseurs: createPoseurs({ storage, clock }) },
    cases: createCases({ storage, clock, calendar, newId, committed, letterChannels: carried }),
    evidence: {
      verify: (account_id: string, options = {}) => checkEvidence(storage, account_id, options),
      dateOf: async (hash_dossier: string) => (await storage.evidence.findByHash(hash_dossier))?.date ?? null,
      stamp,
    },
    webhooks: {
      ...createEndpoints({ storage, clock, random, newId, sealer, receivers, committed }),
      ...createDeliveries({ storage, clock, calendar, committed }),
      ...createReplays({ storage, clock, calendar, newId, committed }),
    },
    retention: createRetention({ storage, clock }),
  })

  const outside = useCases(storage)
  const fault = (error: unknown) => sending.observe({ type: 'fault', doing: 'upkeep', error })
  const audit = createAudit({ storage, calendar, newId, fault })
  const limits = createLimits({ storage, clock, random, rateLimit: deps.rateLimit ?? null })
  const warnOfKeys = createKeyWarnings({ storage, clock, notify })
  const upkeep = createUpkeep({ storage, clock, replays: outside.webhooks, stamp, warnOfKeys, fault })
  const reporting = createLoop({
    clock,
    firstDelayMs: reportPollMs,
    round: async () => ((await drawing?.step()) || (await settling.step()) ? 0 : reportPollMs),
    fault,
  })
  return {
    ...outside,
    audit,
    idempotency: createIdempotency({ storage, clock, sealer }),
    limits,
    serving: createServing({ clock, limits, audit, keyUse, fault }),
    worker: createWorker(dispatcher, queue, [upkeep, reporting]),
    within: useCases,
    alongside: (finish) => useCases(alongside(storage, finish)),
  }
}
