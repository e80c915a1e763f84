import type { AddPoseurInput, PoseurView, UpdatePoseurInput } from '@sav/core'
import type { PageInput } from '@sav/core/internal'
import type { Context } from '../invocation/context.js'
import { usageError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { type LieuOptions, lieuLine, placed, type RetourOptions } from '../syntax/lieu.js'
import { type List, largestPage, listed } from '../terminal/listing.js'
import { fields, table } from '../terminal/table.js'

type Places = LieuOptions & RetourOptions

export async function addPoseur(context: Context, options: AddPoseurInput & Places): Promise<Output> {
  const { data: poseur } = await (await context.api()).post('/api/v1/poseurs', { body: placed(options) })
  return { json: poseur, text: `Added poseur ${poseur.id}: ${poseur.nom}.` }
}

export async function listPoseurs(
  context: Context,
  { all, ...query }: PageInput & { readonly all?: true },
): Promise<Output | undefined> {
  const api = await context.api()
  const list: List<PoseurView> = {
    largest: largestPage,
    get: (part) => api.get('/api/v1/poseurs', { query: { ...query, ...part } }),
    tableOf: (poseurs) => {
      const rows = poseurs.map(({ id, nom, actif }) => [id, nom, actif ? 'active' : 'inactive'])
      return table(context.terminal, ['ID', 'NOM', 'STATE'], rows, 'No poseur found.')
    },
  }
  return listed(context, list, all)
}

export async function updatePoseur(context: Context, id: number, options: UpdatePoseurInput & Places): Promise<Output> {
  if (Object.keys(options).length === 0)
    throw usageError(
      'What shall change? --nom, --actif, --no-actif, a place (--ville …), a place of return (--retour-ville …).',
    )
  const call = { params: { id }, body: placed(options) }
  const { data: poseur } = await (await context.api()).put('/api/v1/poseurs/{id}', call)
  const text = fields(context.terminal, [
    ['Poseur', poseur.id],
    ['Nom', poseur.nom],
    ['State', poseur.actif ? 'active' : 'inactive'],
    ['Lieu', lieuLine(poseur.lieu)],
    ['Retour', lieuLine(poseur.lieu_retour)],
  ])
  return { json: poseur, text }
}
