// Written by scripts/lists.mjs, from the files beside it and below.
/** The output of each use case, as a schema. Routes form their answers with these schemas. */
export {
  keyShape as key,
  newKeyShape as newKey,
  rolledKeyShape as rolledKey,
} from './access/api-key.js'
export {
  auditedCallShape as auditedCall,
} from './access/audit-record.js'
export {
  viewShape as view,
} from './access/views.js'
export {
  whoShape as who,
} from './access/who.js'
export {
  caseSummaryShape as caseSummary,
  caseDetailShape as caseDetail,
  caseCreatedShape as caseCreated,
  commentShape as comment,
  addedPhotoShape as addedPhoto,
  caseClosedShape as caseClosed,
  reportSentShape as reportSent,
} from './cases/case.js'
export {
  proofShape as proof,
} from './cases/cases.js'
export {
  deliveryShape as delivery,
  deliveryDetailShape as deliveryDetail,
  activityShape as activity,
  deliveryHealthShape as deliveryHealth,
} from './delivery/delivery.js'
export {
  replayPreviewShape as replayPreview,
  replayShape as replay,
} from './delivery/replay.js'
export {
  accountShape as account,
  clientShape as client,
  poseurShape as poseur,
} from './directory/directory.js'
export {
  lieuShape as lieu,
} from './directory/lieu.js'
export {
  evidenceEntryShape as evidenceEntry,
} from './evidence/evidence.js'
export {
  closeCheckShape as closeCheck,
} from './evidence/printed-check.js'
export {
  readinessShape as readiness,
} from './readiness.js'
export {
  receiverHealthShape as receiverHealth,
} from './receivers/receiver-health.js'
export {
  endpointShape as endpoint,
  endpointWithHealthShape as endpointWithHealth,
  newEndpointShape as newEndpoint,
  newSecretShape as newSecret,
  testDeliveryShape as testDelivery,
  removedShape as removed,
} from './webhooks/endpoint.js'
