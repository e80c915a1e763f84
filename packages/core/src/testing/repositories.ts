import type { Transaction } from '../storage.js'
import { accountContract, keyContract } from './contract/accounts.js'
import { auditContract } from './contract/audit.js'
import { bucketContract } from './contract/buckets.js'
import { calendarContract } from './contract/calendars.js'
import { caseListContract } from './contract/case-list.js'
import { caseContract } from './contract/cases.js'
import { deliveryHistoryContract, outboxContract } from './contract/deliveries.js'
import { directoryContract } from './contract/directory.js'
import { endpointContract } from './contract/endpoints.js'
import { eventContract } from './contract/events.js'
import { evidenceContract } from './contract/evidence.js'
import { factContract } from './contract/facts.js'
import { fileRemovalContract } from './contract/file-removals.js'
import { fileContract } from './contract/files.js'
import { idempotencyContract } from './contract/idempotency.js'
import { planningContract } from './contract/planning.js'
import { processContract } from './contract/processes.js'
import { rdvPageContract } from './contract/rdv-pages.js'
import { replayContract } from './contract/replays.js'
import { reportContract } from './contract/reports.js'
import { reopenContract } from './contract/results.js'
import { subscriptionContract } from './contract/subscriptions.js'
import type { Suite } from './contract/suite.js'
import { sessionContract, userContract } from './contract/users.js'
import { memoryAudit, memoryBuckets, memoryIdempotency, memoryProcesses } from './memory/access.js'
import { memoryCalendars } from './memory/calendars.js'
import { memoryCases } from './memory/cases.js'
import { memoryDeliveries, memoryEvents, memoryOutbox, memoryReplays } from './memory/delivery.js'
import { memoryAccounts, memoryDirectory, memoryKeys } from './memory/directory.js'
import { memoryEvidence, memoryFiles } from './memory/evidence.js'
import { memoryFacts } from './memory/facts.js'
import { memoryFileRemovals } from './memory/file-removals.js'
import { memoryPlanning } from './memory/planning.js'
import { memoryRdvPages } from './memory/rdv-pages.js'
import { memoryReports } from './memory/reports.js'
import type { Tables } from './memory/tables.js'
import { memorySessions, memoryUsers } from './memory/users.js'
import { memoryEndpoints } from './memory/webhooks.js'

/** Each repository of the port: as the memory storage keeps it, and its promises as tests. None goes without either. */
const repositories: {
  readonly [Name in keyof Transaction]: {
    readonly memory: (tables: Tables) => Transaction[Name]
    readonly contract: readonly ((suite: Suite) => void)[]
  }
} = {
  accounts: { memory: memoryAccounts, contract: [accountContract] },
  keys: { memory: memoryKeys, contract: [keyContract] },
  users: { memory: memoryUsers, contract: [userContract] },
  sessions: { memory: memorySessions, contract: [sessionContract] },
  audit: { memory: memoryAudit, contract: [auditContract] },
  idempotency: { memory: memoryIdempotency, contract: [idempotencyContract] },
  directory: { memory: memoryDirectory, contract: [directoryContract] },
  cases: { memory: memoryCases, contract: [caseContract, caseListContract] },
  files: { memory: memoryFiles, contract: [fileContract] },
  fileRemovals: { memory: memoryFileRemovals, contract: [fileRemovalContract] },
  evidence: { memory: memoryEvidence, contract: [evidenceContract] },
  reports: { memory: memoryReports, contract: [reportContract] },
  planning: { memory: memoryPlanning, contract: [planningContract] },
  rdvPages: { memory: memoryRdvPages, contract: [rdvPageContract] },
  calendars: { memory: memoryCalendars, contract: [calendarContract] },
  endpoints: { memory: memoryEndpoints, contract: [endpointContract] },
  deliveries: { memory: memoryDeliveries, contract: [deliveryHistoryContract, reopenContract] },
  events: { memory: memoryEvents, contract: [eventContract] },
  replays: { memory: memoryReplays, contract: [replayContract] },
  facts: { memory: memoryFacts, contract: [factContract] },
  outbox: { memory: memoryOutbox, contract: [outboxContract, subscriptionContract] },
  processes: { memory: memoryProcesses, contract: [processContract] },
  buckets: { memory: memoryBuckets, contract: [bucketContract] },
}

/** Every repository over these tables: who reads is given the same, by a type that hides the writes. */
export function repositoriesOn(tables: Tables): Transaction {
  const opened = Object.entries(repositories).map(([name, { memory }]) => [name, memory(tables)])
  // Object.fromEntries forgets which name stands for what; the list above does not.
  return Object.fromEntries(opened) as Transaction
}

export const repositoryContracts = Object.values(repositories).flatMap(({ contract }) => contract)
