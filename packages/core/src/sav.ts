import { createKeys, type Keys } from './access/api-keys.js'
import { type Cases, createCases } from './cases/cases.js'
import { checkEvidence, type EvidenceReport } from './cases/evidence-check.js'
import { type Accounts, createAccounts } from './directory/accounts.js'
import { type Clients, createClients } from './directory/clients.js'
import { createPoseurs, type Poseurs } from './directory/poseurs.js'
import { idMaker } from './ids.js'
import type { Channel, Clock, HttpSender, Random, Storage } from './ports.js'
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

export interface Sav {
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
  }
  readonly webhooks: Endpoints & Deliveries & Replays
  /** Deletes deliveries that were kept long enough; a worker does it daily. */
  readonly retention: Retention
  /** Sends what is due. One per process; start it in as many processes as you like. */
  readonly worker: Worker
  /** The same service inside a transaction of the caller's own: `sav.within(storage.within(trx))`. */
  within(storage: Storage): Omit<Sav, 'worker' | 'within'>
}

/** The one entry to the core. */
export function createSav(deps: SavDeps): Sav {
  const { storage, clock, random, secretKey, timeZone } = deps
  const { http, receivers, channels, ...sending } = deps.webhooks
  const newId = idMaker(clock, random)
  const calendar = businessCalendar(timeZone)
  const sealer = createSealer(secretKey, random, deps.findSecretKey)
  const webhook = webhookChannel({ queue: storage.queue, http, sealer, clock })
  const channelsByName = { ...channels, webhook }
  const health = createEndpointHealth({ storage, clock })
  const queue = storage.queue
  const dispatcher = createDispatcher({ queue, channels: channelsByName, clock, random, health, ...sending })
  const committed = () => dispatcher.wake()

  const useCases = (storage: Storage) => ({
    accounts: createAccounts({ storage, clock }),
    keys: createKeys({ storage, clock, random, newId }),
    directory: { clients: createClients({ storage, clock }), poseurs: createPoseurs({ storage, clock }) },
    cases: createCases({ storage, clock, calendar, newId, committed }),
    evidence: { verify: (account_id: string, options = {}) => checkEvidence(storage, account_id, options) },
    webhooks: {
      ...createEndpoints({ storage, clock, random, newId, sealer, receivers, committed }),
      ...createDeliveries({ storage, clock, calendar, committed }),
      ...createReplays({ storage, clock, calendar, newId, committed }),
    },
    retention: createRetention({ storage, clock }),
  })

  const outside = useCases(storage)
  const fault = (error: unknown) => sending.observe({ type: 'fault', doing: 'upkeep', error })
  const upkeep = createUpkeep({ storage, clock, replays: outside.webhooks, fault })
  return { ...outside, worker: createWorker(dispatcher, upkeep), within: useCases }
}
