/**
 * What the core needs from outside, and what it promises in return.
 *
 * Glossary
 * - account: owns everything else. Every method takes `account_id` first and sees no data of another account.
 * - instant: a UTC timestamp as fixed-width ISO 8601 text with milliseconds, `2026-01-15T10:30:00.000Z`; it sorts as
 * text.
 * - target: the receiver of a delivery. For the `webhook` channel it is an endpoint's id.
 * - lease: the right to attempt a delivery until an instant; its token excludes the holder of an earlier lease.
 */

export type { ApiKeyRecord } from './access/api-key.js'
export type { AuditRecord } from './access/audit-record.js'
export type { AuditQuery, AuditWrites } from './access/audit-store.js'
export type { IdempotencyWrites } from './access/idempotency-store.js'
export type { KeptAnswer } from './access/kept-answer.js'
export type { KeyWrites } from './access/key-store.js'
export type { ProcessWrites } from './access/processes.js'
export type { NewCase, NewHistoryEntry, SavCase } from './cases/case.js'
export type { CaseChanges, CaseFilter, CaseWrites } from './cases/case-store.js'
export { formatReference, type Reference } from './cases/reference.js'
export type { SendResult } from './delivery/channel.js'
export type { AttemptRecord, Delivery } from './delivery/delivery.js'
export type { AttemptOutcome, ClaimedDelivery, ClaimRequest, DeliveryQueue, Lane } from './delivery/delivery-queue.js'
export type { DeliveryFilter, DeliveryWrites, HistoryQuery } from './delivery/delivery-store.js'
export type { EventReads, StoredEvent } from './delivery/event-store.js'
export type { Outbox, OutboxEntry } from './delivery/outbox-store.js'
export type { ReplayJob } from './delivery/replay.js'
export type { ReplayWrites } from './delivery/replay-store.js'
export type { AccountWrites } from './directory/account-store.js'
export type { Account, Changes, Client, Poseur } from './directory/directory.js'
export type { DirectoryWrites } from './directory/directory-store.js'
export { ClientErasedError, UnavailableError } from './errors.js'
export { closingFields } from './evidence/closing-fields.js'
export type { EvidenceStamp, EvidenceWrites } from './evidence/evidence-store.js'
export type { StampVerifier, Timestamper } from './evidence/timestamper.js'
export type { FileContents } from './files/file-contents.js'
export type { FileRemoval, FileRemovalWrites } from './files/file-removal-store.js'
export type { FileWrites } from './files/file-store.js'
export type { Photo, StoredFile } from './files/stored-file.js'
export type { Carrier, Carriers } from './letters/carrier.js'
export type { Letter } from './letters/letter.js'
export type { ReportContent, ReportRecord, ReportRenderer } from './reports/report.js'
export type { ReportWrites } from './reports/report-store.js'
export type { Storage, Transaction } from './storage.js'
export type { Clock } from './time/clock.js'
export { fold } from './values/folding.js'
export type { Page, Paged } from './values/paging.js'
export type { Random } from './values/random.js'
export { soughtWords, wordsKept } from './values/search-words.js'
export { sortKey } from './values/sort-key.js'
export type { DeliveryState } from './values/vocabulary.js'
export type { EndpointRecord } from './webhooks/endpoint.js'
export type { EndpointWrites } from './webhooks/endpoint-store.js'
export type { HttpSender } from './webhooks/http-sender.js'
