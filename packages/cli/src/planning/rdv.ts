import type { AdvisedRdvView, BookRdvInput, ChangeRdvInput, SlotsInput } from '@sav/core'
import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { table } from '../terminal/table.js'
import { rdvPage } from './days.js'
import { type LocalTime, localTimeOf } from './local-time.js'

export async function listSlots(context: Context, query: SlotsInput): Promise<Output> {
  const api = await context.api()
  const { data: slots } = await api.get('/v1/planning/creneaux', { query })
  const local = await localTimeOf(context, api)
  const rows = slots.map(({ debut, fin, poseur, trajet_avant_minutes, trajet_ajoute_minutes, jeton }) => [
    local.dayOf(debut),
    local.hoursOf({ debut, fin }),
    `${poseur.nom} (${poseur.id})`,
    `${trajet_avant_minutes} min`,
    `${trajet_ajoute_minutes} min`,
    jeton,
  ])
  // A token is of use only whole: the last column may be cut.
  const shown = rows.map((row) => row.slice(0, -1))
  const listed = table(context.terminal, ['DAY', 'TIME', 'POSEUR', 'TRAVEL', 'ADDED'], shown, 'No free time found.')
  const text = `Times in ${local.timeZone}\n\n${listed}`
  return { json: slots, text: rows.length === 0 ? listed : text }
}

interface BookOptions extends Omit<BookRdvInput, 'duree_minutes' | 'equipiers'> {
  readonly duree?: number
  readonly equipier_id?: number[]
}

export async function bookRdv(
  context: Context,
  { debut, duree, equipier_id, ...options }: BookOptions,
): Promise<Output> {
  const api = await context.api()
  const local = await localTimeOf(context, api)
  const times = { debut: debut && local.instantOf(debut), duree_minutes: duree }
  const { data: rdv } = await api.post('/v1/planning/rdv', { body: { ...options, ...times, equipiers: equipier_id } })
  return told(context, local, rdv)
}

export async function showRdv(context: Context, id: number): Promise<Output> {
  const api = await context.api()
  const { data: rdv } = await api.get('/v1/planning/{id}', { params: { id } })
  return { json: rdv, text: rdvPage(context, rdv, await localTimeOf(context, api)) }
}

export interface MoveOptions {
  readonly debut: string
  readonly duree?: number
  readonly poseur_id?: number
}

export async function moveRdv(context: Context, id: number, { debut, duree, poseur_id }: MoveOptions): Promise<Output> {
  const instantOf = async () => (await localTimeOf(context, await context.api())).instantOf(debut)
  return change(context, id, { debut: await instantOf(), duree_minutes: duree, poseur_id })
}

export async function confirmRdv(context: Context, id: number): Promise<Output> {
  return change(context, id, { statut: 'confirme' })
}

export async function cancelRdv(context: Context, id: number, { motif }: { readonly motif: string }): Promise<Output> {
  return change(context, id, { statut: 'annule', motif_annulation: motif })
}

export async function completeRdv(
  context: Context,
  id: number,
  visit: Pick<ChangeRdvInput, 'resultat' | 'compte_rendu'>,
): Promise<Output> {
  return change(context, id, { statut: 'realise', ...visit })
}

async function change(context: Context, id: number, body: ChangeRdvInput): Promise<Output> {
  const api = await context.api()
  const { data: changed } = await api.patch('/v1/planning/{id}', { params: { id }, body })
  return told(context, await localTimeOf(context, api), changed)
}

/** It, and what to know of it. */
function told(context: Context, local: LocalTime, rdv: AdvisedRdvView): Output {
  const page = rdvPage(context, rdv, local)
  const notes = rdv.avertissements.map((sentence) => `Note: ${sentence}`)
  return { json: rdv, text: notes.length === 0 ? page : [page, '', ...notes].join('\n') }
}
