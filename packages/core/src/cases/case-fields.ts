import * as z from 'zod'
import { lazily } from '../values/lazily.js'
import { priorite, typeProbleme } from '../values/shape.js'
import { text } from '../values/validation.js'
import { priorites, typesProbleme } from '../values/vocabulary.js'

/**
 * The fields of a case that people fill in. Inputs, the detail, changes and their history, SQL statements, imports and
 * exports follow from these lists. Fields covered by evidence are listed separately: see closing-fields.ts.
 */
export const caseFields = ['type_probleme', 'priorite', 'notes_internes'] as const satisfies (keyof CaseFieldValues)[]

/** The schemas of these fields in answers. */
export const shownCaseFields = lazily(() => ({
  type_probleme: typeProbleme(),
  priorite: priorite(),
  notes_internes: z.string().nullable(),
}))
/** The values of caseFields. */
export type CaseFieldValues = {
  readonly [Name in keyof ReturnType<typeof shownCaseFields>]: z.output<ReturnType<typeof shownCaseFields>[Name]>
}

/** The defaults of a new case. */
export const usualCaseFields: CaseFieldValues = { type_probleme: 'autre', priorite: 'normale', notes_internes: null }

/** The schemas of these fields in inputs, with their bounds. */
export const givenCaseFields = lazily(() => ({
  type_probleme: z.enum(typesProbleme),
  priorite: z.enum(priorites),
  notes_internes: text({ max: 5000 }).nullable(),
}))

/** The fields that a new case may set. */
export const newCaseFields = lazily(() => ({
  type_probleme: givenCaseFields().type_probleme.default(usualCaseFields.type_probleme),
  priorite: givenCaseFields().priorite.default(usualCaseFields.priorite),
}))
