export { keyShape as key, newKeyShape as newKey, rolledKeyShape as rolledKey } from './access/api-key.js'
export { auditedCallShape as auditedCall } from './access/audit-record.js'
export {
  addedPhotoShape as addedPhoto,
  caseClosedShape as caseClosed,
  caseCreatedShape as caseCreated,
  caseDetailShape as caseDetail,
  caseSummaryShape as caseSummary,
  commentShape as comment,
  reportSentShape as reportSent,
} from './cases/case.js'
export { proofShape as proof } from './cases/cases.js'
export {
  activityShape as activity,
  deliveryDetailShape as deliveryDetail,
  deliveryHealthShape as deliveryHealth,
  deliveryShape as delivery,
} from './delivery/delivery.js'
export { replayPreviewShape as replayPreview, replayShape as replay } from './delivery/replay.js'
export { accountShape as account, clientShape as client, poseurShape as poseur } from './directory/directory.js'
export { lieuShape as lieu } from './directory/lieu.js'
export { evidenceEntryShape as evidenceEntry } from './evidence/evidence.js'
export { closeCheckShape as closeCheck } from './evidence/printed-check.js'
export { fieldDayShape as fieldDay } from './field/day.js'
export { answeredRdvShape as answeredRdv, constatShape as constat } from './field/fact.js'
export { doneFollowUpShape as doneFollowUp, followUpShape as followUp } from './follow-ups/follow-up.js'
export {
  absencesShape as absences,
  advisedRdvShape as advisedRdv,
  competencesShape as competences,
  rdvShape as rdv,
} from './planning/appointments/inputs.js'
export {
  dayRoundsShape as dayRounds,
  optimisedRoundsShape as optimisedRounds,
  replacedShape as replaced,
  undoneShape as undone,
} from './planning/rounds/round-input.js'
export { horairesShape as horaires } from './planning/working-time/hours.js'
export { foundShape as found } from './search/search.js'
export { statisticsShape as statistics } from './statistics/statistics.js'
export { invitationShape as invitation } from './users/invitations.js'
export { deviceShape as device, sessionShape as session, whoShape as who } from './users/session.js'
export { userShape as user } from './users/user.js'
export { viewShape as view } from './users/view.js'
export * from './values/lazily.js'
export * from './values/shape.js'
export {
  endpointShape as endpoint,
  endpointWithHealthShape as endpointWithHealth,
  newEndpointShape as newEndpoint,
  newSecretShape as newSecret,
  removedShape as removed,
  testDeliveryShape as testDelivery,
} from './webhooks/endpoint.js'
