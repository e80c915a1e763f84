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
export type { AuditQuery, AuditReads, AuditWrites } from './access/audit-store.js'
export type { BucketWrites, StoredBucket } from './access/bucket-store.js'
export type { IdempotencyReads, IdempotencyWrites } from './access/idempotency-store.js'
export type { KeptAnswer } from './access/kept-answer.js'
export type { KeyReads, KeyWrites } from './access/key-store.js'
export type { ProcessWrites } from './access/processes.js'
export type {
  CaseSummary,
  ChainedHistoryEntry,
  Closing,
  FieldValue,
  HistoryEntry,
  Intervention,
  NewCase,
  NewHistoryEntry,
  NewIntervention,
  PieceUsed,
  SavCase,
} from './cases/case.js'
export type { CaseChanges, CaseFilter, CaseReads, CaseWrites } from './cases/case-store.js'
export { formatReference, type Reference } from './cases/reference.js'
export type { Channel, SendResult } from './delivery/channel.js'
export type { AttemptRecord, Delivery } from './delivery/delivery.js'
export type {
  AttemptOutcome,
  ClaimedDelivery,
  ClaimRequest,
  DeliveryQueue,
  DueTarget,
  HeldDelivery,
  Lane,
  RetentionBounds,
} from './delivery/delivery-queue.js'
export type {
  DeliveryFilter,
  DeliveryReads,
  DeliveryWrites,
  HistoryQuery,
  HourOfDeliveries,
  WaitingDeliveries,
} from './delivery/delivery-store.js'
export type { EventReads, StoredEvent } from './delivery/event-store.js'
export type { Outbox, OutboxEntry } from './delivery/outbox-store.js'
export type { ReplayJob } from './delivery/replay.js'
export type { ReplayReads, ReplayWrites } from './delivery/replay-store.js'
export type { DeliveryUpdate } from './delivery/retry-schedule.js'
export type { AccountReads, AccountWrites } from './directory/account-store.js'
export type {
  Account,
  AccountFields,
  Changes,
  Client,
  ClientFields,
  Poseur,
  PoseurFields,
} from './directory/directory.js'
export type { DirectoryReads, DirectoryWrites } from './directory/directory-store.js'
export type { Lieu, LocateLieu } from './directory/lieu.js'
export { ClientErasedError, UnavailableError } from './errors.js'
export type { EvidenceEntry } from './evidence/evidence.js'
export type { EvidenceReads, EvidenceStamp, EvidenceWrites } from './evidence/evidence-store.js'
export type { HistoryHead, HistoryPlace, LineDigests } from './evidence/history-chain.js'
export type { StampVerifier, Timestamper } from './evidence/timestamper.js'
export type { FactReads, FactWrites } from './fact-store.js'
export type { ContentName, FileContents, OutsideFiles } from './files/file-contents.js'
export type { FileRemoval, FileRemovalReads, FileRemovalWrites } from './files/file-removal-store.js'
export type { FileReads, FileWrites, HeldFile } from './files/file-store.js'
export type { Photo, StoredFile } from './files/stored-file.js'
export type { Carrier } from './letters/carrier.js'
export type {
  Company,
  InvitationLetter,
  Letter,
  Notice,
  NoticeLetter,
  RdvLetter,
  ReplacedReport,
  ReportLetter,
  Sender,
} from './letters/letter.js'
export { maxRdvMinutes } from './planning/appointments/inputs.js'
export type { Agenda, PlanningReads, PlanningWrites, RdvFilter } from './planning/appointments/planning-store.js'
export {
  type Bilan,
  cancelled,
  completed,
  held,
  type Interval,
  type NewRdv,
  occupies,
  type Rdv,
  type RdvState,
  standing,
  type ToldRdv,
} from './planning/appointments/rdv.js'
export type {
  CalendarAddress,
  CalendarOwner,
  CalendarReads,
  CalendarWrites,
} from './planning/calendars/calendar-store.js'
export type { RdvPage, RdvPageReads, RdvPageWrites } from './planning/customers/rdv-page-store.js'
export type { RoundPlan, RoundProblem } from './planning/rounds/round-problem.js'
export type { RoundSolver } from './planning/rounds/round-solver.js'
export type { Point, TravelTable, TravelTimes } from './planning/travel/travel-times.js'
export type { Absence, Horaires } from './planning/working-time/hours.js'
export type { ReportContent, ReportPhoto, ReportRecord, ReportRenderer } from './reports/report.js'
export type { ReportReads, ReportWrites } from './reports/report-store.js'
export type { Reads, Storage, StoreDescription, Transaction } from './storage.js'
export type { Clock } from './time/clock.js'
export type { SessionRecord, SignInAttempt } from './users/session.js'
export type { SessionReads, SessionWrites } from './users/session-store.js'
export type { Passkey, User } from './users/user.js'
export type { UserReads, UserWrites } from './users/user-store.js'
export { fold } from './values/folding.js'
export type { Page, Paged } from './values/paging.js'
export type { Random } from './values/random.js'
export type { DeliveryState, HistoryKind, Priorite, Statut, TypeProbleme } from './values/vocabulary.js'
export type { EndpointRecord, PreviousSecret } from './webhooks/endpoint.js'
export type { EndpointReads, EndpointWrites } from './webhooks/endpoint-store.js'
export type { HttpSender } from './webhooks/http-sender.js'
export type { TraceAttempt } from './webhooks/webhook-channel.js'
