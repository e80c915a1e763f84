// Written by scripts/lists.mjs, from the files beside it and below.
/** The input of each use case, as a schema. Routes parse their bodies, queries and paths with these schemas. */
export {
  createKeyInput as createKey,
  rollKeyInput as rollKey,
} from './access/api-keys.js'
export {
  listAuditInput as listAudit,
} from './access/audit.js'
export {
  viewsInput as views,
} from './access/views.js'
export {
  createCaseInput as createCase,
  updateCaseInput as updateCase,
  closeCaseInput as closeCase,
  closeErasedInput as closeErased,
  commentInput as comment,
  listCommentsInput as listComments,
  addPhotosInput as addPhotos,
  reopenCaseInput as reopenCase,
  sendReportInput as sendReport,
  listCasesInput as listCases,
  exportCasesInput as exportCases,
} from './cases/inputs.js'
export {
  historyInput as history,
} from './delivery/deliveries.js'
export {
  replayInput as replay,
  listReplaysInput as listReplays,
} from './delivery/replays.js'
export {
  accountLimitsInput as accountLimits,
} from './directory/accounts.js'
export {
  listClientsInput as listClients,
} from './directory/clients.js'
export {
  accountInput as account,
  addClientInput as addClient,
  updateClientInput as updateClient,
  addPoseurInput as addPoseur,
  updatePoseurInput as updatePoseur,
} from './directory/directory.js'
export {
  lieuInput as lieu,
} from './directory/lieu.js'
export {
  listPoseursInput as listPoseurs,
} from './directory/poseurs.js'
export {
  addEndpointInput as addEndpoint,
  takeOverEndpointInput as takeOverEndpoint,
  updateEndpointInput as updateEndpoint,
  rotateSecretInput as rotateSecret,
} from './webhooks/endpoints.js'
