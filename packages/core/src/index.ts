export { type EventKind, eventKinds, sign, verify } from '@sav/webhook-verify'
export { replayProblem } from './access/anti-replay.js'
export {
  type ApiKeyView,
  type CreateKeyInput,
  createKeyInput,
  type Keys,
  type RollKeyInput,
  rollKeyInput,
} from './access/api-keys.js'
export {
  type Audit,
  type AuditCall,
  type AuditPage,
  type AuditView,
  type ListAuditInput,
  listAuditInput,
} from './access/audit.js'
export type { Idempotency, IdempotentAnswer, IdempotentRequest, KeepAnswer } from './access/idempotency.js'
export { type IpRange, parseIpRange } from './access/ip-ranges.js'
export type { Limits } from './access/limits.js'
export { isAllowed, type Permission, permissions } from './access/permissions.js'
export {
  type LimitedKind,
  parseRateLimit,
  type Quota,
  type RateLimit,
  type RateLimitState,
} from './access/rate-limit.js'
export { Secret } from './access/secret.js'
export type { Serving } from './access/serving.js'
export type { Finish } from './alongside.js'
export {
  type Actor,
  type CaseSummary,
  type HistoryEntry,
  type Priorite,
  priorites,
  type Statut,
  statuts,
  type TypeProbleme,
  typesProbleme,
} from './cases/case.js'
export type { Cases, ClosedResult, ProofBundle } from './cases/cases.js'
export type { CaseDetail, Preuve, PvState } from './cases/detail.js'
export type { EvidenceEntry } from './cases/evidence.js'
export type { BrokenEvidence, EvidenceReport } from './cases/evidence-check.js'
export {
  type CloseCaseInput,
  type CreateCaseInput,
  closeCaseInput,
  createCaseInput,
  type ListCasesInput,
  listCasesInput,
  type ReopenCaseInput,
  reopenCaseInput,
  type UpdateCaseInput,
  updateCaseInput,
} from './cases/inputs.js'
export { formatReference, parseReference, type Reference } from './cases/reference.js'
export { type AccountInput, type Accounts, type AccountView, accountInput } from './directory/accounts.js'
export {
  type AddClientInput,
  addClientInput,
  type Clients,
  type ClientView,
  type ListClientsInput,
  listClientsInput,
  type UpdateClientInput,
  updateClientInput,
} from './directory/clients.js'
export { type PageInput, pageInput } from './directory/page.js'
export {
  type AddPoseurInput,
  addPoseurInput,
  type Poseurs,
  type PoseurView,
  type UpdatePoseurInput,
  updatePoseurInput,
} from './directory/poseurs.js'
export {
  CaseAlreadyClosedError,
  CaseNotFoundError,
  ConflictError,
  type FieldProblem,
  IdempotencyInProgressError,
  IdempotencyMismatchError,
  NotFoundError,
  SavError,
  type SavErrorCode,
  UnavailableError,
  ValidationError,
  VersionMismatchError,
} from './errors.js'
export { createSav, type ReportSettings, type Sav, type SavDeps, type UseCases, type WebhookSettings } from './sav.js'
export { parse } from './validation.js'
export { type DeliveryPage, type DeliveryView, type HistoryInput, historyInput } from './webhooks/deliveries.js'
export { type AttemptRecord, type DeliveryState, deliveryStates } from './webhooks/delivery.js'
export type { Dispatcher, DispatcherEvent } from './webhooks/dispatcher.js'
export {
  type AddEndpointInput,
  addEndpointInput,
  type EndpointView,
  type RotateSecretInput,
  rotateSecretInput,
  type UpdateEndpointInput,
  updateEndpointInput,
} from './webhooks/endpoints.js'
export { type AddressRule, addressRule, isRefusedHost, type ReceiverPolicy } from './webhooks/receiver-url.js'
export { type ReplayInput, type ReplayView, replayInput } from './webhooks/replays.js'
export {
  type DeliveryUpdate,
  decideAfterAttempt,
  type RetrySchedule,
  specifiedDelivery,
} from './webhooks/retry-schedule.js'
export { createSealer, keyIdOf, type Sealer } from './webhooks/sealing.js'
