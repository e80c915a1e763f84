export type { AnsweredRdv } from './fact.js'
export { type FieldCases, type FieldCaseWrites, type FieldFeature, field } from './field.js'
export type { Field } from './use-cases.js'
