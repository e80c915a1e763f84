import { type CommandOutput, type Context, jsonFile, textTable, usageError } from '@sav/command/feature'
import { type FieldProblem, ValidationError } from '@sav/core'
import { parse } from '@sav/core/feature'
import type { AbsencesView } from '../appointments/inputs.js'
import {
  absencesInput,
  competencesInput,
  defaultHoraires,
  type Horaires,
  horairesInput,
} from '../working-time/hours.js'
import { type LocalTime, localTimeOf } from './local-time.js'

export interface HoursOptions {
  /** A JSON file, or `-` for standard input. */
  readonly file?: string
  readonly reset?: boolean
}

/** Shows the hours of a poseur, after replacing them if a file is given. */
export async function poseurHours(context: Context, id: number, { file, reset }: HoursOptions): Promise<CommandOutput> {
  if (file !== undefined && reset) throw usageError('Give --file or --reset, not both.')
  const api = await context.api()
  const path = '/v1/planning/poseurs/{id}/horaires'
  const params = { id }
  const put = async (input: unknown) => (await api.put(path, { params, body: parse(horairesInput, input) })).data
  const horaires =
    file !== undefined
      ? await put(await jsonFile(context, '--file', file))
      : reset
        ? await put(defaultHoraires)
        : (await api.get(path, { params })).data
  return { json: horaires, text: hoursPage(context, horaires) }
}

function hoursPage({ terminal }: Context, { periodes, exceptions }: Horaires): string {
  const written = (plages: readonly { readonly debut: string; readonly fin: string }[] | undefined) =>
    plages?.map(({ debut, fin }) => `${debut}–${fin}`).join(' ') || 'free'
  const weeks = periodes.flatMap(({ du, au, semaine }) =>
    Object.entries(semaine).map(([jour, plages]) => [boundsOf(du, au), jour, written(plages)]),
  )
  const days = exceptions.map(({ date, plages }) => [date, 'exception', written(plages)])
  return textTable(terminal, ['WHEN', 'DAY', 'HOURS'], [...weeks, ...days], 'No hours: this poseur never works.')
}

function boundsOf(du: string | null, au: string | null): string {
  if (du === null) return au === null ? 'always' : `until ${au}`
  return au === null ? `from ${du}` : `${du} to ${au}`
}

export interface AbsencesOptions {
  /** A JSON file with all absences, or `-` for standard input. */
  readonly file?: string
  /** The start of one more absence. */
  readonly debut?: string
  readonly fin?: string
  readonly motif?: string
  readonly clear?: boolean
}

/** Shows the absences of a poseur, after replacing them, adding one, or removing all. */
export async function poseurAbsences(context: Context, id: number, options: AbsencesOptions): Promise<CommandOutput> {
  const { file, debut, fin, motif, clear = false } = options
  const one = debut !== undefined || fin !== undefined || motif !== undefined
  if ([file !== undefined, one, clear].filter(Boolean).length > 1)
    throw usageError('Give only one of these: --file, --debut with --fin, or --clear.')
  if (one && (debut === undefined || fin === undefined)) throw usageError('--debut and --fin come together.')
  const api = await context.api()
  const path = '/v1/planning/poseurs/{id}/absences'
  const params = { id }
  const get = async () => (await api.get(path, { params })).data
  const add = async (absence: object) =>
    put([...(await get()).absences, absence]).catch((error: unknown) => {
      throw error instanceof ValidationError ? new ValidationError(error.details.map(ofOne)) : error
    })
  const put = async (input: unknown) =>
    (await api.put(path, { params, body: { absences: [...parse(absencesInput, input)] } })).data
  const local = await localTimeOf(context, api)
  const at = (typed: string | undefined) => typed && local.instantOf(typed)
  const view =
    file !== undefined
      ? await put(await jsonFile(context, '--file', file))
      : clear
        ? await put([])
        : one
          ? await add({ debut: at(debut), fin: at(fin), motif })
          : await get()
  return { json: view, text: absencesPage(context, view, local) }
}

/** Names flags instead of fields of a list. */
const ofOne = ({ field, ...why }: FieldProblem): FieldProblem => ({
  field: field.replace(/^absences\[\d+\]\./, ''),
  ...why,
})

function absencesPage({ terminal }: Context, { absences, rdv }: AbsencesView, local: LocalTime): string {
  const at = (instant: string) => `${local.dateOf(instant)} ${local.timeOf(instant)}`
  const rows = absences.map(({ debut, fin, motif }) => [at(debut), at(fin), motif])
  const listed = textTable(terminal, ['FROM', `UNTIL (${local.timeZone})`, 'REASON'], rows, 'No absence.')
  const hit = rdv.map((each) => `Note: rdv ${each.id} on ${at(each.debut)} is during an absence: move or cancel it.`)
  return hit.length === 0 ? listed : [listed, '', ...hit].join('\n')
}

export interface SkillsOptions {
  /** Types of problem. A single empty text means all. */
  readonly set?: readonly string[]
}

/** Shows a poseur's skills, after replacing them if new ones are given. */
export async function poseurSkills(context: Context, id: number, { set }: SkillsOptions): Promise<CommandOutput> {
  const api = await context.api()
  const path = '/v1/planning/poseurs/{id}/competences'
  const params = { id }
  const named = set?.filter((each) => each !== '')
  const { data } = await (named === undefined
    ? api.get(path, { params })
    : api.put(path, { params, body: { competences: [...parse(competencesInput, named)] } }))
  const { competences } = data
  return { json: competences, text: competences.length === 0 ? 'Everything.' : competences.join(', ') }
}
