/**
 * What a feature is made of: the seam, and the parts of the core that its use cases are written with. A feature is a
 * value of `Feature` that `createSav({ features })` composes.
 */

export { addComments, appendPhotos } from './cases/additions.js'
export {
  type CaseClose,
  type CaseHead,
  type ChainedHistoryEntry,
  type Comment,
  caseDetailShape,
  commentShape,
  type UsedPiece,
} from './cases/case.js'
export { type CaseFieldValues, caseFields, givenCaseFields, usualCaseFields } from './cases/case-fields.js'
export { type CloseDeps, closeIn } from './cases/case-writes.js'
export type { Cases } from './cases/cases.js'
export { signatureProblem } from './cases/checks.js'
export type { OnSiteClose } from './cases/closing.js'
export { detailIn } from './cases/detail.js'
export { historyEntry, recordChange, statutChange } from './cases/history.js'
export {
  type CaseCloseRequest,
  type CaseUpdate,
  type CommentInput,
  closeCaseInput,
  commentInput,
} from './cases/inputs.js'
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
export { type FindKey, keyIdOf } from './crypto/sealing.js'
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
export { conflict, fieldProblem, found, refusalsOf, type Slot } from './errors.js'
export { addendumLines } from './evidence/addenda.js'
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
export { photo, photoBytes, photoFile, sentImage, signature } from './files/attachments.js'
export { intact } from './files/intact-file.js'
export type { FollowUpRecord } from './follow-ups/follow-up.js'
export { nodeCrypto, sha256Of } from './node-crypto.js'
export { type ApplyDeps, applyChange } from './planning/appointments/applying.js'
export { daysAfter } from './planning/appointments/days.js'
export { type OnSiteReport, refuseWhileBooked, tellItsCase } from './planning/appointments/effects.js'
export {
  advisedRdvShape,
  bookRdvInput,
  changeRdvInput,
  type RdvChange,
  rdvExample,
  rdvShape,
} from './planning/appointments/inputs.js'
export { decideChange } from './planning/appointments/moving.js'
export { followUp, moment } from './planning/appointments/office-news.js'
export { personsIn } from './planning/appointments/parties.js'
export {
  type Bilan,
  isEnd,
  isStanding,
  missed,
  movedFrom,
  overlaps,
  personsOf,
  type RdvState,
  rdvView,
  takesPlace,
} from './planning/appointments/rdv.js'
export { bookIn } from './planning/booking.js'
export type { CalendarAddress, CalendarOwner } from './planning/calendars/calendar-store.js'
export type { Planning } from './planning/planning.js'
export { rdvWrites } from './planning/planning-writes.js'
export { slotsInput } from './planning/slots/slot-input.js'
export { type SlotOffers, slotOffers } from './planning/slots/slot-offers.js'
export type { SlotTokens } from './planning/slots/slot-token.js'
export { minutesOf, usualBeginning } from './planning/working-time/hours.js'
export type { ReceiverRecord } from './receivers/receiver-health.js'
export { issue, issueOf, type ParamsArgument, reason } from './refusals/reason.js'
export { drawnForCaller } from './reports/report.js'
export { yieldToEventLoop } from './running/event-loop.js'
export type { Reads } from './storage.js'
export { type StoreToken, storeToken } from './store-token.js'
export { corrected, happenedAt } from './time/happened.js'
export { type BusinessCalendar, type CalendarOf, dayMs, toInstant, toMs } from './time/time.js'
export { deviceInput, deviceShape } from './users/session.js'
export { foldEmail } from './values/folding.js'
export { sha256Form } from './values/ids.js'
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
  slot,
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
  pieceUsed,
  problemsIn,
  problemsOf,
  searched,
  shortText,
  text,
  writtenInstant,
} from './values/validation.js'
export {
  type CaseOrder,
  caseOrders,
  type Priorite,
  priorites,
  type RdvStatut,
  type RdvType,
  rdvResultats,
  rdvStatuts,
  rdvTypes,
  type Statut,
  statuts,
  type TypeProbleme,
  typesProbleme,
} from './values/vocabulary.js'
export { type AnyEventKind, ofFeatures } from './webhooks/event-kind.js'
export { performing, preparedWrite, type WritesOf } from './write.js'
