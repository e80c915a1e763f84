export {
  caseClosedShape as caseClosed,
  caseCreatedShape as caseCreated,
  caseDetailShape as caseDetail,
  caseSummaryShape as caseSummary,
  reportSentShape as reportSent,
} from './cases/case.js'
export { accountShape as account, clientShape as client, poseurShape as poseur } from './directory/directory.js'
export { lieuShape as lieu } from './directory/lieu.js'
export * from './shape.js'
