import {
  type AddClientInput,
  type ClientView,
  type ListClientsInput,
  UnavailableError,
  type UpdateClientInput,
} from '@sav/core'
import { scrubErased } from '@sav/core/adapter'
import type { Context } from '../invocation/context.js'
import type { Output } from '../process/outcome.js'
import { type LieuOptions, lieuLine, placed } from '../syntax/lieu.js'
import { emptied } from '../syntax/values.js'
import { confirm } from '../terminal/confirmation.js'
import { type List, largestPage, listed } from '../terminal/listing.js'
import { progressLine } from '../terminal/progress-line.js'
import { fields } from '../terminal/table.js'

export async function addClient(context: Context, options: AddClientInput & LieuOptions): Promise<Output> {
  const { lieu_retour: _, ...given } = placed(options)
  const body = { ...given, prenom: given.prenom ?? '' }
  const { data: client } = await (await context.api()).post('/api/v1/clients', { body })
  return { json: client, text: `Added client ${client.id}: ${nameOf(client)}.` }
}

const nameOf = ({ prenom, nom }: Pick<ClientView, 'prenom' | 'nom'>) => `${prenom} ${nom}`.trim()

export async function showClient(context: Context, id: number): Promise<Output> {
  const api = await context.api()
  return clientPage(context, (await api.get('/api/v1/clients/{id}', { params: { id } })).data)
}

export async function updateClient(
  context: Context,
  id: number,
  options: UpdateClientInput & LieuOptions,
): Promise<Output> {
  const { nom, prenom, lieu_retour: _, ...others } = placed(options)
  const call = { params: { id }, body: { nom, prenom, ...emptied(others) } }
  return clientPage(context, (await (await context.api()).put('/api/v1/clients/{id}', call)).data)
}

/** Labels of fields; other fields are shown by their names. */
const labels: Readonly<Record<string, string>> = {
  ...{ id: 'Client', nom: 'Name', prenom: 'First name', raison_sociale: 'Company' },
  ...{ email: 'E-mail', telephone: 'Telephone', adresse: 'Address' },
}

function clientPage({ terminal }: Context, client: ClientView): Output {
  const { lieu, whatsapp, efface_le: _, ...plain } = client
  const text = fields(terminal, [
    ...Object.entries(plain).map(([name, value]) => [labels[name] ?? name, value || null] as const),
    ['Place', lieuLine(lieu)],
    ['Access', lieu?.acces ?? null],
    ['WhatsApp', whatsapp ? 'yes' : 'no'],
  ])
  return { json: client, text }
}

export async function listClients(
  context: Context,
  { all, ...query }: ListClientsInput & { readonly all?: true },
): Promise<Output | undefined> {
  const api = await context.api()
  const list: List<ClientView> = {
    largest: largestPage,
    get: (part) => api.get('/api/v1/clients', { query: { ...query, ...part } }),
    columns: [
      { field: 'id', head: 'ID', cell: ({ id }) => id, whole: true },
      { field: 'nom', head: 'NOM', cell: ({ nom }) => nom },
      { field: 'prenom', head: 'PRENOM', cell: ({ prenom }) => prenom },
      { field: 'telephone', head: 'TELEPHONE', cell: ({ telephone }) => telephone },
      { field: 'email', head: 'EMAIL', cell: ({ email }) => email },
      { field: 'adresse', head: 'ADRESSE', cell: ({ adresse }) => adresse },
    ],
    empty: 'No client found.',
  }
  return listed(context, list, all)
}

export async function eraseClient(context: Context, id: number, { yes }: { readonly yes?: boolean }): Promise<Output> {
  const api = await context.api()
  const params = { id }
  const { data: client } = await api.get('/api/v1/clients/{id}', { params })
  const question = `Erase all personal data of client ${id} (${nameOf(client)}), in every case, for good?`
  await confirm(context, { yes, question })
  const { data: erased } = await api.post('/api/v1/clients/{id}/effacer', { params })
  const isScrubbed = context.remote !== null || (await scrubbed(context))
  const later = isScrubbed
    ? ''
    : ' Another process is reading the store, so its files keep the erased data until a worker overwrites it, within the hour.'
  return {
    json: erased,
    text: `Erased client ${id}. The chain of evidence records it. Backups still hold what was erased.${later}`,
  }
}

/**
 * Overwrites erased data in the store's files. Resolves to false if the store is busy, for example read by another
 * process.
 */
async function scrubbed(context: Context): Promise<boolean> {
  const { storage } = await context.open()
  const line = progressLine(context)
  line.show('overwriting what was erased')
  try {
    await scrubErased(storage)
    return true
  } catch (error) {
    if (error instanceof UnavailableError) return false
    throw error
  } finally {
    line.clear()
  }
}
