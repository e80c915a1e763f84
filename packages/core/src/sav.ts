import { type Keys, keyQueries } from './access/api-keys.js'
import { type Audit, createAudit } from './access/audit.js'
import { createHeartbeat } from './access/heartbeat.js'
import { createIdempotency, type Idempotency } from './access/idempotency.js'
import { createLastUse } from './access/last-use.js'
import { createLimits, type Limits } from './access/limits.js'
import { type PermissionDeclarations, permissionsOf } from './access/permissions.js'
import { type BackgroundWork, createServing } from './access/serving.js'
import { type Views, viewQueries } from './access/views.js'
import { type Cases, caseQueries } from './cases/cases.js'
import { type AccountErasure, accountErasure } from './cases/erasing-accounts.js'
import { sampleReports } from './cases/sample-report.js'
import {
  type CasesOf,
  composedOf,
  type Feature,
  keptRowsOf,
  refuseIncomplete,
  uncomposedRefusal,
  type WritesOfFeatures,
} from './composition.js'
import { type Deliveries, deliveryQueries } from './delivery/deliveries.js'
import { kindsWith } from './delivery/event-kinds.js'
import { createLive, type Live } from './delivery/live.js'
import type { EventDeclarations } from './delivery/outbox.js'
import { type Replays, replayQueries } from './delivery/replays.js'
import { createRetention, type Retention } from './delivery/upkeep.js'
import { type Accounts, accountQueries } from './directory/accounts.js'
import { type Clients, clientQueries } from './directory/clients.js'
import { type Poseurs, poseurQueries } from './directory/poseurs.js'
import { type Anchor, anchorsOf } from './evidence/anchor.js'
import type { EvidenceEntry } from './evidence/evidence.js'
import { checkEvidence, type EvidenceCheckOptions } from './evidence/evidence-check.js'
import type { EvidenceReport } from './evidence/evidence-report.js'
import { checkCase, checkPrinted, type closeCheckShape, type PrintedCheck } from './evidence/printed-check.js'
import { hooksOf } from './hooks.js'
import { nowhereFound, partsOf, type SavDeps } from './parts.js'
import type { Storage } from './storage.js'
import type { Shape } from './values/shape.js'
import { type Endpoints, endpointQueries } from './webhooks/endpoints.js'
import { type BeforeCommit, perform, performing, type Write } from './write.js'
import { type CoreWrites, type Parts, writesOf } from './writes.js'

/** The use cases for callers, with those of the features `F`. */
export type UseCases<F extends Feature = never> = CoreUseCases & CasesOf<F>

/** The use cases of the core. */
export interface CoreUseCases {
  readonly accounts: Accounts & AccountErasure
  readonly keys: Keys
  readonly views: Views
  readonly directory: { readonly clients: Clients; readonly poseurs: Poseurs }
  readonly cases: Cases
  readonly evidence: {
    /** See checkEvidence. */
    verify(account_id: string, options?: EvidenceCheckOptions): Promise<EvidenceReport>
    /** The entries after `afterSequence` up to `sequence`: they lead from a close to the stamped entry. */
    entries(
      account_id: string,
      range: { readonly afterSequence: number; readonly sequence: number },
    ): Promise<EvidenceEntry[]>
    /** The end of each account's chain: see Anchor. */
    anchors(): Promise<Anchor[]>
    /** See PrintedCheck. @param hash of a report, or its first 16 digits or more. Null for an unknown hash */
    checkPrinted(hash: string): Promise<PrintedCheck | null>
    /** Each close of a case, oldest first. @throws {CaseNotFoundError} */
    checkCase(account_id: string, id: number): Promise<Shape<typeof closeCheckShape>[]>
  }
  readonly webhooks: { readonly endpoints: Endpoints; readonly deliveries: Deliveries; readonly replays: Replays }
  /** Deletes deliveries after their retention time; a worker does so daily. */
  readonly retention: Retention
}

/** The use cases that write, as values for `perform`. */
export type Writes<F extends Feature = never> = CoreWrites & WritesOfFeatures<F>

/** The service without its worker: the use cases, and the background work of a server. */
export type Sav<F extends Feature = never> = UseCases<F> & {
  /** The writes of the use cases as values, for a caller that adds to their transaction. */
  readonly writes: Writes<F>
  /** Performs a write, with `beforeCommit` in its one transaction: if either rejects, neither writes anything. */
  perform<Result>(write: Write<Result>, beforeCommit?: BeforeCommit<Result>): Promise<Result>
  /** Every permission that a key can have, including those of the features. */
  readonly permissions: PermissionDeclarations
  /** The kinds of events of the features. */
  readonly events: EventDeclarations
  readonly audit: Audit
  readonly idempotency: Idempotency
  readonly limits: Limits
  readonly live: Live
  /** How far the store's clock is ahead of this process's, in ms; null if it is the same clock: see Storage. */
  clockDifferenceMs(): number | null
  /** Start it before a process answers its first call, and stop it after its last. */
  readonly serving: BackgroundWork
  /**
   * The same service inside the caller's transaction, valid only for that one:
   * `sav.inTransaction(storage.inTransaction(trx))`. Await every call: others may be refused.
   */
  inTransaction(storage: Storage): UseCases<F>
}

/**
 * Creates only the use cases. `createService` creates a service that also sends and serves.
 * @throws Error for a feature that needs another one, or whose tables the storage lacks
 */
export function createUseCases<const F extends readonly Feature[] = readonly []>(
  deps: SavDeps & { readonly features?: F },
): Sav<F[number]> {
  const { storage, clock, random, onFault = () => {} } = deps
  const features: readonly Feature[] = deps.features ?? []
  refuseIncomplete(features, storage)
  const events: EventDeclarations = Object.assign({}, ...features.map((feature) => feature.events))
  const kinds = kindsWith(Object.keys(events))
  const permissions = permissionsOf(features)
  const refuseUncomposed = uncomposedRefusal(features, storage)
  const { secretKey, findSecretKey } = deps
  const own = partsOf(deps)
  const composed = composedOf(features, { ...own, storage, secretKey, findSecretKey, permissions })
  const hooks = hooksOf(composed)
  const parts: Parts = { ...own, ...hooks, kinds, permissions, refuseUncomposed }
  const keyUse = createLastUse({ storage, clock, write: (tx, uses) => tx.keys.noteUse(uses) })

  function coreUseCases(storage: Storage, writes: CoreWrites): CoreUseCases {
    const { reads } = storage
    const deps = { ...parts, storage, reads, used: keyUse.note }
    return {
      accounts: { ...accountQueries(deps), ...performing(storage, writes.accounts), ...accountErasure(deps) },
      keys: { ...keyQueries(deps), ...performing(storage, writes.keys) },
      views: { ...viewQueries(deps), ...performing(storage, writes.views) },
      directory: {
        clients: { ...clientQueries(deps), ...performing(storage, writes.clients) },
        poseurs: { ...poseurQueries(deps), ...performing(storage, writes.poseurs) },
      },
      cases: { ...caseQueries(deps), ...sampleReports(deps), ...performing(storage, writes.cases) },
      evidence: {
        verify: (account_id, options) => checkEvidence(deps, account_id, options),
        async entries(account_id, { afterSequence, sequence }) {
          const limit = Math.max(0, sequence - afterSequence)
          return (await reads.evidence.walk(account_id, { afterSequence, limit })).map(({ entry }) => entry)
        },
        anchors: () => anchorsOf(reads),
        checkCase: (account_id, id) => checkCase(reads, account_id, id),
        checkPrinted: (hash) => checkPrinted({ reads, zoneOf: (fuseau) => parts.calendarOf(fuseau).timeZone }, hash),
      },
      webhooks: {
        endpoints: { ...endpointQueries(deps), ...performing(storage, writes.endpoints) },
        deliveries: { ...deliveryQueries(deps), ...performing(storage, writes.deliveries) },
        replays: { ...replayQueries(deps), ...performing(storage, writes.replays) },
      },
      retention: createRetention({ storage, clock, kept: keptRowsOf(features, { storage, clock }) }),
    }
  }

  function useCases(storage: Storage, parts: Parts) {
    const writes = writesOf(storage, parts)
    const added = composed.map((feature) => feature.on({ storage, reads: storage.reads, hooks, writes }))
    return {
      useCases: Object.assign(coreUseCases(storage, writes), ...added.map(({ useCases }) => useCases)),
      writes: Object.assign(writes, ...added.map(({ writes }) => writes)),
    }
  }

  const made = useCases(storage, parts)
  const audit = createAudit({
    storage,
    clock,
    calendar: parts.calendar,
    newId: parts.newId,
    targetNames: hooks.targetNames,
    fault: onFault,
  })
  const limits = createLimits(deps.rateLimit ?? null, clock)
  return {
    ...made.useCases,
    writes: made.writes,
    perform: (write, beforeCommit) => perform(storage, write, beforeCommit),
    permissions,
    events,
    audit,
    idempotency: createIdempotency({ storage, clock, sealer: parts.sealer }),
    limits,
    live: createLive({ storage, clock, isTold: ({ event }) => kinds.includes(event), fault: onFault }),
    clockDifferenceMs: () => storage.clockDifferenceMs?.() ?? null,
    serving: createServing({
      clock,
      heartbeat: createHeartbeat({ storage, clock, random }),
      audit,
      uses: [keyUse, ...composed.flatMap(({ uses = [] }) => uses)],
      fault: onFault,
    }),
    // The caller's transaction must not wait for a map server.
    inTransaction: (storage) => useCases(storage, { ...parts, locate: nowhereFound }).useCases,
  }
}
