export {
  caseClosedShape as caseClosed,
  caseCreatedShape as caseCreated,
  caseDetailShape as caseDetail,
  caseSummaryShape as caseSummary,
  reportSentShape as reportSent,
} from './cases/case.js'
export { accountShape as account, clientShape as client, poseurShape as poseur } from './directory/directory.js'
export { lieuShape as lieu } from './directory/lieu.js'
export {
  absencesShape as absences,
  advisedRdvShape as advisedRdv,
  competencesShape as competences,
  rdvShape as rdv,
} from './planning/inputs.js'
export {
  dayRoundsShape as dayRounds,
  optimisedRoundsShape as optimisedRounds,
  undoneShape as undone,
} from './planning/rounds/round-input.js'
export { horairesShape as horaires } from './planning/working-time/hours.js'
export * from './shape.js'
