import {
  type BusinessCalendar,
  clientFields,
  colour,
  emailAddress,
  givenCaseFields,
  issue,
  issueOf,
  lazily,
  line,
  notAmong,
  photo,
  photoFile,
  priorites,
  rdvTypes,
  signature,
  statuts,
  text,
  toInstant,
  toMs,
  typesProbleme,
} from '@sav/core/feature'
import type { StoredFile } from '@sav/core/ports'
import { minutesOf, usualBeginning } from '@sav/planning/feature'
import * as z from 'zod'
import type { ImportType } from './import-store.js'
import { issue as importIssue } from './refusals.js'
import {
  writtenEmails,
  writtenId,
  writtenInstant,
  writtenPriorite,
  writtenRdvType,
  writtenStatut,
  writtenTelephone,
  writtenTypeProbleme,
} from './written.js'

const earliestDay = '1990-01-01'
const dayMs = 86_400_000
const minuteMs = 60_000
/** The longest appointment. */
export const longestVisitMinutes = 720
const tooLong = { message: importIssue('import_visit_too_long', { max: longestVisitMinutes }) }

/** A cell with a word of a vocabulary, in any of its spellings. */
const word = <Word extends string>(words: readonly Word[], read: (text: string) => Word | null) =>
  z.string().transform((cell, context) => {
    const found = read(cell)
    if (found !== null) return found
    context.addIssue({ code: 'custom', message: issueOf(notAmong(words, cell)) })
    return z.NEVER
  })

const number = lazily(() =>
  z.union([
    z.int().positive(),
    z
      .string()
      .regex(/^[1-9]\d{0,15}$/, issue('not_an_integer'))
      .transform(Number),
  ]),
)

const yesOrNo = lazily(() =>
  word(['oui', 'non'], (cell) => {
    if (/^(oui|yes|true|vrai|1|x)$/i.test(cell.trim())) return 'oui'
    return /^(non|no|false|faux|0)$/i.test(cell.trim()) ? 'non' : null
  }),
)

const degrees = (max: number) => z.coerce.number().min(-max).max(max)

/** Joins a text of several lines into one, for example an address from another system. */
const joined = (max: number) =>
  z
    .string()
    .transform((written) =>
      written
        .split(/[\r\n]/)
        .map((each) => each.trim())
        .filter((each) => each !== '')
        .join(', '),
    )
    .pipe(line({ min: 1, max }))

/** A cell with one or several addresses, of which the first counts. */
const writtenEmail = lazily(() =>
  z
    .string()
    .transform((cell) => writtenEmails(cell)[0])
    .pipe(emailAddress()),
)

/** The id of a record in another system. */
const externalId = (max: number) =>
  z.coerce
    .string()
    .transform(writtenId)
    .pipe(line({ min: 1, max }))

const optional = <S extends z.ZodType>(schema: S) => schema.nullable().default(null)
/** Makes all of the fields optional. */
const optionalEach = <Fields extends Readonly<Record<string, z.ZodType>>>(
  fields: Fields,
): { [Name in keyof Fields]: z.ZodDefault<z.ZodNullable<Fields[Name]>> } =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)])) as never
const listed = <S extends z.ZodType>(schema: S, max: number) => z.array(schema).max(max).default([])

/** The non-empty fields: an empty cell means a missing one. */
export const filledIn = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== null))

const fileFields = ['photos', 'photo_avant', 'photo_apres', 'signature_client']

/** Whether a row has files, whose contents are read asynchronously. */
export const hasFiles = (fields: Readonly<Record<string, unknown>>): boolean =>
  fileFields.some((name) => fields[name] !== undefined)

interface Dates {
  readonly calendar: BusinessCalendar
  readonly earliest: string
  readonly latest: string
}

/** @param beginning the time for a date alone, in minutes after midnight */
const instantFrom = (dates: () => Dates, beginning?: number) =>
  z.string().transform((written, context) => {
    const { calendar, earliest } = dates()
    const found = writtenInstant(written.trim(), calendar, beginning)
    if (found !== null && found >= earliest) return found
    const message = importIssue(found === null ? 'not_written_as_date' : 'import_date_bounds')
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })

/** The columns of each kind of row. A field that a row omits is null or empty. */
function rowShapes(dates: () => Dates) {
  const instant = instantFrom(dates)
  const past = instant.refine((found) => found <= dates().latest, { message: importIssue('import_date_bounds') })
  const id_externe = optional(externalId(200))
  const ofClient = {
    client_id: optional(number()),
    client_id_externe: optional(externalId(200)),
    client_email: optional(writtenEmail()),
  }
  const reference_origine = optional(externalId(100))
  const poseur = optional(line({ min: 1, max: 120 }))
  const { lieu: _, ...ofPerson } = clientFields()
  const clients = {
    id_externe,
    ...optionalEach(ofPerson),
    nom: ofPerson.nom,
    email: optional(writtenEmail()),
    telephone: optional(
      z.coerce
        .string()
        .transform(writtenTelephone)
        .pipe(line({ min: 1, max: 40 })),
    ),
    ligne1: optional(joined(200)),
    code_postal: optional(line({ min: 1, max: 10 })),
    ville: optional(line({ min: 1, max: 100 })),
    acces: optional(text({ min: 1, max: 500 })),
    lat: optional(degrees(90)),
    lon: optional(degrees(180)),
    whatsapp: optional(yesOrNo()),
  }
  const poseurs = {
    id_externe,
    nom: line({ min: 1, max: 120 }),
    email: optional(writtenEmail()),
    couleur: optional(colour()),
    actif: optional(yesOrNo()),
  }
  const commentaire = z.object({
    date: past,
    auteur: line({ min: 1, max: 120 }),
    texte: text({ min: 1, max: 5000 }),
  })
  const cases = {
    id_externe,
    reference_origine,
    ...ofClient,
    description: text({ min: 1, max: 10_000 }),
    ...optionalEach(givenCaseFields()),
    type_probleme: optional(word(typesProbleme, writtenTypeProbleme)),
    priorite: optional(word(priorites, writtenPriorite)),
    statut: optional(word(statuts, writtenStatut)),
    date_creation: past,
    date_cloture: optional(past),
    resolution: optional(text({ min: 1, max: 4000 })),
    poseur,
    photo_avant: optional(photoFile()),
    photo_apres: optional(photoFile()),
    signature_client: optional(signature()),
    signataire_nom: optional(line({ min: 1, max: 120 })),
    reserves: listed(text({ min: 1, max: 500 }), 20),
    photos: listed(photo(), 10),
    commentaires: listed(commentaire, 1000),
  }
  const visits = {
    id_externe,
    reference_origine,
    ...ofClient,
    poseur,
    poseur_defaut: poseur,
    debut: instantFrom(dates, minutesOf(usualBeginning)),
    fin: optional(instant),
    duree_minutes: optional(number().refine((minutes) => minutes <= longestVisitMinutes, tooLong)),
    type: optional(word(rdvTypes, writtenRdvType)),
    notes: optional(text({ max: 2000 })),
  }
  return { clients, poseurs, cases, visits }
}

const withoutDates = lazily(() =>
  rowShapes(() => {
    throw new Error('These shapes read no dates.')
  }),
)

/** A row of a client, which has no dates. */
export const clientRow = lazily(() => z.object(withoutDates().clients))

/** The fields of each kind of row, the same in CSV and NDJSON. */
export const importFields = lazily((): Readonly<Record<ImportType, readonly string[]>> => {
  const { clients, poseurs, cases, visits } = withoutDates()
  return {
    clients: Object.keys(clients),
    poseurs: Object.keys(poseurs),
    cases: Object.keys(cases),
    visits: Object.keys(visits),
  }
})

/**
 * The schemas of imported rows (`filledIn`), with dates in the local time of `calendar`. Only a new record gets
 * defaults for omitted fields.
 * @param now instant, in milliseconds
 */
export function rowSchemas(calendar: BusinessCalendar, now: number) {
  const earliest = toInstant(calendar.timeOfDay(earliestDay, 0))
  const latest = toInstant(now + dayMs)
  const shapes = rowShapes(() => ({ calendar, earliest, latest }))
  /**
   * A close given as a day without a time may be on the day of the creation, which has a time. The close then gets the
   * time of the creation.
   */
  const notBefore = (date_creation: string, date_cloture: string | null) => {
    const midnight = toInstant(calendar.startOfDay(calendar.dateAt(toMs(date_creation))))
    return date_cloture === midnight ? date_creation : date_cloture
  }
  const cases = z
    .object(shapes.cases)
    .transform(({ statut, date_cloture, resolution, ...row }) => {
      const state = statut ?? (date_cloture === null ? null : 'clos')
      if (state !== 'clos') return { ...row, statut: state, date_cloture: null, resolution: null }
      return { ...row, statut: state, date_cloture: notBefore(row.date_creation, date_cloture), resolution }
    })
    .refine(({ date_cloture, date_creation }) => date_cloture === null || date_cloture >= date_creation, {
      path: ['date_cloture'],
      message: importIssue('import_closed_before'),
    })
  const visits = z
    .object(shapes.visits)
    .refine((row) => row.poseur !== null || row.poseur_defaut !== null, {
      path: ['poseur'],
      message: issue('required'),
    })
    .transform(({ fin, duree_minutes, poseur, poseur_defaut, ...row }) => ({
      ...row,
      poseur: poseur ?? poseur_defaut ?? '',
      // The default poseur is only used if the row names none.
      poseur_defaut: poseur === null ? poseur_defaut : null,
      fin: fin ?? (duree_minutes === null ? null : toInstant(toMs(row.debut) + duree_minutes * minuteMs)),
    }))
    .refine(({ debut, fin }) => fin === null || debut < fin, { path: ['fin'], message: issue('end_not_after_start') })
    .refine(({ debut, fin }) => fin === null || toMs(fin) - toMs(debut) <= longestVisitMinutes * minuteMs, {
      path: ['fin'],
      ...tooLong,
    })
  return { clients: z.object(shapes.clients), poseurs: z.object(shapes.poseurs), cases, visits }
}

export type Row<Type extends ImportType> = z.output<ReturnType<typeof rowSchemas>[Type]>

/** The files of a row. */
export function filesOfRow(row: Row<ImportType>): StoredFile[] {
  if (!('photos' in row)) return []
  const { photos, photo_avant, photo_apres, signature_client } = row
  const ofClose = [photo_avant, photo_apres, signature_client].filter((file) => file !== null)
  return [...photos.filter((photo) => 'content' in photo), ...ofClose]
}
