/**
 * What the core needs from the world, and what it promises in return.
 *
 * Glossary
 * - account: the holder of everything else. Every method takes `account_id` first and sees nothing of another account.
 * - instant: a UTC timestamp as fixed-width ISO 8601 text with milliseconds, `2026-01-15T10:30:00.000Z`; it sorts as text.
 * - target: whom a delivery goes to. For the `webhook` channel it is an endpoint's id.
 * - lease: the right to attempt a delivery until an instant; its token fences off whoever held it before.
 */

export type { ApiKeyRecord } from './access/api-key.js'
export type {
  CaseSummary,
  Closing,
  FieldValue,
  HistoryEntry,
  HistoryKind,
  NewCase,
  NewHistoryEntry,
  Photo,
  SavCase,
} from './cases/case.js'
export type { EvidenceEntry } from './cases/evidence.js'
export { formatReference, type Reference } from './cases/reference.js'
export type {
  Account,
  AccountFields,
  Changes,
  Client,
  ClientFields,
  Poseur,
  PoseurFields,
} from './directory/directory.js'
export { UnavailableError } from './errors.js'
export { fold } from './folding.js'
export type { AttemptRecord, Delivery, DeliveryState } from './webhooks/delivery.js'
export type { EndpointRecord } from './webhooks/endpoint.js'
export type { ReplayJob } from './webhooks/replay.js'
export type { DeliveryUpdate } from './webhooks/retry-schedule.js'

import type { ApiKeyRecord } from './access/api-key.js'
import type {
  CaseSummary,
  Closing,
  HistoryEntry,
  NewCase,
  NewHistoryEntry,
  Priorite,
  SavCase,
  Statut,
  TypeProbleme,
} from './cases/case.js'
import type { EvidenceEntry } from './cases/evidence.js'
import type { Reference } from './cases/reference.js'
import type {
  Account,
  AccountFields,
  Changes,
  Client,
  ClientFields,
  Poseur,
  PoseurFields,
} from './directory/directory.js'
import type { AttemptRecord, Delivery, DeliveryState } from './webhooks/delivery.js'
import type { EndpointRecord } from './webhooks/endpoint.js'
import type { ReplayJob } from './webhooks/replay.js'
import type { DeliveryUpdate } from './webhooks/retry-schedule.js'

/** Time comes in from outside, so that tests and simulations own it. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  now(): number
  /** Calls `callback` once after `delayMs` (0: as soon as the event loop turns); the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void
}

/** `length` cryptographically secure random bytes. */
export type Random = (length: number) => Uint8Array

/**
 * The store. Reads outside a transaction see committed data only.
 *
 * Any method may throw `UnavailableError` when the store is busy, full or away; then nothing was written.
 */
export interface Storage extends Reads {
  /**
   * Runs `work` in one serializable, durable transaction: when the promise resolves, everything that `work` wrote
   * survives a power cut; when it rejects, nothing of it was written. `work` may be run again after a conflict with
   * another transaction, so it must touch nothing but `tx`. Transactions do not nest: one inside another is refused.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  readonly queue: DeliveryQueue
  /** Resolves when the store answers; rejects with `UnavailableError` otherwise. */
  ping(): Promise<void>
  /** Releases every connection; calls under way finish first. */
  close(): Promise<void>
}

export interface Reads {
  readonly accounts: AccountReads
  readonly keys: KeyReads
  readonly directory: DirectoryReads
  readonly cases: CaseReads
  readonly files: FileReads
  readonly evidence: EvidenceReads
  readonly webhooks: WebhookReads
  /** Small facts about the installation itself, such as the fingerprint of its secret key. Null when never set. */
  fact(name: string): Promise<string | null>
}

export interface Transaction extends Reads {
  readonly accounts: AccountWrites
  readonly keys: KeyWrites
  readonly directory: DirectoryWrites
  readonly cases: CaseWrites
  readonly files: FileWrites
  readonly evidence: EvidenceWrites
  readonly webhooks: WebhookWrites
  readonly outbox: Outbox
  setFact(name: string, value: string): Promise<void>
}

// ── accounts and keys ──────────────────────────────────────────────────────────────────────────────────────────────

export interface AccountReads {
  find(account_id: string): Promise<Account | null>
  /** In the order of their ids. */
  list(): Promise<Account[]>
}

export interface AccountWrites extends AccountReads {
  /** False, and nothing written, when the id is taken. */
  add(account: Account): Promise<boolean>
  update(account_id: string, fields: Changes<AccountFields>): Promise<void>
}

export interface KeyReads {
  /** By the SHA-256 (lowercase hex) of the whole key, whatever its account: this is how a caller's account is found. */
  findByHash(hash: string): Promise<ApiKeyRecord | null>
  find(account_id: string, id: string): Promise<ApiKeyRecord | null>
  /** Newest first, revoked ones too. */
  list(account_id: string): Promise<ApiKeyRecord[]>
}

export interface KeyWrites extends KeyReads {
  add(key: ApiKeyRecord): Promise<void>
  /** Replaces `revoked_at` and `expires_at` of a key. */
  update(account_id: string, id: string, fields: Pick<ApiKeyRecord, 'revoked_at' | 'expires_at'>): Promise<void>
}

// ── directory ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** One page of a list: `page` starts at 1, `limite` is at least 1. */
export interface Page {
  readonly page: number
  readonly limite: number
}

export interface Paged<T> {
  readonly items: T[]
  /** Number of all matches, not only of this page's. */
  readonly total: number
}

export interface DirectoryReads {
  findClient(account_id: string, id: number): Promise<Client | null>
  findPoseur(account_id: string, id: number): Promise<Poseur | null>
  /** By nom, prenom, id. `recherche` is folded text (see folding.ts): every word must occur in nom, prenom or email. */
  listClients(account_id: string, query: Page & { readonly recherche?: string | undefined }): Promise<Paged<Client>>
  /** By nom, id. */
  listPoseurs(account_id: string, query: Page): Promise<Paged<Poseur>>
}

export interface DirectoryWrites extends DirectoryReads {
  /** Resolves to the new id: a positive integer, never used before in this store. */
  addClient(account_id: string, client: ClientFields): Promise<number>
  updateClient(account_id: string, id: number, fields: Changes<ClientFields>): Promise<void>
  addPoseur(account_id: string, poseur: PoseurFields): Promise<number>
  updatePoseur(account_id: string, id: number, fields: Changes<PoseurFields>): Promise<void>
}

// ── cases ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Every filter that is present must hold. */
export interface CaseFilter {
  readonly statut?: Statut | undefined
  readonly client_id?: number | undefined
  readonly poseur_id?: number | undefined
  readonly priorite?: Priorite | undefined
  readonly type_probleme?: TypeProbleme | undefined
  /** Instant: `date_creation` is at or after it. */
  readonly depuis?: string | undefined
  /** Instant: `date_modification` is at or after it. */
  readonly modifie_depuis?: string | undefined
  /** Folded text (see folding.ts): every word must occur in the reference, the description or the client's name. */
  readonly recherche?: string | undefined
}

export interface CaseReads {
  find(account_id: string, id: number): Promise<SavCase | null>
  findByReference(account_id: string, reference: Reference): Promise<SavCase | null>
  /** In the order of their ids, which is that of the events. */
  history(account_id: string, id: number): Promise<HistoryEntry[]>
  /**
   * Newest first: `date_creation` descending, then `id` descending. A page past the end is empty with the true total.
   * The cost of the first page does not grow with the number of cases.
   */
  list(account_id: string, filter: CaseFilter, page: Page): Promise<Paged<CaseSummary>>
  /** Every closed case after `afterId`, in the order of ids, at most `limit`: for comparing cases with their evidence. */
  listClosed(
    account_id: string,
    page: { readonly afterId: number; readonly limit: number },
  ): Promise<{ id: number; reference: string }[]>
}

/** A change of a case: the fields that are present and not undefined replace the stored ones. */
export interface CaseChanges {
  readonly statut?: Statut | undefined
  readonly priorite?: Priorite | undefined
  readonly type_probleme?: TypeProbleme | undefined
  readonly poseur_id?: number | null | undefined
  readonly notes_internes?: string | null | undefined
  /** Set by a close, null when a reopening takes it away. */
  readonly closing?: Closing | null | undefined
  readonly date_modification: string
  readonly version: number
}

export interface CaseWrites extends CaseReads {
  /**
   * The next number of the account's references in `annee`, starting at 1. Gapless: taken in this transaction, and
   * given back when it rolls back; a concurrent transaction waits or is retried.
   */
  nextNumber(account_id: string, annee: number): Promise<number>
  /** Resolves to the new id: a positive integer, never used before in this store. */
  insert(newCase: NewCase): Promise<number>
  /** Like `find`, and nobody else changes the case before this transaction ends. */
  lock(account_id: string, id: number): Promise<SavCase | null>
  /** `found` is what `lock` gave. Totals of `list` follow in the same transaction. */
  update(found: SavCase, changes: CaseChanges): Promise<void>
  appendHistory(account_id: string, id: number, entries: readonly NewHistoryEntry[]): Promise<void>
}

// ── files ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface StoredFile {
  /** SHA-256 of `content`, lowercase hex: its name within the account. */
  readonly sha256: string
  readonly media_type: string
  readonly content: Uint8Array
}

export interface FileReads {
  /** Null unless this very case holds the file: there is no other way to a file. */
  find(account_id: string, case_id: number, sha256: string): Promise<StoredFile | null>
}

export interface FileWrites extends FileReads {
  /** Keeps the file, once per account, and notes that the case holds it. */
  put(account_id: string, case_id: number, file: StoredFile): Promise<void>
}

// ── evidence ───────────────────────────────────────────────────────────────────────────────────────────────────────

export interface EvidenceReads {
  find(account_id: string, sequence: number): Promise<EvidenceEntry | null>
  /** Every entry of one case, oldest first. */
  ofCase(account_id: string, case_id: number): Promise<EvidenceEntry[]>
  /** The chain after `afterSequence`, in order, at most `limit` entries, each with its snapshot (null: it is gone). */
  walk(
    account_id: string,
    page: { readonly afterSequence: number; readonly limit: number },
  ): Promise<{ entry: EvidenceEntry; snapshot: string | null }[]>
  /** The canonical JSON whose SHA-256 is `hash_dossier`. */
  snapshot(account_id: string, hash_dossier: string): Promise<string | null>
}

export interface EvidenceWrites extends EvidenceReads {
  /** The newest entry, or null before the first. Nobody else appends to the account's chain before this transaction ends. */
  lockHead(account_id: string): Promise<EvidenceEntry | null>
  append(entry: EvidenceEntry, snapshot: string): Promise<void>
}

// ── webhooks ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Every filter that is present must hold. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined
  readonly endpoint_id?: string | undefined
  readonly event?: string | undefined
  /** Instant: `created_at` is at or after it. */
  readonly since?: string | undefined
}

export interface HistoryQuery extends DeliveryFilter {
  /** Only what comes after this delivery in the order of the list: the cursor. */
  readonly after?: { readonly created_at: string; readonly id: string } | undefined
  readonly limit: number
}

export interface WebhookReads {
  /** Removed endpoints are not found. */
  findEndpoint(account_id: string, id: string): Promise<EndpointRecord | null>
  /** Oldest first, removed ones left out. */
  listEndpoints(account_id: string): Promise<EndpointRecord[]>
  findDelivery(account_id: string, id: string): Promise<Delivery | null>
  /** Oldest first. */
  attempts(account_id: string, delivery_id: string): Promise<AttemptRecord[]>
  /** Newest first: `created_at` descending, then `id` descending. */
  listDeliveries(account_id: string, query: HistoryQuery): Promise<Delivery[]>
  countDeliveries(account_id: string, filter: DeliveryFilter): Promise<number>
  findReplay(account_id: string, id: string): Promise<ReplayJob | null>
  /** Newest first, at most `limit`. */
  listReplays(account_id: string, limit: number): Promise<ReplayJob[]>
}

export interface WebhookWrites extends WebhookReads {
  addEndpoint(endpoint: EndpointRecord): Promise<void>
  /** Replaces the whole record. */
  updateEndpoint(endpoint: EndpointRecord): Promise<void>
  /**
   * Opens a new run on a delivery: pending again, its next attempt at `at`, offsets counted from there. False, and
   * nothing changed, when the account has no such delivery or it is being attempted right now.
   */
  reopenDelivery(account_id: string, id: string, at: string): Promise<boolean>
  /** Endpoints of every account, removed ones too, by id after `afterId`: for sealing their secrets anew. */
  everyEndpoint(page: { readonly afterId: string; readonly limit: number }): Promise<EndpointRecord[]>
  addReplay(job: ReplayJob): Promise<void>
  /** Replaces the whole record. */
  updateReplay(job: ReplayJob): Promise<void>
}

/** An event with its deliveries, as one transaction writes them: never one without the other. */
export interface OutboxEntry {
  /** `evt_…`, time-ordered. */
  readonly id: string
  readonly account_id: string
  readonly event: string
  /** The exact text that every attempt sends. */
  readonly body: string
  readonly created_at: string
  readonly deliveries: readonly { readonly id: string; readonly channel: string; readonly target: string }[]
}

export interface Outbox {
  /** Ids of the endpoints, disabled ones too, that chose this kind of event. */
  subscribers(account_id: string, event: string): Promise<string[]>
  add(entry: OutboxEntry): Promise<void>
}

// ── deliveries under way ───────────────────────────────────────────────────────────────────────────────────────────

/** First attempts and retries wait in lanes of their own, so that neither hides the other. */
export type Lane = 'first' | 'retry'

export interface DueTarget {
  readonly target: string
  readonly channel: string
  readonly lane: Lane
}

export interface ClaimRequest extends DueTarget {
  readonly limit: number
}

/** Everything that an attempt needs. */
export interface ClaimedDelivery {
  readonly id: string
  readonly account_id: string
  readonly channel: string
  readonly target: string
  readonly lane: Lane
  readonly event_id: string
  readonly event: string
  readonly body: string
  readonly attempt_count: number
  /** Attempts made in this run: 0 before the first. */
  readonly run_attempt_count: number
  /** From where this run's offsets count. */
  readonly run_started_at: string
  readonly next_attempt_at: string
  readonly lease_token: string
  readonly leased_until: string
}

/** One attempt that ended, and what becomes of its delivery. */
export interface AttemptOutcome {
  readonly delivery: Pick<ClaimedDelivery, 'id' | 'account_id' | 'channel' | 'target' | 'lease_token'>
  readonly attempt: AttemptRecord
  readonly update: DeliveryUpdate
}

/** Work shared by every process that has a worker. Its methods are transactions of their own. */
export interface DeliveryQueue {
  /**
   * The targets with something due at `now`, whose endpoint is neither disabled nor removed. Costs one index probe per
   * target, whatever the backlog behind it.
   */
  due(now: string): Promise<DueTarget[]>
  /**
   * Takes at most `limit` due deliveries of each requested target and lane, oldest due first. A delivery is given to
   * one caller only until `leasedUntil`; after that anyone may take it again.
   */
  claim(
    requests: readonly ClaimRequest[],
    lease: { readonly now: string; readonly leasedUntil: string; readonly token: string },
  ): Promise<ClaimedDelivery[]>
  /**
   * Records attempts in one transaction. Each one counts only if its lease token is still the delivery's: a result that
   * comes after another process took the delivery over is dropped. Resolves to the ids that were recorded.
   */
  record(outcomes: readonly AttemptOutcome[]): Promise<Set<string>>
  /** Gives claimed deliveries back unattempted, due at once, if the lease is still theirs. */
  release(deliveries: readonly Pick<ClaimedDelivery, 'id' | 'account_id' | 'lease_token'>[]): Promise<void>
  /** The endpoint behind a target of the webhook channel, whatever its account: null when it was removed. */
  endpoint(target: string): Promise<EndpointRecord | null>
  /** How many deliveries there are of each state, over all accounts. */
  counts(): Promise<Record<DeliveryState, number>>
  /** Replays of every account that are still running, oldest first. */
  runningReplays(): Promise<ReplayJob[]>
  /**
   * Fails at most `limit` waiting deliveries that will not be attempted any more: `endpoint removed` for those of removed
   * endpoints, `endpoint disabled for too long` for those of disabled ones whose next attempt was due before
   * `disabledBefore` (instant). Leaves alone what is being attempted. Resolves to how many it failed.
   */
  expire(bounds: { readonly now: string; readonly disabledBefore: string; readonly limit: number }): Promise<number>
  /**
   * Deletes at most `limit` deliveries with their attempts: delivered ones created before `deliveredBefore`, failed ones
   * created before `failedBefore`; and, at most as many again, the events created before both that no delivery refers to.
   * Resolves to the number of deliveries and events that went; 0 when nothing is left.
   */
  purge(bounds: {
    readonly deliveredBefore: string
    readonly failedBefore: string
    readonly limit: number
  }): Promise<number>
  /** What `purge` would still delete in all. */
  purgeable(bounds: { readonly deliveredBefore: string; readonly failedBefore: string }): Promise<number>
  /** When the oldest due delivery became due (instant), or null when nothing is due at `now`. */
  oldestDue(now: string): Promise<string | null>
}

/** A way out of the house. */
export interface Channel {
  /**
   * Resolves within `timeoutMs` of `startedAt`, whatever the receiver does. When nothing was sent the delivery is given
   * back and no attempt counted: null says that its target is disabled, a rejection that the reason is our own (the store
   * is away).
   */
  send(
    delivery: ClaimedDelivery,
    attempt: { readonly startedAt: number; readonly timeoutMs: number },
  ): Promise<SendResult | null>
}

/** What one attempt met. `error` is null on success, else plain words for the owner of the target. */
export interface SendResult {
  readonly ok: boolean
  /** HTTP status, or null when there was none. */
  readonly status: number | null
  readonly error: string | null
  /** True when the target itself was slow or away (timeout, refused connection), not when it answered. */
  readonly unreachable: boolean
  readonly durationMs: number
  readonly responseHeaders: Readonly<Record<string, string>> | null
  /** At most 16 KiB of the answer, as text. */
  readonly response: string | null
}

/** Sends one HTTP POST. */
export interface HttpSender {
  /**
   * Resolves within `timeoutMs` of being called, connect included; a status of 200–299 in that time is a success
   * whatever the body then does. Follows no redirect, keeps at most 16 KiB of the answer. Never rejects.
   */
  post(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly timeoutMs: number
  }): Promise<SendResult>
  close(): Promise<void>
}
