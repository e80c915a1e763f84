import type { PageInput } from '@sav/core'
import { usageError } from '../invocation/command-error.js'
import type { Context } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { type LieuOptions, lieuOf } from '../syntax/lieu.js'
import { listing } from '../terminal/listing.js'
import { fields, table } from '../terminal/table.js'

export interface AddPoseurOptions extends LieuOptions {
  readonly nom: string
  readonly email?: string
  readonly couleur?: string
}

export async function addPoseur(context: Context, options: AddPoseurOptions): Promise<Output> {
  const { sav, actor } = await context.openAccount()
  const { nom, email, couleur } = options
  const poseur = await sav.directory.poseurs.add(actor, { nom, email, couleur, lieu: lieuOf(options) })
  return { json: poseur, text: `Added poseur ${poseur.id}: ${poseur.nom}.` }
}

export async function listPoseurs(context: Context, { limite, page }: PageInput): Promise<Output> {
  const { sav, account_id } = await context.openAccount()
  const found = await sav.directory.poseurs.list(account_id, { limite, page })
  const rows = found.items.map(({ id, nom, actif }) => [id, nom, actif ? 'active' : 'inactive'])
  const poseurs = table(context.terminal, ['ID', 'NOM', 'STATE'], rows, 'No poseur found.')
  return listing(found, poseurs)
}

export interface UpdatePoseurOptions {
  readonly nom?: string
  readonly actif?: boolean
}

export async function updatePoseur(context: Context, id: number, options: UpdatePoseurOptions): Promise<Output> {
  const { nom, actif } = options
  const changes = { ...(nom !== undefined && { nom }), ...(actif !== undefined && { actif }) }
  if (Object.keys(changes).length === 0) throw usageError('What shall change? --nom, --actif, --no-actif.')
  const { sav, actor } = await context.openAccount()
  const poseur = await sav.directory.poseurs.update(actor, id, changes)
  const text = fields(context.terminal, [
    ['Poseur', poseur.id],
    ['Nom', poseur.nom],
    ['State', poseur.actif ? 'active' : 'inactive'],
  ])
  return { json: poseur, text }
}
