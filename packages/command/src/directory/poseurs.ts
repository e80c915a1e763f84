import type { AddPoseurInput, PoseurView, Sav, UpdatePoseurInput } from '@sav/core'
import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { type LieuOptions, lieuLine, placed, type RetourOptions } from '../syntax/lieu.js'
import { emptied } from '../syntax/values.js'
import { type List, largestPage, listed } from '../terminal/listing.js'
import { fields } from '../terminal/table.js'

type ListPoseursInput = Parameters<Sav['directory']['poseurs']['list']>[1]

type Places = LieuOptions & RetourOptions

export async function addPoseur(context: Context, options: AddPoseurInput & Places): Promise<Output> {
  const { data: poseur } = await (await context.api()).post('/api/v1/poseurs', { body: placed(options) })
  return { json: poseur, text: `Added poseur ${poseur.id}: ${poseur.nom}.` }
}

export async function listPoseurs(
  context: Context,
  { all, ...query }: ListPoseursInput & { readonly all?: true },
): Promise<Output | undefined> {
  const api = await context.api()
  const list: List<PoseurView> = {
    largest: largestPage,
    get: (part) => api.get('/api/v1/poseurs', { query: { ...query, ...part } }),
    columns: [
      { field: 'id', head: 'ID', cell: ({ id }) => id, whole: true },
      { field: 'nom', head: 'NOM', cell: ({ nom }) => nom },
      { field: 'actif', head: 'STATE', cell: ({ actif }) => (actif ? 'active' : 'inactive') },
    ],
    empty: 'No poseur found.',
  }
  return listed(context, list, all)
}

export async function updatePoseur(context: Context, id: number, options: UpdatePoseurInput & Places): Promise<Output> {
  const { nom, ...others } = placed(options)
  const call = { params: { id }, body: { nom, ...emptied(others) } }
  const { data: poseur } = await (await context.api()).put('/api/v1/poseurs/{id}', call)
  const text = fields(context.terminal, [
    ['Poseur', poseur.id],
    ['Name', poseur.nom],
    ['E-mail', poseur.email],
    ['Colour', poseur.couleur],
    ['State', poseur.actif ? 'active' : 'inactive'],
    ['Place', lieuLine(poseur.lieu)],
    ['Return', lieuLine(poseur.lieu_retour)],
  ])
  return { json: poseur, text }
}
