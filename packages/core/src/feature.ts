/**
 * What a feature is made of: the seam, and the parts of the core that its use cases are written with. A feature is a
 * value of `Feature` that `createSav({ features })` composes.
 */

export type { CaseClose, CaseHead, ChainedHistoryEntry, UsedPiece } from './cases/case.js'
export { usualCaseFields } from './cases/case-fields.js'
export type {
  CasesOf,
  ComposedFeature,
  Feature,
  FeatureParts,
  OnStorage,
  WritesOfFeatures,
} from './composition.js'
export type { DueTarget } from './delivery/delivery-queue.js'
export type { DeliveryUpdate } from './delivery/retry-schedule.js'
export { addPoseurInput, type ClientFields, type PoseurFields, unknownClient } from './directory/directory.js'
export type { ErasedAccount } from './directory/erased-account.js'
export { nowhere } from './directory/lieu.js'
export { fieldProblem, found } from './errors.js'
export type { NewFieldFact } from './field/fact.js'
export type { FollowUpRecord } from './follow-ups/follow-up.js'
export type { ImportedCase } from './moving/import-store.js'
export { missed, type RdvState } from './planning/appointments/rdv.js'
export type { CalendarAddress, CalendarOwner } from './planning/calendars/calendar-store.js'
export type { ReceiverRecord } from './receivers/receiver-health.js'
export { yieldToEventLoop } from './running/event-loop.js'
export type { Reads } from './storage.js'
export { type StoreToken, storeToken } from './store-token.js'
export { type BusinessCalendar, type CalendarOf, dayMs, toInstant, toMs } from './time/time.js'
export { type Input, type Lazy, lazily, type Output } from './values/lazily.js'
export { everyItem } from './values/paging.js'
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
export { calendarDate, parse, searched } from './values/validation.js'
export {
  type CaseOrder,
  caseOrders,
  priorites,
  statuts,
  type TypeProbleme,
  typesProbleme,
} from './values/vocabulary.js'
