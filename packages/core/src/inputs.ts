/** The input of each use case, as a schema: a route reads its body, query or path by one of them. */
export { createKeyInput as createKey, rollKeyInput as rollKey } from './access/api-keys.js'
export { listAuditInput as listAudit } from './access/audit.js'
export {
  addPhotosInput as addPhotos,
  closeCaseInput as closeCase,
  closeErasedInput as closeErased,
  commentInput as comment,
  createCaseInput as createCase,
  exportCasesInput as exportCases,
  listCasesInput as listCases,
  listCommentsInput as listComments,
  reopenCaseInput as reopenCase,
  sendReportInput as sendReport,
  updateCaseInput as updateCase,
} from './cases/inputs.js'
export { historyInput as history } from './delivery/deliveries.js'
export { replayInput as replay } from './delivery/replays.js'
export { listClientsInput as listClients } from './directory/clients.js'
export {
  accountInput as account,
  addClientInput as addClient,
  addPoseurInput as addPoseur,
  updateClientInput as updateClient,
  updatePoseurInput as updatePoseur,
} from './directory/directory.js'
export { fieldDayInput as fieldDay, fieldFileInput as fieldFile, ownSlotsInput as ownSlots } from './field/field.js'
export {
  beganInput as began,
  bookNextInput as bookNext,
  interventionInput as intervention,
  lateInput as late,
  missedInput as missed,
  takeBackInput as takeBack,
} from './field/inputs.js'
export {
  bookRdvInput as bookRdv,
  changeRdvInput as changeRdv,
  listRdvInput as listRdv,
} from './planning/appointments/inputs.js'
export { rdvAnswerInput as rdvAnswer } from './planning/customers/rdv-pages.js'
export {
  optimiseInput as optimise,
  replaceInput as replace,
  roundsInput as rounds,
  undoInput as undo,
} from './planning/rounds/round-input.js'
export { slotsInput as slots } from './planning/slots/slot-input.js'
export {
  absencesBody,
  absencesInput as absences,
  competencesBody,
  competencesInput as competences,
  horairesInput as horaires,
} from './planning/working-time/hours.js'
export { searchInput as search } from './search/search.js'
export { statisticsInput as statistics } from './statistics/statistics.js'
export { inviteInput as invite } from './users/invitations.js'
export { deviceInput as device } from './users/session.js'
export { addUserInput as addUser, updateUserInput as updateUser } from './users/user.js'
export { viewsInput as views } from './users/view.js'
export { pageInput as page } from './values/paging.js'
export {
  addEndpointInput as addEndpoint,
  rotateSecretInput as rotateSecret,
  updateEndpointInput as updateEndpoint,
} from './webhooks/endpoints.js'
