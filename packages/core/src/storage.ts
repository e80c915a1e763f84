import type { AuditReads, AuditWrites } from './access/audit-store.js'
import type { IdempotencyReads, IdempotencyWrites } from './access/idempotency-store.js'
import type { KeyReads, KeyWrites } from './access/key-store.js'
import type { ProcessWrites } from './access/processes.js'
import type { ViewReads, ViewWrites } from './access/views.js'
import type { CaseReads, CaseWrites } from './cases/case-store.js'
import type { DeliveryQueue } from './delivery/delivery-queue.js'
import type { DeliveryReads, DeliveryWrites } from './delivery/delivery-store.js'
import type { EventReads } from './delivery/event-store.js'
import type { Outbox } from './delivery/outbox-store.js'
import type { ReplayReads, ReplayWrites } from './delivery/replay-store.js'
import type { AccountReads, AccountWrites } from './directory/account-store.js'
import type { DirectoryReads, DirectoryWrites } from './directory/directory-store.js'
import type { ErasedAccountReads, ErasedAccountWrites } from './directory/erased-account.js'
import type { EvidenceReads, EvidenceWrites } from './evidence/evidence-store.js'
import type { FactReads, FactWrites } from './fact-store.js'
import type { OutsideFiles } from './files/file-contents.js'
import type { FileRemovalReads, FileRemovalWrites } from './files/file-removal-store.js'
import type { FileReads, FileWrites } from './files/file-store.js'
import type { ReportReads, ReportWrites } from './reports/report-store.js'
import type { StoreToken } from './store-token.js'
import type { EndpointReads, EndpointWrites } from './webhooks/endpoint-store.js'

/** Every repository by name: its reads, and a transaction's writes. */
interface Repositories {
  readonly accounts: [AccountReads, AccountWrites]
  readonly erasedAccounts: [ErasedAccountReads, ErasedAccountWrites]
  readonly keys: [KeyReads, KeyWrites]
  readonly views: [ViewReads, ViewWrites]
  readonly audit: [AuditReads, AuditWrites]
  readonly idempotency: [IdempotencyReads, IdempotencyWrites]
  readonly directory: [DirectoryReads, DirectoryWrites]
  readonly cases: [CaseReads, CaseWrites]
  readonly files: [FileReads, FileWrites]
  readonly fileRemovals: [FileRemovalReads, FileRemovalWrites]
  readonly evidence: [EvidenceReads, EvidenceWrites]
  readonly reports: [ReportReads, ReportWrites]
  readonly endpoints: [EndpointReads, EndpointWrites]
  readonly deliveries: [DeliveryReads, DeliveryWrites]
  readonly events: [EventReads, EventReads]
  readonly replays: [ReplayReads, ReplayWrites]
  readonly facts: [FactReads, FactWrites]
}

/** The repositories for reading: committed data only, except within a transaction. */
export type Reads = { readonly [Name in keyof Repositories]: Repositories[Name][0] } & {
  /** A feature's repository. @throws Error if the storage was opened without the tables of that feature */
  readonly of: <R, W extends R>(store: StoreToken<R, W>) => R
}

/** The repositories inside a transaction, which sees its own writes. */
export type Transaction = { readonly [Name in keyof Repositories]: Repositories[Name][1] } & {
  readonly outbox: Outbox
  readonly processes: ProcessWrites
  /** As `Reads.of`. */
  readonly of: <R, W extends R>(store: StoreToken<R, W>) => W
}

/** A description of the store, for people who look at the service's state. */
export interface StoreDescription {
  /** The kind of database, by its own name: `SQLite`, `PostgreSQL`. */
  readonly database: string
  /** The name of the newest migration that ran; null if none has. */
  readonly schema: string | null
}

/**
 * The store. Any method may throw `UnavailableError` when the store is busy, full or unreachable; nothing was written
 * then.
 *
 * A decorator spreads it: `{ ...storage, reads: { ...storage.reads, files } }`.
 */
export interface Storage {
  readonly reads: Reads
  /**
   * Runs `work` in one durable transaction: when the promise resolves, everything that `work` wrote survives a power
   * cut; when it rejects, nothing was written. What `work` has read by id, or under a lock, is locked until it ends; a
   * list that it has read may gain rows meanwhile. After a conflict with another transaction `work` may run again, so
   * it must use nothing but `tx`. Nested transactions are refused.
   */
  readonly transaction: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>
  readonly queue: DeliveryQueue
  /** The contents of files outside of the store: see withOutsideFiles. Absent: they are in the store itself. */
  readonly outsideFiles?: OutsideFiles
  /** Resolves when the store answers; rejects with `UnavailableError` otherwise. */
  readonly ping: () => Promise<void>
  /** A sentence about the first damage found since the store was opened; null: none. Absent: the store cannot tell. */
  readonly damage?: () => string | null
  /**
   * How far the store's clock is ahead of this process's, in milliseconds; negative: behind. Leases end by that clock.
   * Absent: the store has no clock of its own.
   */
  readonly clockDifferenceMs?: () => number
  /** Names of the features whose tables the store has, composed or not. Absent: none has any. */
  readonly featuresHeld?: () => Promise<readonly string[]>
  /** Describes the store. Absent: the store has no description. */
  readonly describe?: () => Promise<StoreDescription>
  /**
   * Overwrites deleted data, if the store manages its own files: afterwards they contain none of it. It may take
   * seconds, in steps between which other calls run. It rejects if data remains, as it does while a reader sees an
   * earlier state, and inside the caller's transaction. Then call it again later.
   * @throws UnavailableError
   */
  readonly scrub: () => Promise<void>
  /** Releases every connection, after the calls in progress. */
  readonly close: () => Promise<void>
}
