/**
 * What a feature is made of: the seam, and the parts of the core that its use cases are written with. A feature is a
 * value of `Feature` that `createSav({ features })` composes.
 */

export type { CaseClose, CaseHead, ChainedHistoryEntry, Comment, UsedPiece } from './cases/case.js'
export { type CaseFieldValues, caseFields, givenCaseFields, usualCaseFields } from './cases/case-fields.js'
export { historyEntry, recordChange, statutChange } from './cases/history.js'
export type { CaseUpdate } from './cases/inputs.js'
export { decideUpdate } from './cases/updating.js'
export {
  type CasesOf,
  type ComposedFeature,
  type Feature,
  type FeatureHooks,
  type FeatureParts,
  kindsOf,
  type OnStorage,
  sentencesOf,
  type WritesOfFeatures,
} from './composition.js'
export type { DueTarget } from './delivery/delivery-queue.js'
export { type EventDeclaration, type EventDeclarations, emitterOf } from './delivery/outbox.js'
export type { DeliveryUpdate } from './delivery/retry-schedule.js'
export { lockCasesOf } from './directory/clients.js'
export {
  addClientInput,
  addPoseurInput,
  type ClientFields,
  clientFields,
  type PoseurFields,
  unknownClient,
} from './directory/directory.js'
export type { ErasedAccount } from './directory/erased-account.js'
export { nowhere } from './directory/lieu.js'
export { fieldProblem, found, refusalsOf } from './errors.js'
export { filesNamed, nextEntry } from './evidence/evidence.js'
export { chained, type HistoryHead, type HistoryPlace, noLine } from './evidence/history-chain.js'
export {
  type DigestedCase,
  digestOfClosing,
  digestOfImported,
  type ImportedClose,
  importReference,
  importSnapshot,
} from './evidence/imported.js'
export type { NewFieldFact } from './field/fact.js'
export { photo, photoFile, signature } from './files/attachments.js'
export type { FollowUpRecord } from './follow-ups/follow-up.js'
export { sha256Of } from './node-crypto.js'
export { refuseWhileBooked } from './planning/appointments/effects.js'
export {
  type Bilan,
  isStanding,
  missed,
  movedFrom,
  overlaps,
  personsOf,
  type RdvState,
  takesPlace,
} from './planning/appointments/rdv.js'
export type { CalendarAddress, CalendarOwner } from './planning/calendars/calendar-store.js'
export { minutesOf, usualBeginning } from './planning/working-time/hours.js'
export type { ReceiverRecord } from './receivers/receiver-health.js'
export { issue, issueOf, type ParamsArgument } from './refusals/reason.js'
export { yieldToEventLoop } from './running/event-loop.js'
export type { Reads } from './storage.js'
export { type StoreToken, storeToken } from './store-token.js'
export { type BusinessCalendar, type CalendarOf, dayMs, toInstant, toMs } from './time/time.js'
export { foldEmail } from './values/folding.js'
export { type Input, type Lazy, lazily, type Output } from './values/lazily.js'
export { everyItem } from './values/paging.js'
export { picked, said } from './values/picked.js'
export {
  count,
  customer,
  examples,
  idOf,
  instant,
  named,
  person,
  reference,
  type Shape,
  statut,
  typeProbleme,
} from './values/shape.js'
export { dialled, e164 } from './values/telephone.js'
export {
  calendarDate,
  emailAddress,
  line,
  notAmong,
  parse,
  problemsIn,
  problemsOf,
  searched,
  text,
} from './values/validation.js'
export {
  type CaseOrder,
  caseOrders,
  type Priorite,
  priorites,
  type RdvType,
  rdvTypes,
  type Statut,
  statuts,
  type TypeProbleme,
  typesProbleme,
} from './values/vocabulary.js'
export { type AnyEventKind, ofFeatures } from './webhooks/event-kind.js'
export { performing, preparedWrite, type WritesOf } from './write.js'
