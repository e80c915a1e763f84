import * as z from 'zod'
import { photo, photoFile, signature } from '../files/attachments.js'
import { letterChannels } from '../letters/letter.js'
import { calendarDate, dateOrInstant, id, searched, text } from '../validation.js'
import { priorites, statuts, typesProbleme } from '../vocabulary.js'

export const createCaseInput = z.strictObject({
  client_id: id,
  description: text({ min: 10, max: 2000 }),
  type_probleme: z.enum(typesProbleme).default('autre'),
  priorite: z.enum(priorites).default('normale'),
  photos: z.array(photo).max(10).default([]),
})
export type CreateCaseInput = z.input<typeof createCaseInput>

export const updateCaseInput = z
  .strictObject({
    statut: z.enum(statuts).optional(),
    poseur_id: id.nullable().optional(),
    notes_internes: text({ max: 5000 }).nullable().optional(),
    priorite: z.enum(priorites).optional(),
    type_probleme: z.enum(typesProbleme).optional(),
  })
  .refine((input) => Object.values(input).some((value) => value !== undefined), {
    message: 'at least one of statut, poseur_id, notes_internes, priorite, type_probleme',
  })
  .meta({ minProperties: 1 })
export type UpdateCaseInput = z.input<typeof updateCaseInput>
export type CaseUpdate = z.output<typeof updateCaseInput>

export const closeCaseInput = z.strictObject({
  resolution: text({ min: 10, max: 4000 }),
  photo_avant: photoFile.optional(),
  photo_apres: photoFile.optional(),
  signature_client: signature.optional(),
  signataire_nom: text({ min: 1, max: 120 }).optional(),
  reserves: z
    .array(text({ min: 1, max: 500 }))
    .max(20)
    .default([]),
})
export type CloseCaseInput = z.input<typeof closeCaseInput>
export type CaseClosing = z.output<typeof closeCaseInput>

export const reopenCaseInput = z.strictObject({ motif: text({ min: 10, max: 1000 }) })
export type ReopenCaseInput = z.input<typeof reopenCaseInput>

export const sendReportInput = z.strictObject({ canal: z.enum(letterChannels).optional() })
export type SendReportInput = z.input<typeof sendReportInput>

export const listCasesInput = z.strictObject({
  statut: z.enum(statuts).optional(),
  client_id: id.optional(),
  poseur_id: id.optional(),
  depuis: calendarDate.optional(),
  modifie_depuis: dateOrInstant.optional(),
  priorite: z.enum(priorites).optional(),
  type_probleme: z.enum(typesProbleme).optional(),
  recherche: searched.optional(),
  limite: z.int().min(1).max(200).default(50),
  page: z.int().min(1).max(1_000_000_000).default(1),
})
export type ListCasesInput = z.input<typeof listCasesInput>
