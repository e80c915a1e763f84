/**
 * What a feature imports: the interfaces, and the parts of the core that its use cases need. A feature is a value of
 * `Feature` that `createSav({ features })` composes.
 */

export { actorTypes } from './access/actor.js'
export { isInUse } from './access/api-key.js'
export { createKnownCredentials, type KnownCredentials } from './access/known-credentials.js'
export { createLastUse, type LastUse } from './access/last-use.js'
export { firstMissing, isAllowed, type PermissionDeclarations } from './access/permissions.js'
export type { AccountSummary, SignedInPerson } from './access/who.js'
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
export { addIntervention, changeCase as changeCaseIn } from './cases/case-changes.js'
export { type CaseFieldValues, caseFields, givenCaseFields, usualCaseFields } from './cases/case-fields.js'
export { type CloseDeps, closeIn, type VisitEnd } from './cases/case-writes.js'
export type { Cases } from './cases/cases.js'
export { signatureProblem } from './cases/checks.js'
export type { OnSiteClose } from './cases/closing.js'
export { detailIn, pvStateOf } from './cases/detail.js'
export type { OutsideErasure } from './cases/erasure.js'
export { historyEntry, type NamedChange, recordChange, statutChange } from './cases/history.js'
export {
  type CaseCloseRequest,
  type CaseUpdate,
  type CommentInput,
  closeCaseInput,
  commentInput,
} from './cases/inputs.js'
export { decideUpdate } from './cases/updating.js'
export type {
  CasesOf,
  ComposedFeature,
  Feature,
  FeatureLetters,
  FeatureParts,
  OnStorage,
  WorkerParts,
  WritesOfFeatures,
} from './composition.js'
export { isSecret, secretOf } from './crypto/prefixed-secrets.js'
export { type FindKey, keyIdOf } from './crypto/sealing.js'
export { type SignedTexts, signedTexts } from './crypto/signed-text.js'
export type { DueTarget } from './delivery/delivery-queue.js'
export { invitationEvent } from './delivery/letter-access.js'
export {
  type Emit,
  type EventDataOf,
  type EventDeclaration,
  type EventDeclarations,
  emitterOf,
} from './delivery/outbox.js'
export type { DeliveryUpdate } from './delivery/retry-schedule.js'
export type { KeptRows } from './delivery/upkeep.js'
export type { Job } from './delivery/worker.js'
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
export { refuseErased, saysNothing } from './directory/erased-client.js'
export { lieuInput, lieuShape, nowhere, placeLine } from './directory/lieu.js'
export { poseurFault } from './directory/poseurs.js'
export { found, type ProviderRefusal, refusalsOf, type Slot, type TakenTime } from './errors.js'
export { addendumLines } from './evidence/addenda.js'
export { filesNamed, nextEntry } from './evidence/evidence.js'
export { chained, erasedText, type HistoryHead, type HistoryPlace, noLine } from './evidence/history-chain.js'
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
export type { FeatureHooks, Hooks, KnownPerson, TargetName } from './hooks.js'
export { addressee, addressOf, channelsThatReach } from './letters/client-address.js'
export {
  companyName,
  companyNow,
  knownName,
  type LetterChannel,
  type RdvLetterKind,
  rdvLetterKinds,
} from './letters/letter.js'
export { type LetterWriter, NoLetter } from './letters/letter-channel.js'
export type { NoticeOf, Notify } from './letters/notices.js'
export { nodeCrypto, sha256Of } from './node-crypto.js'
export { type ReceiverRecord, stateOf } from './receivers/receiver-health.js'
export { filled, generalOf, issue, issueOf, type ParamsArgument, reason } from './refusals/reason.js'
export { sentences } from './refusals/sentences.js'
export { drawnForCaller } from './reports/report.js'
export { logoOf } from './reports/report-content.js'
export { yieldToEventLoop } from './running/event-loop.js'
export { createFairQueue, type FairQueue } from './running/fair-queue.js'
export { type PartToken, partToken, type SharedPart } from './shared-part.js'
export type { Reads } from './storage.js'
export { type StoreToken, storeToken } from './store-token.js'
export { clientName, endpointName } from './target-names.js'
export { corrected, happenedAt } from './time/happened.js'
export {
  type BusinessCalendar,
  businessCalendar,
  type CalendarOf,
  calendars,
  dayMs,
  hourMs,
  minuteMs,
  toInstant,
  toMs,
} from './time/time.js'
export { inkOn } from './values/contrast.js'
export {
  type Cursor,
  type CursorPage,
  cursor,
  cursorAfter,
  followsOrder,
  type ListOrder,
  listOrder,
  textInPlace,
} from './values/cursor.js'
export { foldEmail } from './values/folding.js'
export { escapedHtml, telephoneUrl } from './values/html.js'
export { type NewId, sha256Form } from './values/ids.js'
export { type Input, type Lazy, lazily, type Output } from './values/lazily.js'
export { everyItem, type ListPage, listPage, pageFields, pageOf } from './values/paging.js'
export { picked, said } from './values/picked.js'
export {
  changedFields,
  count,
  customer,
  eventVersion,
  examples,
  idOf,
  instant,
  named,
  ofFeatures,
  person,
  piece,
  reference,
  type Shape,
  slot,
  statut,
  typeProbleme,
  version,
} from './values/shape.js'
export { isSharedByTenants } from './values/shared-issuer.js'
export { dialled, e164 } from './values/telephone.js'
export {
  calendarDate,
  colour,
  emailAddress,
  id,
  integerAmong,
  line,
  nameOrId,
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
  type Role,
  rdvResultats,
  rdvStatuts,
  rdvTypes,
  roles,
  type Statut,
  statuts,
  type TypeProbleme,
  typesProbleme,
  type ZoneFeries,
} from './values/vocabulary.js'
export { isDisabledByService } from './webhooks/endpoint-health.js'
export type { AnyEventKind } from './webhooks/event-kind.js'
export { performing, preparedWrite, type WritesOf } from './write.js'
