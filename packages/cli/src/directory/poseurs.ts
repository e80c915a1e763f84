import type { PageInput } from '@sav/core'
import type { Context } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { table, withPages } from '../terminal/table.js'

export async function addPoseur(context: Context, { nom }: { readonly nom: string }): Promise<Output> {
  const { sav, actor } = await context.openAccount()
  const poseur = await sav.directory.poseurs.add(actor, { nom })
  return { json: poseur, text: `Added poseur ${poseur.id}: ${poseur.nom}.` }
}

export async function listPoseurs(context: Context, { limite, page }: PageInput): Promise<Output> {
  const { sav, account_id } = await context.openAccount()
  const found = await sav.directory.poseurs.list(account_id, { limite, page })
  const rows = found.items.map(({ id, nom, actif }) => [id, nom, actif ? 'active' : 'inactive'])
  const poseurs = table(context.terminal, ['ID', 'NOM', 'STATE'], rows, 'No poseur found.')
  return { json: found.items, text: withPages(poseurs, found) }
}
