export type { Actor } from './access/actor.js'
export type { ApiKeyView } from './access/api-key.js'
export type { CreateKeyInput, RollKeyInput } from './access/api-keys.js'
export type { ListAuditInput } from './access/audit.js'
export type { AuditView } from './access/audit-record.js'
export type { Permission } from './access/permissions.js'
export type { CaseDetail, CaseSummary, HistoryEntry, Intervention } from './cases/case.js'
export type {
  CloseCaseInput,
  CreateCaseInput,
  ListCasesInput,
  ReopenCaseInput,
  SendReportInput,
  UpdateCaseInput,
} from './cases/inputs.js'
export type { HistoryInput } from './delivery/deliveries.js'
export type { DeliveryDetail, DeliveryView } from './delivery/delivery.js'
export type { EventHandler, EventOf, HandlerContext } from './delivery/host-channel.js'
export type { ReplayView } from './delivery/replay.js'
export type { ReplayInput } from './delivery/replays.js'
export type { Worker } from './delivery/worker.js'
export type { ListClientsInput } from './directory/clients.js'
export type {
  AccountInput,
  AccountView,
  AddClientInput,
  AddPoseurInput,
  ClientView,
  PoseurView,
  UpdateClientInput,
  UpdatePoseurInput,
} from './directory/directory.js'
export type { Lieu } from './directory/lieu.js'
export {
  AnswerErasedError,
  CaseAlreadyClosedError,
  CaseNotFoundError,
  ClientErasedError,
  ConflictError,
  type FieldProblem,
  IdempotencyInProgressError,
  IdempotencyMismatchError,
  NotFoundError,
  type RefusalKind,
  SavError,
  SignInRefusedError,
  SlotTakenError,
  TooManyWaitingError,
  UnavailableError,
  ValidationError,
  VersionMismatchError,
} from './errors.js'
export type { EvidenceEntry } from './evidence/evidence.js'
export type { EvidenceReport } from './evidence/evidence-report.js'
export { DamagedFileError } from './files/intact-file.js'
export type { SavDeps } from './parts.js'
export type { Reason } from './refusals/reason.js'
export { createUseCases, type Sav, type UseCases, type Writes } from './sav.js'
export { createService, type Service, type ServiceDeps } from './service.js'
export type { EndpointView } from './webhooks/endpoint.js'
export type { AddEndpointInput, UpdateEndpointInput } from './webhooks/endpoints.js'
export { createWorker, type WorkerDeps, type WorkerEvent } from './worker.js'
export type { BeforeCommit, Write } from './write.js'
