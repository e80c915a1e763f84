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
export type { AuditRecord } from './access/audit-record.js'
export type { KeptAnswer } from './access/kept-answer.js'
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
export type { StoredFile } from './cases/stored-file.js'
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
export type {
  Company,
  Letter,
  Notice,
  NoticeLetter,
  ReportContent,
  ReportLetter,
  ReportPhoto,
  ReportRecord,
  ReportRenderer,
} from './reports/report.js'
export type { AttemptRecord, Delivery, DeliveryState } from './webhooks/delivery.js'
export type { EndpointRecord } from './webhooks/endpoint.js'
export type { ReplayJob } from './webhooks/replay.js'
export type { DeliveryUpdate } from './webhooks/retry-schedule.js'

import type { ApiKeyRecord } from './access/api-key.js'
import type { AuditRecord } from './access/audit-record.js'
import type { KeptAnswer } from './access/kept-answer.js'
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
import type { StoredFile } from './cases/stored-file.js'
import type {
  Account,
  AccountFields,
  Changes,
  Client,
  ClientFields,
  Poseur,
  PoseurFields,
} from './directory/directory.js'
import type { Letter, ReportRecord } from './reports/report.js'
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
   * Runs `work` in one durable transaction: when the promise resolves, everything that `work` wrote survives a power
   * cut; when it rejects, nothing of it was written. Nobody else changes what `work` has looked up by its id, or under a
   * lock, before it ends; a list that it has read may gain rows meanwhile. `work` may be run again after a conflict
   * with another transaction, so it must touch nothing but `tx`. Transactions do not nest: one inside another is refused.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  readonly queue: DeliveryQueue
  readonly processes: Processes
  /** Resolves when the store answers; rejects with `UnavailableError` otherwise. */
  ping(): Promise<void>
  /** Releases every connection; calls under way finish first. */
  close(): Promise<void>
}

export interface Reads {
  readonly accounts: AccountReads
  readonly keys: KeyReads
  readonly audit: AuditReads
  readonly answers: AnswerReads
  readonly directory: DirectoryReads
  readonly cases: CaseReads
  readonly files: FileReads
  readonly evidence: EvidenceReads
  readonly reports: ReportReads
  readonly webhooks: WebhookReads
  /** Small facts about the installation itself, such as the fingerprint of its secret key. Null when never set. */
  fact(name: string): Promise<string | null>
}

export interface Transaction extends Reads {
  readonly accounts: AccountWrites
  readonly keys: KeyWrites
  readonly audit: AuditWrites
  readonly answers: AnswerWrites
  readonly directory: DirectoryWrites
  readonly cases: CaseWrites
  readonly files: FileWrites
  readonly evidence: EvidenceWrites
  readonly reports: ReportWrites
  readonly webhooks: WebhookWrites
  readonly outbox: Outbox
  setFact(name: string, value: string): Promise<void>
}

// ── accounts and keys ──────────────────────────────────────────────────────────────────────────────────────────────

export interface AccountReads {
  find(account_id: string): Promise<Account | null>
  /** In the order of their ids. */
  list(): Promise<Account[]>
  /** A logo that the account has, or had: reports of that time print it. */
  findLogo(account_id: string, sha256: string): Promise<StoredFile | null>
}

export interface AccountWrites extends AccountReads {
  /** False, and nothing written, when the id is taken. */
  add(account: Account): Promise<boolean>
  update(account_id: string, fields: Changes<AccountFields>): Promise<void>
  /** Keeps the logo; the account's field `logo` says which one it has. */
  putLogo(account_id: string, logo: StoredFile): Promise<void>
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
  /** Notes when keys were last used; a later use that is noted already stays. Unknown keys are passed over. */
  noteUse(uses: readonly { readonly account_id: string; readonly id: string; readonly at: string }[]): Promise<void>
}

export interface AuditQuery {
  /** Instant: `time` is at or after it. */
  readonly since?: string | undefined
  readonly key_id?: string | undefined
  /** Only what comes after this call in the order of the list: the cursor. */
  readonly after?: { readonly time: string; readonly id: string } | undefined
  readonly limit: number
}

export interface AuditReads {
  /**
   * Newest first: `time` descending, then `id` descending.
   * @param account_id null: the calls that no account could be found for
   */
  list(account_id: string | null, query: AuditQuery): Promise<AuditRecord[]>
}

export interface AuditWrites extends AuditReads {
  add(calls: readonly AuditRecord[]): Promise<void>
}

export interface AnswerReads {
  /** The answer that is kept for a repeated request. */
  find(account_id: string, key_id: string, request: string): Promise<KeptAnswer | null>
}

export interface AnswerWrites extends AnswerReads {
  /**
   * Keeps an answer. False, and nothing written, when one for the same account, key and request stands that was
   * `created_at` or after `notBefore`; an older one is replaced. Of two at once the one that commits first stands.
   */
  add(answer: KeptAnswer, notBefore: string): Promise<boolean>
}

/** What the processes of one installation tell each other. */
export interface Processes {
  /**
   * Notes what this process has to say (replacing what it said before), forgets processes that said nothing since
   * `aliveSince` (instant), and resolves to what the others say. One short transaction, about once a second.
   */
  exchange(
    own: { readonly id: string; readonly at: string; readonly says: string },
    aliveSince: string,
  ): Promise<string[]>
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
  /** By nom, prenom, id. `recherche` is folded text (see folding.ts): every word must begin one of nom, prenom or email. */
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
  /** Folded text (see folding.ts): every word must begin a word of the reference, the description or the client's name. */
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
  /** Every case of a client, in the order of ids. */
  ofClient(account_id: string, client_id: number): Promise<{ id: number; reference: string }[]>
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
  /**
   * Replaces everything personal that a case and its history hold by `replacement`: description, resolution, reserves,
   * notes, comments, the signer's name; photos, and what a close named of files, leave it. Searches find nothing of it any more.
   */
  erase(account_id: string, id: number, replacement: string): Promise<void>
}

// ── files ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Photos, signatures and reports. A store keeps their content with everything else, so that there is one thing to back
 * up; who would rather have it elsewhere puts these two in front of the store's own (see file-directory.ts of
 * @sav/storage-kysely), and stores files of no content.
 */
export interface FileReads {
  /** Null unless this very case holds the file: there is no other way to a file. */
  find(account_id: string, case_id: number, sha256: string): Promise<StoredFile | null>
  /** Whether any case of the account holds the file. */
  isHeld(account_id: string, sha256: string): Promise<boolean>
}

export interface FileWrites extends FileReads {
  /** Keeps the file, once per account, and notes that the case holds it. */
  put(account_id: string, case_id: number, file: StoredFile): Promise<void>
  /**
   * The case lets go of all its files; those that no other case of the account holds are deleted. Resolves to the
   * SHA-256 of the deleted ones.
   */
  release(account_id: string, case_id: number): Promise<string[]>
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
  /** The newest entry. */
  head(account_id: string): Promise<EvidenceEntry | null>
  /** The entry of a close by the hash of its snapshot, whatever its account: for who checks a printed report. */
  findByHash(hash_dossier: string): Promise<EvidenceEntry | null>
  /** The newest time stamp of the chain (RFC 3161), if there is one. */
  latestStamp(account_id: string): Promise<EvidenceStamp | null>
  /** The oldest stamp of an entry at or after `sequence`: it covers that entry too, since the chain leads to it. */
  stampOf(account_id: string, sequence: number): Promise<EvidenceStamp | null>
}

/** A time stamp of one entry's `hash_entree` by an authority outside the house. */
export interface EvidenceStamp {
  readonly account_id: string
  readonly sequence: number
  readonly hash_entree: string
  readonly date: string
  /** DER of the authority's answer (RFC 3161 §2.4.2). */
  readonly token: Uint8Array
}

export interface EvidenceWrites extends EvidenceReads {
  /** The newest entry, or null before the first. Nobody else appends to the account's chain before this transaction ends. */
  lockHead(account_id: string): Promise<EvidenceEntry | null>
  append(entry: EvidenceEntry, snapshot: string): Promise<void>
  /** Puts `marker` in the place of a snapshot. */
  eraseSnapshot(account_id: string, hash_dossier: string, marker: string): Promise<void>
  addStamp(stamp: EvidenceStamp): Promise<void>
}

// ── reception reports ──────────────────────────────────────────────────────────────────────────────────────────────

export interface ReportReads {
  /** By the sequence of its evidence entry. */
  find(account_id: string, sequence: number): Promise<ReportRecord | null>
  /** Every report of a case, oldest first. */
  ofCase(account_id: string, case_id: number): Promise<ReportRecord[]>
  /** By the event that its deliveries belong to. */
  ofEvent(account_id: string, event_id: string): Promise<ReportRecord | null>
  /** Reports of every account whose PDF is not drawn yet, oldest first. */
  undrawn(limit: number): Promise<ReportRecord[]>
  /** Reports of every account that are on their way (`en_file`), with a delivery delivered or none pending any more. */
  unsettled(limit: number): Promise<ReportRecord[]>
}

export interface ReportWrites extends ReportReads {
  add(report: ReportRecord): Promise<void>
  /** Like `find`, and nobody else changes the report before this transaction ends. */
  lock(account_id: string, sequence: number): Promise<ReportRecord | null>
  /** Replaces the whole record. */
  update(report: ReportRecord): Promise<void>
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
  /** The deliveries of one event, in the order of their ids. */
  deliveriesOf(account_id: string, event_id: string): Promise<Delivery[]>
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
  /** Takes away what receivers answered to the deliveries of an event. */
  forgetAnswers(account_id: string, event_id: string): Promise<void>
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
  /** Since when an attempt that must not be made twice is under way, or was when its process died. */
  readonly intended_at: string | null
}

/** One attempt that ended, and what becomes of its delivery. */
export interface AttemptOutcome {
  readonly delivery: Pick<ClaimedDelivery, 'id' | 'account_id' | 'event_id' | 'channel' | 'target' | 'lease_token'>
  readonly attempt: AttemptRecord
  readonly update: DeliveryUpdate
}

/** Instants before which things have been kept long enough. */
export interface RetentionBounds {
  readonly deliveredBefore: string
  readonly failedBefore: string
  readonly auditBefore: string
  readonly answersBefore: string
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
  /**
   * Notes durably that an attempt which must not be made twice begins. The note stays until an outcome is recorded.
   * False, and nothing noted, when the lease is no longer the delivery's.
   */
  intend(delivery: Pick<ClaimedDelivery, 'id' | 'account_id' | 'lease_token'>, at: string): Promise<boolean>
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
   * created before `failedBefore`; at most as many again of the events created before both that no delivery refers to,
   * of the calls in the audit before `auditBefore`, and of the kept answers before `answersBefore`.
   * Resolves to the number of rows that went; 0 when nothing is left.
   */
  purge(bounds: RetentionBounds & { readonly limit: number }): Promise<number>
  /** What `purge` would still delete in all. */
  purgeable(bounds: RetentionBounds): Promise<number>
  /** When the oldest due delivery became due (instant), or null when nothing is due at `now`. */
  oldestDue(now: string): Promise<string | null>
  /**
   * Calls `wake` soon after another process has committed deliveries, until the returned function is called. A hint and
   * no promise: it may come for nothing, and it may not come; whoever waits polls as well.
   */
  watch(wake: () => void): () => void
}

/** A way out of the house. */
export interface Channel {
  /** A whole attempt, connect included. A lease lasts longer. */
  readonly timeoutMs: number
  /**
   * Resolves within `timeoutMs` of `startedAt`, whatever the receiver does. When nothing was sent the delivery is given
   * back and no attempt counted: null says that its target is disabled, a rejection that the reason is our own (the store
   * is away).
   */
  send(delivery: ClaimedDelivery, attempt: { readonly startedAt: number }): Promise<SendResult | null>
}

/** Asks an authority outside the house to say that a hash existed at a time (RFC 3161). */
export interface Timestamper {
  /**
   * DER of the authority's answer, checked to be about this hash (SHA-256, lowercase hex).
   * @throws Error in plain words when there is none
   */
  stamp(hash: string): Promise<Uint8Array>
}

/** Brings a letter to a person: by e-mail, by WhatsApp. */
export interface Carrier {
  /** A whole attempt, connect included. */
  readonly timeoutMs: number
  /**
   * Resolves within `timeoutMs` of being called, whatever the other side does. Never rejects.
   * @param intend to be awaited just before a step that must not be taken twice, where the other side cannot tell a
   *   repetition: it notes durably that the step is being taken, and rejects when it must not be. After a crash in that
   *   step nobody knows whether the letter arrived, and it is not sent again.
   */
  carry(letter: Letter, intend: () => Promise<void>): Promise<SendResult>
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
  /** A failure that no repetition mends: no further attempt is made. */
  readonly final?: true
}

/** Sends one HTTP POST. */
export interface HttpSender {
  /**
   * Resolves within `timeoutMs` of being called, connect included; a status of 200–299 in that time is a success
   * whatever the body then does. Follows no redirect, keeps at most 16 KiB of the answer. Rejects only when our own way
   * out is closed, such as a proxy that is away: then nothing was sent.
   */
  post(request: {
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly timeoutMs: number
  }): Promise<SendResult>
  close(): Promise<void>
}
