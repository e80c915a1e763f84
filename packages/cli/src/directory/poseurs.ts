import type { Lieu, PoseurView } from '@sav/core'
import type { PageInput } from '@sav/core/internal'
import type { Context } from '../invocation/context.js'
import { usageError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { type LieuOptions, lieuOf, type RetourOptions, retourOf } from '../syntax/lieu.js'
import { largestPage } from '../syntax/options.js'
import { everything, type Listed, listing, type Pagination } from '../terminal/listing.js'
import { fields, table } from '../terminal/table.js'

export interface AddPoseurOptions extends LieuOptions, RetourOptions {
  readonly nom: string
  readonly email?: string
  readonly couleur?: string
}

export async function addPoseur(context: Context, options: AddPoseurOptions): Promise<Output> {
  const { nom, email, couleur } = options
  const body = { nom, email, couleur, lieu: lieuOf(options), lieu_retour: retourOf(options) }
  const { data: poseur } = await (await context.api()).post('/api/v1/poseurs', { body })
  return { json: poseur, text: `Added poseur ${poseur.id}: ${poseur.nom}.` }
}

export async function listPoseurs(
  context: Context,
  { all, limite, page }: PageInput & { readonly all?: true },
): Promise<Output | undefined> {
  const api = await context.api()
  const look = async (query: PageInput) => poseursListed(context, await api.get('/api/v1/poseurs', { query }))
  return all ? everything<number>(context, (next) => look({ limite: largestPage, page: next })) : look({ limite, page })
}

function poseursListed(
  context: Context,
  found: { readonly data: readonly PoseurView[]; readonly pagination: Pagination },
): Listed<number> {
  const rows = found.data.map(({ id, nom, actif }) => [id, nom, actif ? 'active' : 'inactive'])
  const listed = table(context.terminal, ['ID', 'NOM', 'STATE'], rows, 'No poseur found.')
  return listing(found, listed)
}

export interface UpdatePoseurOptions extends LieuOptions, RetourOptions {
  readonly nom?: string
  readonly actif?: boolean
}

export async function updatePoseur(context: Context, id: number, options: UpdatePoseurOptions): Promise<Output> {
  const { nom, actif } = options
  const changes = { nom, actif, lieu: lieuOf(options), lieu_retour: retourOf(options) }
  if (Object.values(changes).every((change) => change === undefined))
    throw usageError(
      'What shall change? --nom, --actif, --no-actif, a place (--ville …), a place of return (--retour-ville …).',
    )
  const call = { params: { id }, body: changes }
  const { data: poseur } = await (await context.api()).put('/api/v1/poseurs/{id}', call)
  const text = fields(context.terminal, [
    ['Poseur', poseur.id],
    ['Nom', poseur.nom],
    ['State', poseur.actif ? 'active' : 'inactive'],
    ['Lieu', placeLine(poseur.lieu)],
    ['Retour', placeLine(poseur.lieu_retour)],
  ])
  return { json: poseur, text }
}

const placeLine = (lieu: Lieu | null) =>
  [lieu?.ligne1, lieu?.code_postal, lieu?.ville].filter(Boolean).join(', ') || null
