import {
  type Column,
  CommandError,
  type CommandOutput,
  type Context,
  takenSlot,
  wholeList,
  wrapped,
} from '@sav/command/feature'
import { parse } from '@sav/core/feature'
import type { AdvisedRdvView, BookRdvInput, ChangeRdvInput } from '../appointments/inputs.js'
import { type SlotsInput, slotsInput } from '../slots/slot-input.js'
import { rdvPage } from './days.js'
import { type LocalTime, localTimeOf } from './local-time.js'

export async function listSlots(context: Context, query: SlotsInput): Promise<CommandOutput> {
  const api = await context.api()
  const { data: slots } = await api.get('/v1/planning/creneaux', { query })
  const local = await localTimeOf(context, api)
  const columns: Column<(typeof slots)[number]>[] = [
    { field: 'debut', head: 'DAY', cell: ({ debut }) => local.dayOf(debut), whole: true },
    { field: 'fin', head: 'TIME', cell: (slot) => local.hoursOf(slot), whole: true },
    { field: 'poseur', head: 'POSEUR', cell: ({ poseur }) => `${poseur.nom} (${poseur.id})` },
    { field: 'trajet_avant_minutes', head: 'TRAVEL', cell: (slot) => `${slot.trajet_avant_minutes} min`, whole: true },
    { field: 'trajet_ajoute_minutes', head: 'ADDED', cell: (slot) => `${slot.trajet_ajoute_minutes} min`, whole: true },
  ]
  const { json, text } = wholeList(context, { columns, empty: 'No free time found.' }, slots)
  if (slots.length === 0) return { json, text }
  const shown = `Times in ${local.timeZone}\n\n${text}`
  if (slots.length < parse(slotsInput, query).limite) return { json, text: shown }
  return { json, text: `${shown}\n\n${wrapped(`${slots.length} slots, ${narrower}`, context.terminal.columns)}` }
}

const narrower =
  'and there may be more: name a day (--du, --au), a poseur or hours (--fenetre), or ask for up to 200 (--limite).'

interface BookOptions extends Omit<BookRdvInput, 'duree_minutes' | 'equipiers'> {
  readonly duree?: number
  readonly equipier_id?: number[]
}

export async function bookRdv(
  context: Context,
  { debut, duree, equipier_id, ...options }: BookOptions,
): Promise<CommandOutput> {
  const api = await context.api()
  const local = await localTimeOf(context, api)
  const times = { debut: debut && local.instantOf(debut), duree_minutes: duree }
  const body = { ...options, ...times, equipiers: equipier_id }
  const { data: rdv } = await refusedLocally(local, api.post('/v1/planning/rdv', { body }))
  return told(context, local, rdv)
}

export async function showRdv(context: Context, id: number): Promise<CommandOutput> {
  const api = await context.api()
  const { data: rdv } = await api.get('/v1/planning/{id}', { params: { id } })
  return { json: rdv, text: rdvPage(context, rdv, await localTimeOf(context, api)) }
}

export interface MoveOptions {
  readonly debut: string
  readonly duree?: number
  readonly poseur_id?: number
}

export async function moveRdv(
  context: Context,
  id: number,
  { debut, duree, poseur_id }: MoveOptions,
): Promise<CommandOutput> {
  const instantOf = async () => (await localTimeOf(context, await context.api())).instantOf(debut)
  return change(context, id, { debut: await instantOf(), duree_minutes: duree, poseur_id })
}

export async function confirmRdv(context: Context, id: number): Promise<CommandOutput> {
  return change(context, id, { statut: 'confirme' })
}

export async function cancelRdv(
  context: Context,
  id: number,
  { motif }: { readonly motif: string },
): Promise<CommandOutput> {
  return change(context, id, { statut: 'annule', motif_annulation: motif })
}

export async function completeRdv(
  context: Context,
  id: number,
  visit: Pick<ChangeRdvInput, 'resultat' | 'compte_rendu'>,
): Promise<CommandOutput> {
  return change(context, id, { statut: 'realise', ...visit })
}

async function change(context: Context, id: number, body: ChangeRdvInput): Promise<CommandOutput> {
  const api = await context.api()
  const local = await localTimeOf(context, api)
  const { data: changed } = await refusedLocally(local, api.patch('/v1/planning/{id}', { params: { id }, body }))
  return told(context, local, changed)
}

/** Names the conflicting visit and the free times in local time. */
async function refusedLocally<T>(local: LocalTime, call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    const { data: taken } = takenSlot.safeParse(error instanceof CommandError ? error.more : error)
    if (taken === undefined) throw error
    const { conflit, alternatives } = taken
    const when = (time: Pick<typeof conflit, 'debut' | 'fin'>) =>
      `${local.dayOfYear(time.debut)} ${local.hoursOf(time)}`
    const lines = [
      `Rdv ${conflit.id} is in the way: ${when(conflit)} (${local.timeZone}).`,
      ...alternatives.map((free) => `Free instead: ${when(free)}, ${free.poseur.nom} (${free.poseur.id}).`),
    ]
    throw new CommandError('slot_taken', lines.join('\n'), { more: taken, cause: error })
  }
}

/** The appointment, with its notes. */
function told(context: Context, local: LocalTime, rdv: AdvisedRdvView): CommandOutput {
  const page = rdvPage(context, rdv, local)
  const notes = rdv.avertissements.map(({ message }) => `Note: ${message}`)
  return { json: rdv, text: notes.length === 0 ? page : [page, '', ...notes].join('\n') }
}
