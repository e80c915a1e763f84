import type { AdvisedRdvView, BookRdvInput, ChangeRdvInput, SlotsInput } from '@sav/core'
import type { RdvResultat } from '@sav/core/internal'
import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { table } from '../terminal/table.js'
import { rdvPage } from './days.js'
import { type LocalTime, localTimeOf } from './local-time.js'

export interface SlotsOptions {
  readonly duree: number
  readonly savId?: number
  readonly codePostal?: string
  readonly ville?: string
  readonly lat?: number
  readonly lon?: number
  readonly typeProbleme?: SlotsInput['type_probleme']
  readonly du?: string
  readonly au?: string
  readonly poseurId?: number
  readonly pas?: number
  readonly tampon?: number
  readonly delaiMin?: number
  readonly fenetre?: string
  readonly limite?: number
}

export async function listSlots(context: Context, options: SlotsOptions): Promise<Output> {
  const api = await context.api()
  const { savId, codePostal, typeProbleme, poseurId, delaiMin, duree, ville, lat, lon, ...rest } = options
  const { du, au, pas, tampon, fenetre, limite } = rest
  const { data: slots } = await api.get('/v1/planning/creneaux', {
    query: {
      ...{ duree, ville, lat, lon, du, au, pas, tampon, fenetre, limite },
      sav_id: savId,
      code_postal: codePostal,
      type_probleme: typeProbleme,
      poseur_id: poseurId,
      delai_min: delaiMin,
    },
  })
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

export interface BookOptions {
  readonly poseurId?: number
  readonly debut?: string
  readonly duree?: number
  readonly clientId?: number
  readonly savId?: number
  readonly jeton?: string
  readonly type?: BookRdvInput['type']
  readonly statut?: BookRdvInput['statut']
  readonly equipierId?: number[]
  readonly notes?: string
}

export async function bookRdv(context: Context, options: BookOptions): Promise<Output> {
  const api = await context.api()
  const local = await localTimeOf(context, api)
  const { poseurId, debut, duree, clientId, savId, jeton, type, statut, equipierId, notes } = options
  const body = {
    ...{ jeton, type, statut, notes },
    debut: debut && local.instantOf(debut),
    poseur_id: poseurId,
    duree_minutes: duree,
    client_id: clientId,
    sav_id: savId,
    equipiers: equipierId,
  }
  return told(context, local, (await api.post('/v1/planning/rdv', { body })).data)
}

export async function showRdv(context: Context, id: number): Promise<Output> {
  const api = await context.api()
  const { data: rdv } = await api.get('/v1/planning/{id}', { params: { id } })
  return { json: rdv, text: rdvPage(context, rdv, await localTimeOf(context, api)) }
}

export interface MoveOptions {
  readonly debut: string
  readonly duree?: number
  readonly poseurId?: number
}

export async function moveRdv(context: Context, id: number, { debut, duree, poseurId }: MoveOptions): Promise<Output> {
  const instantOf = async () => (await localTimeOf(context, await context.api())).instantOf(debut)
  return change(context, id, { debut: await instantOf(), duree_minutes: duree, poseur_id: poseurId })
}

export async function confirmRdv(context: Context, id: number): Promise<Output> {
  return change(context, id, { statut: 'confirme' })
}

export async function cancelRdv(context: Context, id: number, { motif }: { readonly motif: string }): Promise<Output> {
  return change(context, id, { statut: 'annule', motif_annulation: motif })
}

export interface DoneOptions {
  readonly resultat: RdvResultat
  readonly compteRendu?: string
}

export async function completeRdv(
  context: Context,
  id: number,
  { resultat, compteRendu }: DoneOptions,
): Promise<Output> {
  return change(context, id, { statut: 'realise', resultat, compte_rendu: compteRendu })
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
