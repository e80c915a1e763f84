export { type EventKind, eventKinds, sign, verify } from '@sav/webhook-verify'
export type { Actor } from './access/actor.js'
export { type ActorType, actorTypes } from './access/actor.js'
export { networkOf } from './access/address-limit.js'
export { maxSkewSeconds, type ReplayProblem, replayProblem } from './access/anti-replay.js'
export type { ApiKeyView } from './access/api-key.js'
export {
  type CreateKeyInput,
  createKeyInput,
  expiryNoticeMs,
  type Keys,
  type RollKeyInput,
  rollKeyInput,
} from './access/api-keys.js'
export {
  type Audit,
  type AuditCall,
  type AuditPage,
  type CountedAs,
  type CountedCall,
  type ListAuditInput,
  listAuditInput,
} from './access/audit.js'
export type { AuditView } from './access/audit-record.js'
export type { Idempotency, IdempotentAnswer, IdempotentRequest, KeepAnswer } from './access/idempotency.js'
export { type IpRange, parseIpRange } from './access/ip-ranges.js'
export type { AnswerSubject } from './access/kept-answer.js'
export type { Limits } from './access/limits.js'
export {
  calendarPermissions,
  firstMissing,
  isAllowed,
  namedAs,
  type Permission,
  permissions,
} from './access/permissions.js'
export {
  type AddressPolicy,
  type LimitedKind,
  parseRateLimit,
  type Quota,
  type RateLimit,
  type RateLimitState,
} from './access/rate-limit.js'
export type { Serving } from './access/serving.js'
export type {
  CaseDetail,
  CaseSummary,
  ClosedResult,
  HistoryEntry,
  Intervention,
  Preuve,
  PvState,
} from './cases/case.js'
export type { Cases, ProofBundle } from './cases/cases.js'
export {
  type CloseCaseInput,
  type CreateCaseInput,
  closeCaseInput,
  closeErasedInput,
  createCaseInput,
  type ListCasesInput,
  listCasesInput,
  type ReopenCaseInput,
  reopenCaseInput,
  type SendReportInput,
  sendReportInput,
  type UpdateCaseInput,
  updateCaseInput,
} from './cases/inputs.js'
export { formatReference, parseReference, type Reference } from './cases/reference.js'
export { createSealer, keyIdOf, type Sealer } from './crypto/sealing.js'
export { Secret } from './crypto/secret.js'
export { type DeliveryPage, type HistoryInput, historyInput } from './delivery/deliveries.js'
export type {
  AttemptRecord,
  DeliveryDetail,
  DeliveryHealth,
  DeliveryView,
  EndpointActivity,
} from './delivery/delivery.js'
export type { DispatcherEvent } from './delivery/dispatcher.js'
export type { EventHandler, EventOf, HandlerContext } from './delivery/host-channel.js'
export type { LetterAccess } from './delivery/letter-access.js'
export type { BeginListening, Live, LiveCaller, LiveEvent, LiveListener, LiveNews } from './delivery/live.js'
export type { ReplayView } from './delivery/replay.js'
export { createReplaySteps, type ReplayInput, replayInput } from './delivery/replays.js'
export {
  type DeliveryUpdate,
  decideAfterAttempt,
  type RetrySchedule,
  specifiedDelivery,
} from './delivery/retry-schedule.js'
export type { Job, Worker } from './delivery/worker.js'
export type { Accounts } from './directory/accounts.js'
export { type Clients, type ListClientsInput, listClientsInput } from './directory/clients.js'
export {
  type AccountInput,
  type AccountView,
  type AddClientInput,
  type AddPoseurInput,
  accountInput,
  addClientInput,
  addPoseurInput,
  type ClientView,
  type PoseurView,
  type UpdateClientInput,
  type UpdatePoseurInput,
  updateClientInput,
  updatePoseurInput,
} from './directory/directory.js'
export { type Lieu, lieuInput } from './directory/lieu.js'
export { type PageInput, pageInput } from './directory/page.js'
export type { Poseurs } from './directory/poseurs.js'
export { type ZoneFeries, zonesFeries } from './directory/zones-feries.js'
export {
  AnswerErasedError,
  CaseAlreadyClosedError,
  CaseNotFoundError,
  ClientErasedError,
  ConflictError,
  conflict,
  type FieldProblem,
  IdempotencyInProgressError,
  IdempotencyMismatchError,
  NotFoundError,
  type RefusalKind,
  SavError,
  SignInRefusedError,
  type Slot,
  SlotTakenError,
  TooManyWaitingError,
  UnavailableError,
  ValidationError,
  VersionMismatchError,
} from './errors.js'
export type { Anchor } from './evidence/anchor.js'
export type { EvidenceEntry } from './evidence/evidence.js'
export type { BrokenEvidence, EvidenceCheckOptions, EvidenceReport } from './evidence/evidence-check.js'
export { type FilesChecked, filesChecked } from './evidence/file-check.js'
export type { CloseCheck, PrintedCheck } from './evidence/printed-check.js'
export { DamagedFileError, isIntact } from './files/intact-file.js'
export { type OutsideFilesDeps, withOutsideFiles } from './files/outside-files.js'
export { type LetterChannel, letterChannels, type RdvLetterKind, rdvLetterKinds } from './letters/letter.js'
export type { RdvLetterChannels } from './planning/appointments/customer-letters.js'
export {
  type AbsencesView,
  type AdvisedRdvView,
  type BookRdvInput,
  bookRdvInput,
  type ChangeRdvInput,
  changeRdvInput,
  type ListRdvInput,
  listRdvInput,
  type RdvView,
} from './planning/appointments/inputs.js'
export {
  type CalendarEntry,
  type Calendars,
  type CalendarView,
  type RenewCalendarInput,
  renewCalendarInput,
} from './planning/calendars/calendars.js'
export type { RdvIcal, RdvInvitation } from './planning/customers/rdv-letter.js'
export { type RdvAnswerInput, type RdvPages, type RdvPageView, rdvAnswerInput } from './planning/customers/rdv-pages.js'
export { loadPlaces, type Place, type PointOf, type Precision, precisions } from './planning/places/places.js'
export type { Planning } from './planning/planning.js'
export {
  type DayRounds,
  type OptimisedRounds,
  type OptimiseInput,
  optimiseInput,
  type RoundsInput,
  roundsInput,
  type UndoInput,
  type Undone,
  undoInput,
} from './planning/rounds/round-input.js'
export { type SlotsInput, slotsInput } from './planning/slots/slot-input.js'
export { travelByBands } from './planning/travel/bands.js'
export {
  type AbsencesInput,
  absencesBody,
  absencesInput,
  type CompetencesInput,
  competencesBody,
  competencesInput,
  type Horaires,
  type HorairesInput,
  horairesInput,
} from './planning/working-time/hours.js'
export { type ReadinessDeps, readiness } from './readiness.js'
export { issue, type ParamsOf, type Reason, type RefusalCode, reason } from './refusals/reason.js'
export { sentences } from './refusals/sentences.js'
export { type ReportStatut, reportStatuts } from './reports/report.js'
export type { CheckUrl } from './reports/report-content.js'
export { createUseCases, type Sav, type SavDeps, type UseCases, type Writes } from './sav.js'
export { secretKeyFact } from './secret-key-check.js'
export { createService, type Listening, type Migrated, type Service, type ServiceDeps } from './service.js'
/** What the service tells, in zod, with what each field means: for whoever puts it on a wire, or describes that. */
export * as shapes from './shapes.js'
export { type BusinessCalendar, businessCalendar } from './time/time.js'
export type { Begun, Device } from './users/beginning.js'
export type { IdentityProvider, OidcExchange } from './users/identity-provider.js'
export {
  type Invitation,
  type Invitations,
  type InviteInput,
  inviteInput,
} from './users/invitations.js'
export type { Candidate, OidcReturn, OidcSignIns, Undecided } from './users/oidc-sign-ins.js'
export type { BrowserAnswer, PasskeyVerifier, RelyingParty } from './users/passkey-verifier.js'
export type { AccountSummary, SessionView, SignedInView } from './users/session.js'
export type { Sessions, SignedIn } from './users/sessions.js'
export type { Invited, SignIns } from './users/sign-ins.js'
export {
  type AddUserInput,
  addUserInput,
  type PasskeyView,
  permissionsOf,
  type UpdateUserInput,
  type User,
  type UserView,
  updateUserInput,
} from './users/user.js'
export type { Users } from './users/users.js'
export type { CursorPage } from './values/cursor.js'
export { fold } from './values/folding.js'
export { type IdPrefix, idPrefixes } from './values/ids.js'
export { parse, problemsOf } from './values/validation.js'
export {
  type DeliveryState,
  deliveryStates,
  historyKinds,
  type Priorite,
  priorites,
  type RdvResultat,
  type RdvStatut,
  type RdvType,
  type Role,
  rdvResultats,
  rdvStatuts,
  rdvTypes,
  roles,
  type SignInMethod,
  type Statut,
  signInMethods,
  statuts,
  type TypeProbleme,
  typesProbleme,
} from './values/vocabulary.js'
export type { EndpointView } from './webhooks/endpoint.js'
export {
  type AddEndpointInput,
  addEndpointInput,
  type ExampleEvent,
  type RotateSecretInput,
  rotateSecretInput,
  type UpdateEndpointInput,
  updateEndpointInput,
} from './webhooks/endpoints.js'
export type { LookUp } from './webhooks/receiver-name.js'
export { type AddressRule, addressRule, isRefusedHost, type ReceiverPolicy } from './webhooks/receiver-url.js'
export {
  createWorker,
  type RdvLetterSettings,
  type ReportSettings,
  type WorkerDeps,
  type WorkerEvent,
} from './worker.js'
export type { BeforeCommit, Write } from './write.js'
export { perform, performing, preparedWrite } from './write.js'
