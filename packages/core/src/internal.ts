/**
 * The parts that the packages of this workspace use of each other. They promise nothing: a package that imports them
 * pins the exact version of `@sav/core`.
 */

export { maxSkewSeconds, type ReplayProblem, replayProblem } from './access/anti-replay.js'
export { expiryNoticeMs } from './access/api-keys.js'
export type { AuditCall } from './access/audit.js'
export type { IdempotentAnswer, KeepAnswer } from './access/idempotency.js'
export { type IpRange, parseIpRange } from './access/ip-ranges.js'
export type { AnswerSubject } from './access/kept-answer.js'
export { calendarPermissions, firstMissing, isAllowed, namedAs } from './access/permissions.js'
export { parseRateLimit, type Quota, type RateLimit, type RateLimitState } from './access/rate-limit.js'
export { networkOf } from './access/token-buckets.js'
export type { CaseClose, CaseHead, ChainedHistoryEntry, Comment, NewIntervention, UsedPiece } from './cases/case.js'
export type { CaseRow } from './cases/case-store.js'
export type { CommentInput } from './cases/inputs.js'
export { scrubErased } from './cases/scrubbing.js'
export { keyIdOf } from './crypto/sealing.js'
export type { DueTarget, HeldDelivery, RetentionBounds } from './delivery/delivery-queue.js'
export type { HourOfDeliveries, WaitingDeliveries } from './delivery/delivery-store.js'
export type { LetterAccess } from './delivery/letter-access.js'
export type { Live, LiveEvent } from './delivery/live.js'
export { isOwnLimit, lastMetLimit, OwnLimitError, ownLimits, refuseOwnLimit } from './delivery/own-limits.js'
export { createReplaySteps } from './delivery/replays.js'
export { specifiedDelivery } from './delivery/retry-schedule.js'
export type { Job } from './delivery/worker.js'
export type { ClientFields, PoseurFields } from './directory/directory.js'
export type { NewestFound } from './directory/directory-store.js'
export type { ErasedAccount } from './directory/erased-account.js'
export { conflict } from './errors.js'
export type { Anchor } from './evidence/anchor.js'
export type { ErasedChain } from './evidence/evidence-report.js'
export type { FileCheckScope } from './evidence/file-check.js'
export type { LineDigests } from './evidence/history-chain.js'
export { importReference } from './evidence/imported.js'
export type { PrintedCheck } from './evidence/printed-check.js'
export type { OnSiteTime } from './evidence/told-on-site.js'
export type { FieldConstat, FieldFact, FieldKind, NewFieldFact } from './field/fact.js'
export type { OwnEvents } from './field/own-events.js'
export { type Reach, reachOf } from './field/own-visits.js'
export type { UploadProgress } from './field/uploads.js'
export { photoBytes } from './files/attachments.js'
export type { ContentName } from './files/file-contents.js'
export type { HeldFile } from './files/file-store.js'
export { contentTypeOf } from './files/image-head.js'
export { isIntact } from './files/intact-file.js'
export { withOutsideFiles } from './files/outside-files.js'
export type { FollowUpRecord } from './follow-ups/follow-up.js'
export * as inputs from './inputs.gen.js'
export {
  companyName,
  type InvitationLetter,
  knownName,
  type LetterChannel,
  type NoticeLetter,
  type RdvLetter,
  type RdvLetterKind,
  type ReplacedReport,
  type ReportLetter,
} from './letters/letter.js'
export { clientOfRow } from './moving/client-row.js'
export { type ImportedCase, type ImportedRow, type ImportType, importTypes } from './moving/import-store.js'
export type { ImportOutcome } from './moving/importing.js'
export { importFields } from './moving/rows.js'
export { beginImport, type ImportRun } from './moving/run.js'
export { isDateAlone } from './moving/written.js'
export type { RdvLetterChannels } from './planning/appointments/customer-letters.js'
export type { Bilan, CustomerAbsence, RdvState, ToldRdv } from './planning/appointments/rdv.js'
export type { CalendarAddress, CalendarOwner } from './planning/calendars/calendar-store.js'
export type { CalendarEntry } from './planning/calendars/calendars.js'
export type { RdvInvitation } from './planning/customers/rdv-letter.js'
export type { RdvAnswerInput, RdvPageView } from './planning/customers/rdv-pages.js'
export type { Planning } from './planning/planning.js'
export type { Round, RoundInstaller, RoundVisit, Span, UnservedReason } from './planning/rounds/round-problem.js'
export { presentRounds, presentVisits, roundOf, summed } from './planning/rounds/round-travel.js'
export { travelByBands } from './planning/travel/bands.js'
export { note } from './planning/travel/notes.js'
export { usualBeginning } from './planning/working-time/hours.js'
export { readiness } from './readiness.js'
export { answeredCode, type FailureCode, failures, hintOfFailure } from './receivers/failures.js'
export {
  type DeliveryBacklog,
  type HealthState,
  healthStates,
  type ReceiverRecord,
} from './receivers/receiver-health.js'
export { countReceivers, withHealth } from './receivers/receiver-records.js'
export { filled, issue, reason, sentenceOf } from './refusals/reason.js'
export { sentences } from './refusals/sentences.js'
export type { ReportPhoto } from './reports/report.js'
export type { CheckUrl } from './reports/report-content.js'
export { yieldWhenLong } from './running/event-loop.js'
export { secretKeyFact } from './secret-key-check.js'
export * as shapes from './shapes.js'
export type { StatisticsReads } from './statistics/statistics-store.js'
export { type BusinessCalendar, businessCalendar, isZoneOrOffset } from './time/time.js'
export type { NewSession } from './users/beginning.js'
export { isSharedByTenants } from './users/identity-provider.js'
export type { AccountChoice } from './users/oidc-sign-ins.js'
export type { SessionView, SignedInView } from './users/session.js'
export type { SignedInCaller } from './users/sessions.js'
export { isOfField, permissionsOf } from './users/user.js'
export type { View } from './users/views.js'
export { foldEmail } from './values/folding.js'
export { escapedHtml, telephoneUrl } from './values/html.js'
export { accountForm, sha256Form } from './values/ids.js'
export { type SoughtWord, telephoneWords } from './values/search-words.js'
export { dialled } from './values/telephone.js'
export { parse } from './values/validation.js'
export type {
  CaseOrder,
  HistoryKind,
  Priorite,
  RdvStatut,
  RdvType,
  Role,
  Statut,
  TypeProbleme,
} from './values/vocabulary.js'
export type { EndpointFailures, EndpointWithHealth, PreviousSecret } from './webhooks/endpoint.js'
export type { EndpointName, TroubledEndpoints } from './webhooks/endpoint-store.js'
export type { ExampleEvent } from './webhooks/endpoints.js'
export type { LookUp } from './webhooks/receiver-name.js'
export { type AddressRule, addressRule, isRefusedHost, type ReceiverPolicy } from './webhooks/receiver-url.js'
export type { ReportSettings } from './worker.js'
export { preparedWrite } from './write.js'
