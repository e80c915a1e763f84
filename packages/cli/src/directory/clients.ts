import type { Context } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { confirm } from '../terminal/confirmation.js'
import { table, withPages } from '../terminal/table.js'

export interface AddClientOptions {
  readonly nom: string
  readonly prenom: string
  readonly email?: string
  readonly telephone?: string
  readonly adresse?: string
  readonly whatsapp?: boolean
}

export async function addClient(context: Context, options: AddClientOptions): Promise<Output> {
  const { sav, actor } = await context.openAccount()
  const { nom, prenom, email, telephone, adresse, whatsapp } = options
  const client = await sav.directory.clients.add(actor, { nom, prenom, email, telephone, adresse, whatsapp })
  return { json: client, text: `Added client ${client.id}: ${client.prenom} ${client.nom}.` }
}

export interface ListClientsOptions {
  readonly recherche?: string
  readonly limite?: number
  readonly page?: number
}

export async function listClients(context: Context, { recherche, limite, page }: ListClientsOptions): Promise<Output> {
  const { sav, account_id } = await context.openAccount()
  const found = await sav.directory.clients.list(account_id, { recherche, limite, page })
  const rows = found.items.map((client) => [
    client.id,
    client.nom,
    client.prenom,
    client.telephone,
    client.email,
    client.adresse,
  ])
  const clients = table(
    context.terminal,
    ['ID', 'NOM', 'PRENOM', 'TELEPHONE', 'EMAIL', 'ADRESSE'],
    rows,
    'No client found.',
  )
  return { json: found.items, text: withPages(clients, found) }
}

export async function eraseClient(context: Context, id: number, { yes }: { readonly yes?: boolean }): Promise<Output> {
  const { sav, account_id, actor } = await context.openAccount()
  const { nom, prenom } = await sav.directory.clients.get(account_id, id)
  const question = `Erase everything personal of client ${id} (${prenom} ${nom}), in every case, for good?`
  await confirm(context, { yes, question })
  const erased = await sav.directory.clients.erase(actor, id)
  return {
    json: erased,
    text: `Erased client ${id}. The chain of evidence tells of it; backups still hold what was erased.`,
  }
}
