import type { ClientView } from '@sav/core'
import type { PageInput } from '@sav/core/internal'
import type { Context } from '../invocation/context.js'
import { usageError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { type LieuOptions, lieuOf } from '../syntax/lieu.js'
import { largestPage } from '../syntax/options.js'
import { confirm } from '../terminal/confirmation.js'
import { everything, type Listed, listing, type Pagination } from '../terminal/listing.js'
import { fields, table } from '../terminal/table.js'

export interface AddClientOptions extends LieuOptions {
  readonly nom: string
  readonly prenom: string
  readonly email?: string
  readonly telephone?: string
  readonly adresse?: string
  readonly whatsapp?: boolean
}

export async function addClient(context: Context, options: AddClientOptions): Promise<Output> {
  const { nom, prenom, email, telephone, adresse, whatsapp } = options
  const body = { nom, prenom, email, telephone, adresse, lieu: lieuOf(options), whatsapp }
  const { data: client } = await (await context.api()).post('/api/v1/clients', { body })
  return { json: client, text: `Added client ${client.id}: ${client.prenom} ${client.nom}.` }
}

export async function showClient(context: Context, id: number): Promise<Output> {
  const api = await context.api()
  return clientPage(context, (await api.get('/api/v1/clients/{id}', { params: { id } })).data)
}

export interface UpdateClientOptions {
  readonly nom?: string
  readonly prenom?: string
  /** Empty: none. */
  readonly email?: string
  readonly telephone?: string
  readonly adresse?: string
  readonly whatsapp?: boolean
}

export async function updateClient(context: Context, id: number, options: UpdateClientOptions): Promise<Output> {
  const { nom, prenom, email, telephone, adresse, whatsapp } = options
  const changes = {
    ...(nom !== undefined && { nom }),
    ...(prenom !== undefined && { prenom }),
    ...(email !== undefined && { email: email || null }),
    ...(telephone !== undefined && { telephone: telephone || null }),
    ...(adresse !== undefined && { adresse: adresse || null }),
    ...(whatsapp !== undefined && { whatsapp }),
  }
  if (Object.keys(changes).length === 0)
    throw usageError('What shall change? --nom, --prenom, --email, --telephone, --adresse, --whatsapp.')
  const api = await context.api()
  return clientPage(context, (await api.put('/api/v1/clients/{id}', { params: { id }, body: changes })).data)
}

function clientPage({ terminal }: Context, client: ClientView): Output {
  const text = fields(terminal, [
    ['Client', client.id],
    ['Nom', client.nom],
    ['Prénom', client.prenom],
    ['E-mail', client.email],
    ['Téléphone', client.telephone],
    ['Adresse', client.adresse],
    ['WhatsApp', client.whatsapp ? 'oui' : 'non'],
  ])
  return { json: client, text }
}

export interface ListClientsOptions {
  readonly recherche?: string
  readonly limite?: number
  readonly page?: number
  /** Every page of it. */
  readonly all?: true
}

export async function listClients(context: Context, options: ListClientsOptions): Promise<Output | undefined> {
  const api = await context.api()
  const { recherche, all, limite, page } = options
  const look = async (asked: PageInput) =>
    clientsListed(context, await api.get('/api/v1/clients', { query: { recherche, ...asked } }))
  return all ? everything<number>(context, (next) => look({ limite: largestPage, page: next })) : look({ limite, page })
}

function clientsListed(
  context: Context,
  found: { readonly data: readonly ClientView[]; readonly pagination: Pagination },
): Listed<number> {
  const rows = found.data.map((client) => [
    client.id,
    client.nom,
    client.prenom,
    client.telephone,
    client.email,
    client.adresse,
  ])
  const listed = table(
    context.terminal,
    ['ID', 'NOM', 'PRENOM', 'TELEPHONE', 'EMAIL', 'ADRESSE'],
    rows,
    'No client found.',
  )
  return listing(found, listed)
}

export async function eraseClient(context: Context, id: number, { yes }: { readonly yes?: boolean }): Promise<Output> {
  const api = await context.api()
  const params = { id }
  const { nom, prenom } = (await api.get('/api/v1/clients/{id}', { params })).data
  const question = `Erase everything personal of client ${id} (${prenom} ${nom}), in every case, for good?`
  await confirm(context, { yes, question })
  const { data: erased } = await api.post('/api/v1/clients/{id}/effacer', { params })
  return {
    json: erased,
    text: `Erased client ${id}. The chain of evidence tells of it; backups still hold what was erased.`,
  }
}
