import * as z from 'zod'
import { erasedText } from '../evidence/history-chain.js'
import { photo, photoFile, signature } from '../files/attachments.js'
import type { Inputs } from '../input-types.gen.js'
import { letterChannels } from '../letters/letter.js'
import { issue } from '../refusals/reason.js'
import { followsOrder, type ListOrder, listOrder, textInPlace } from '../values/cursor.js'
import { lazily, type Output } from '../values/lazily.js'
import { pageFields } from '../values/paging.js'
import { idOf } from '../values/shape.js'
import { calendarDate, dateOrInstant, id, line, pieceUsed, searched, shortText, text } from '../values/validation.js'
import { type CaseOrder, caseOrders, priorites, rdvResultats, statuts, typesProbleme } from '../values/vocabulary.js'
import { caseFields, givenCaseFields, newCaseFields } from './case-fields.js'

/**
 * A new case: `description` of 10 to 2000 characters after trimming; at most 10 photos, each a base64 data URI (JPEG,
 * PNG, WebP or HEIC, 5 MiB decoded) or an http(s) link, which is never fetched.
 */
export const createCaseInput = lazily(() =>
  z.strictObject({
    client_id: idOf('the client'),
    description: text({ min: 10, max: 2000, of: 'description' }),
    ...newCaseFields(),
    photos: z.array(photo()).max(10).default([]),
    poseur_id: idOf('the installer').nullable().optional().describe('The installer to assign, who must be active.'),
  }),
)
/** What `cases.create` takes. */
export type CreateCaseInput = Inputs['createCase']

/**
 * A change of a case, with at least one field. Null removes the poseur or the notes (at most 5000 characters). On a
 * closed case, only the notes can change. It cannot close a case.
 */
export const updateCaseInput = lazily(() =>
  z
    .strictObject({
      statut: z.enum(statuts).optional(),
      poseur_id: idOf('the installer').nullable().optional(),
      ...z.object(givenCaseFields()).partial().shape,
    })
    .refine((input) => Object.values(input).some((value) => value !== undefined), {
      message: issue('nothing_to_change', { fields: ['statut', 'poseur_id', ...caseFields].join(', ') }),
    })
    .meta({ minProperties: 1 }),
)
/** What `cases.update` takes. */
export type UpdateCaseInput = Inputs['updateCase']
/** A checked update of a case. */
export type CaseUpdate = Output<typeof updateCaseInput>

/**
 * The close of a case: `resolution` of 10 to 4000 characters after trimming; at most 20 réserves of 1 to 500 each.
 * Photos are base64 data URIs of at most 5 MiB decoded; the signature is a PNG of at most 512 KiB and 2000×1000 pixels,
 * which the account may require. `rdv_id` names an appointment of the case that becomes `realise`, with the resolution
 * as its report.
 */
export const closeCaseInput = lazily(() =>
  z
    .strictObject({
      resolution: text({ min: 10, max: 4000 }),
      photo_avant: photoFile().optional(),
      photo_apres: photoFile().optional(),
      signature_client: signature().optional(),
      signataire_nom: line({ min: 1, max: 120 }).optional(),
      reserves: z
        .array(text({ min: 1, max: 500 }))
        .max(20)
        .default([]),
      rdv_id: idOf('the appointment of this case that the close ends').optional(),
      resultat: z.enum(rdvResultats).optional().describe('The result of that appointment; by default `resolu`.'),
      pieces: z.array(pieceUsed()).max(50).optional().describe('The parts used at that appointment.'),
    })
    .check(({ value, issues }) => {
      if (value.rdv_id !== undefined) return
      for (const field of ['resultat', 'pieces'] as const)
        if (value[field] !== undefined)
          issues.push({ code: 'custom', path: [field], message: issue('only_with_rdv'), input: value })
    }),
)
/** The close of a case whose client was erased: no text, no file. */
export const closeErasedInput = lazily(() => z.strictObject({}))
export const closingOfErased: CaseCloseRequest = { resolution: erasedText, reserves: [] }

/** What `cases.close` takes. */
export type CloseCaseInput = Inputs['closeCase']
/** A checked close. */
export type CaseCloseRequest = Output<typeof closeCaseInput>

/** A comment of 1 to 5000 characters after trimming. */
export const commentInput = lazily(() => z.strictObject({ texte: text({ min: 1, max: 5000 }) }))
/** What `cases.comment` takes. */
export type CommentInput = Inputs['comment']

/** A page of comments, newest first, at most 200, 50 by default. */
export const listCommentsInput = lazily(() =>
  z.strictObject({
    limite: pageFields().limite,
    curseur: shortText(16)
      .regex(/^[1-9]\d*$/, issue('not_a_cursor'))
      .transform(Number)
      .optional()
      .describe('The `curseur` of the previous page.'),
  }),
)
/** What `cases.comments` takes. */
export type ListCommentsInput = Inputs['listComments']

/** 1 to 10 photos, as for a new case, with the appointment of the case at which they were taken. */
export const addPhotosInput = lazily(() =>
  z.strictObject({
    photos: z.array(photo()).min(1).max(10),
    rdv_id: idOf('the appointment at which they were taken').optional(),
  }),
)
/** What `cases.addPhotos` takes. */
export type AddPhotosInput = Inputs['addPhotos']

/** The reason for reopening a case, which the history shows: 10 to 1000 characters after trimming. */
export const reopenCaseInput = lazily(() => z.strictObject({ motif: text({ min: 10, max: 1000 }) }))
/** What `cases.reopen` takes. */
export type ReopenCaseInput = Inputs['reopenCase']

/** The channel that sends the report; by default every channel that reaches the customer. */
export const sendReportInput = lazily(() =>
  z.strictObject({
    canal: z
      .string()
      .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,32}$/u, issue('not_one_line'))
      .meta({ enum: [...letterChannels] })
      .optional(),
  }),
)
/** What `cases.sendReport` takes. */
export type SendReportInput = Inputs['sendReport']

/** The value of the filter `poseur_id` for cases without a poseur. */
export const unassigned = 'aucun'

/** What can happen to a case in a period; a filter of the list. */
export const caseHappenings = ['clos', 'rouvert', 'visite', 'revisite'] as const

/** The value of the filter `statut` for all cases that are not closed. */
export const notClosed = 'non_clos'

/**
 * Filters, all of which must match. `poseur_id` may be `aucun`: cases without a poseur. `depuis` is a local day of
 * creation, `modifie_depuis` a local day or an instant of the last change, both inclusive. `recherche` has 1 to 200
 * characters, with a letter or digit. A page has at most 200, 50 by default.
 */
const caseFilters = lazily(() => ({
  statut: z.enum([...statuts, notClosed]).optional(),
  client_id: idOf('the client').optional(),
  poseur_id: z
    .union([idOf('the installer'), z.literal(unassigned)], { error: issue('not_a_poseur_or_none') })
    .optional(),
  depuis: calendarDate().optional(),
  modifie_depuis: dateOrInstant().optional(),
  priorite: z.enum(priorites).optional(),
  type_probleme: z.enum(typesProbleme).optional(),
  recherche: searched().optional(),
  jusque: calendarDate().optional().describe('Created on this local day or earlier.'),
  age_min: z.int().min(0).max(100_000).optional().describe('Created at least this number of days ago.'),
  age_max: z.int().min(1).max(100_000).optional().describe('Created less than this number of days ago.'),
  ville: searched().optional().describe('Words of the name, the address or the town of the client.'),
  telephone: searched().optional().describe("The client's telephone number or its beginning, in any notation."),
  survenu: z
    .enum(caseHappenings)
    .optional()
    .describe(
      'What happened from `du` to `au`: closed (and not reopened since), reopened, a first visit, or another visit.',
    ),
  visite_par: idOf('the installer who visited from `du` to `au`').optional(),
  du: calendarDate().optional().describe('The first local day for `survenu` and `visite_par`.'),
  au: calendarDate().optional().describe('The last local day for `survenu` and `visite_par`.'),
  tri: z
    .enum(caseOrders)
    .default('-date_creation')
    .describe('With `-` the largest first. By `ville`, cases without a town come last.'),
}))

const rank = lazily(() => z.int().min(0).max(priorites.length))

/** Each order of the list, with the schemas of the values that make up a position. The last value is the id. */
export const caseListOrders: { readonly [tri in CaseOrder]: ListOrder } = {
  '-date_creation': listOrder('cases -date_creation', textInPlace, id),
  date_creation: listOrder('cases date_creation', textInPlace, id),
  '-date_modification': listOrder('cases -date_modification', textInPlace, id),
  date_modification: listOrder('cases date_modification', textInPlace, id),
  '-priorite': listOrder('cases -priorite', rank, id),
  priorite: listOrder('cases priorite', rank, id),
  client: listOrder('cases client', textInPlace, id),
  '-client': listOrder('cases -client', textInPlace, id),
  ville: listOrder('cases ville', textInPlace, id),
  '-ville': listOrder('cases -ville', textInPlace, id),
}

export const listCasesInput = lazily(() =>
  z
    .strictObject({ ...caseFilters(), ...pageFields() })
    .check(followsOrder(({ tri }: { readonly tri: CaseOrder }) => caseListOrders[tri])),
)
/** What `cases.list` takes. */
export type ListCasesInput = Inputs['listCases']

/** The filters and the order of `listCasesInput`. */
export const exportCasesInput = lazily(() => z.strictObject(caseFilters()))
/** What `cases.export` takes. */
export type ExportCasesInput = Inputs['exportCases']
export type CaseFilters = Output<typeof exportCasesInput>

/** The most rows of an export. For more, read the list page by page. */
export const maxExported = 20_000
