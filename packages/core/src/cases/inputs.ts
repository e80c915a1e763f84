import * as z from 'zod'
import { pageInput } from '../directory/page.js'
import { erasedText } from '../evidence/history-chain.js'
import { photo, photoFile, signature } from '../files/attachments.js'
import { letterChannels } from '../letters/letter.js'
import { issue } from '../refusals/reason.js'
import { idOf } from '../values/shape.js'
import { calendarDate, dateOrInstant, line, searched, text } from '../values/validation.js'
import { priorites, statuts, typesProbleme } from '../values/vocabulary.js'

/**
 * A new case: `description` of 10 to 2000 characters after trimming; at most 10 photos, each a base64 data URI (JPEG, PNG,
 * WebP or HEIC, 5 MiB decoded) or an http(s) link, which is never fetched.
 */
export const createCaseInput = z.strictObject({
  client_id: idOf('the client'),
  description: text({ min: 10, max: 2000, of: 'description' }),
  type_probleme: z.enum(typesProbleme).default('autre'),
  priorite: z.enum(priorites).default('normale'),
  photos: z.array(photo).max(10).default([]),
})
/** What `cases.create` takes. */
export type CreateCaseInput = z.input<typeof createCaseInput>

/**
 * At least one field; null takes the poseur or the notes (at most 5000 characters) away. Of a closed case only the notes may
 * change, and no case becomes `clos` by it.
 */
export const updateCaseInput = z
  .strictObject({
    statut: z.enum(statuts).optional(),
    poseur_id: idOf('the installer').nullable().optional(),
    notes_internes: text({ max: 5000 }).nullable().optional(),
    priorite: z.enum(priorites).optional(),
    type_probleme: z.enum(typesProbleme).optional(),
  })
  .refine((input) => Object.values(input).some((value) => value !== undefined), {
    message: issue('nothing_to_change', { fields: 'statut, poseur_id, notes_internes, priorite, type_probleme' }),
  })
  .meta({ minProperties: 1 })
/** What `cases.update` takes. */
export type UpdateCaseInput = z.input<typeof updateCaseInput>
export type CaseUpdate = z.output<typeof updateCaseInput>

/**
 * `resolution` of 10 to 4000 characters after trimming; at most 20 réserves of 1 to 500 each. Photos are base64 data URIs of
 * at most 5 MiB decoded; the signature is a PNG of at most 512 KiB and 2000×1000 pixels, which the account may require.
 */
export const closeCaseInput = z.strictObject({
  resolution: text({ min: 10, max: 4000 }),
  photo_avant: photoFile.optional(),
  photo_apres: photoFile.optional(),
  signature_client: signature.optional(),
  signataire_nom: line({ min: 1, max: 120 }).optional(),
  reserves: z
    .array(text({ min: 1, max: 500 }))
    .max(20)
    .default([]),
})
/** Of a case whose client was erased: no text, no file. */
export const closeErasedInput = z.strictObject({})
export const closingOfErased: CaseClosing = { resolution: erasedText, reserves: [] }

/** What `cases.close` takes. */
export type CloseCaseInput = z.input<typeof closeCaseInput>
export type CaseClosing = z.output<typeof closeCaseInput>

/** Why, in 10 to 1000 characters after trimming: the history keeps it. */
export const reopenCaseInput = z.strictObject({ motif: text({ min: 10, max: 1000 }) })
/** What `cases.reopen` takes. */
export type ReopenCaseInput = z.input<typeof reopenCaseInput>

/** The channel; without it every one that reaches the customer. */
export const sendReportInput = z.strictObject({ canal: z.enum(letterChannels).optional() })
/** What `cases.sendReport` takes. */
export type SendReportInput = z.input<typeof sendReportInput>

/** In the place of the id of a poseur: cases that nobody has. */
export const unassigned = 'aucun'

/**
 * Every filter given must hold. `poseur_id` may be `aucun`: cases that nobody has. `depuis` is a local day of creation, `modifie_depuis` a local day or an instant of the last
 * change, both inclusive. `recherche` has 1 to 200 characters, a letter or digit among them. A page has at most 200, 50 by
 * default.
 */
export const listCasesInput = z.strictObject({
  statut: z.enum(statuts).optional(),
  client_id: idOf('the client').optional(),
  poseur_id: z
    .union([idOf('the installer'), z.literal(unassigned)], { error: issue('not_a_poseur_or_none') })
    .optional(),
  depuis: calendarDate.optional(),
  modifie_depuis: dateOrInstant.optional(),
  priorite: z.enum(priorites).optional(),
  type_probleme: z.enum(typesProbleme).optional(),
  recherche: searched.optional(),
  ...pageInput.shape,
})
/** What `cases.list` takes. */
export type ListCasesInput = z.input<typeof listCasesInput>
