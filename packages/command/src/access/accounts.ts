import type { AccountInput, AccountView, Sav } from '@sav/core'
import type { ErasedAccount } from '@sav/core/adapter'
import type { SavClient } from '@sav/http-node/client'
import type { Context } from '../invocation/context.js'
import { CommandError, usageError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { cliActor, localCaller } from '../store/local-actor.js'
import { imageDataUri } from '../syntax/input-file.js'
import { type LieuOptions, lieuLine, placed } from '../syntax/lieu.js'
import { emptied } from '../syntax/values.js'
import { type Column, wholeList } from '../terminal/columns.js'
import { peopleTime } from '../terminal/people-time.js'
import { fields } from '../terminal/table.js'
import { counted } from '../terminal/terminal.js'

export async function addAccount(context: Context, name: string): Promise<Output> {
  const { sav, perform } = await context.open()
  const account = await perform(name, sav.writes.accounts.add(cliActor(name), name), `account:${name}`)
  return { json: account, text: `Added the account ${account.id}. To work in it, use --account ${account.id}.` }
}

export interface ListAccountsOptions {
  readonly search?: string
  /** Lists the erased accounts, with what remains of each, instead of the existing ones. */
  readonly erased?: boolean
}

export async function listAccounts(context: Context, { search, erased }: ListAccountsOptions): Promise<Output> {
  const { sav } = await context.open()
  if (erased) return listErased(context, await sav.accounts.erased())
  const accounts = await sav.accounts.list({ recherche: search })
  const local = peopleTime(context)
  const columns: Column<(typeof accounts)[number]>[] = [
    { field: 'id', head: 'NAME', cell: ({ id }) => id },
    { field: 'created_at', head: `CREATED (${local.timeZone})`, cell: (row) => local.at(row.created_at), whole: true },
    { field: 'signature_requise', head: 'SIGNATURE', cell: (row) => (row.signature_requise ? 'required' : 'optional') },
    { field: 'raison_sociale', head: 'COMPANY', cell: (row) => row.raison_sociale },
    { field: 'desactive_le', head: 'DISABLED', cell: (row) => row.desactive_le && local.at(row.desactive_le) },
  ]
  const empty = search === undefined ? 'No account yet.' : `No account is called ${search}.`
  return wholeList(context, { columns, empty }, accounts)
}

function listErased(context: Context, accounts: readonly ErasedAccount[]): Output {
  const local = peopleTime(context)
  const columns: Column<ErasedAccount>[] = [
    { field: 'id', head: 'NAME', cell: ({ id }) => id },
    {
      field: 'date',
      head: `ERASED (${local.timeZone})`,
      cell: (row) => (row.date === null ? 'not ended' : local.at(row.date)),
      whole: true,
    },
    { field: 'sequence', head: 'LAST ENTRY', cell: (row) => row.sequence, whole: true },
    { field: 'hash_entree', head: 'HASH', cell: (row) => row.hash_entree, whole: true },
    { field: 'begun_by', head: 'BY', cell: (row) => row.chain_erased_by ?? row.begun_by },
    { field: 'chain_erased_at', head: 'HASHES', cell: (row) => (row.chain_erased_at === null ? 'kept' : 'erased') },
  ]
  return wholeList(context, { columns, empty: 'No account was erased.' }, accounts)
}

export async function disableAccount(context: Context, name: string): Promise<Output> {
  const account = await changed(context, name, 'disable')
  const text = `Disabled the account ${name}: its keys and sessions end within a second, and its deliveries wait. \`sav accounts enable ${name}\` brings it back.`
  return { json: account, text }
}

export async function enableAccount(context: Context, name: string): Promise<Output> {
  const account = await changed(context, name, 'enable')
  return {
    json: account,
    text: `Enabled the account ${name}: its keys work again, and its waiting deliveries are sent.`,
  }
}

async function changed(context: Context, name: string, change: 'disable' | 'enable'): Promise<AccountView> {
  const { sav, actor, perform } = await context.openAccount(name)
  return perform(sav.writes.accounts[change](actor), `account:${name}`)
}

export async function limitAccount(
  context: Context,
  name: string,
  options: Parameters<Sav['accounts']['limit']>[1],
): Promise<Output> {
  const { sav, actor, perform } = await context.openAccount(name)
  const account = await perform(sav.writes.accounts.limit(actor, emptied(options)), `account:${name}`)
  const text = fields(context.terminal, [
    ['Account', name],
    ['Cases a month', account.dossiers_par_mois === null ? 'no limit' : String(account.dossiers_par_mois)],
    ['Storage', account.stockage_octets === null ? 'no limit' : `${account.stockage_octets} bytes`],
  ])
  return { json: account, text }
}

export interface EraseAccountOptions {
  readonly confirm?: string
  readonly everything?: boolean
}

export async function eraseAccount(
  context: Context,
  name: string,
  { confirm, everything = false }: EraseAccountOptions,
): Promise<Output> {
  const { sav, storage } = await context.open()
  if ((await storage.reads.erasedAccounts.find(name)) === null) await context.openAccount(name)
  if (confirm !== name) throw usageError(unconfirmed(name, confirm))
  const erased = await sav.accounts.erase(name, { everything, by: localCaller() })
  const left = erased.chain_erased_at === null ? 'The hashes of its chain are kept' : 'The end of its chain is kept'
  const end =
    erased.sequence === null ? 'It never closed a case' : `${left}: ${counted(erased.sequence, 'entry', 'entries')}`
  const text = `Erased the account ${name}. ${end}. Its name can never be used again. Earlier backups still hold its data.`
  return { json: erased, text }
}

const unconfirmed = (name: string, confirm: string | undefined) =>
  `${confirm === undefined ? '' : `--confirm ${confirm} is not ${name}. `}This deletes all data of the account ${name} for good, files included. To keep a copy: \`sav export -o DIR --account ${name}\`. Confirm with --confirm ${name}.`

export async function showAccount(context: Context, name: string | undefined): Promise<Output> {
  const api = await apiOf(context, name)
  const { data: account } = await api.get('/api/v1/compte')
  return { json: account, text: describeAccount(context, account) }
}

/** @param options the fields to change; `logo` is the path of an image */
export async function updateAccount(
  context: Context,
  name: string | undefined,
  options: AccountInput & LieuOptions,
): Promise<Output> {
  const api = await apiOf(context, name)
  const logo = options.logo ? await imageDataUri(context, '--logo', options.logo) : options.logo
  const textes_terrain = options.textes_terrain?.filter((text) => text !== '')
  const body = emptied({ ...placed(options), logo, textes_terrain })
  const { data: account } = await api.put('/api/v1/compte', { body })
  return { json: account, text: describeAccount(context, account) }
}

/** @param name default: the account of `--account`, or that of the API key */
async function apiOf(context: Context, name: string | undefined): Promise<SavClient> {
  const api = await context.api(name)
  if (context.remote === null || name === undefined) return api
  const { id } = (await api.get('/api/v1/compte')).data
  if (id === name) return api
  throw new CommandError('account_not_found', `The key belongs to the account ${id}, and cannot read ${name}.`)
}

function describeAccount(
  { terminal }: Context,
  account: Omit<AccountView, 'logo' | 'created_at' | 'desactive_le'> & { readonly logo: boolean },
): string {
  return fields(terminal, [
    ['Account', account.id],
    ['Company', account.raison_sociale],
    ['Address', account.adresse],
    ['SIRET', account.siret],
    ['E-mail', account.email],
    ['Telephone', account.telephone],
    ['Insurer', account.assureur],
    ['Mediator', account.mediateur],
    ['Logo', account.logo ? 'yes' : null],
    ['Colour', account.couleur],
    ['Signature', account.signature_requise ? 'required' : 'optional'],
    ['Confirmations', account.confirmation_rdv ? 'on' : 'off'],
    ['Reminders', account.rappel_rdv ? 'on' : 'off'],
    ['Office notices', account.prevenir_bureau ? 'on' : 'off'],
    ['Place', lieuLine(account.lieu)],
    ['Holidays', account.zone_feries],
    ['Time zone', account.fuseau],
    ['Step', `${account.pas} minutes`],
    ['E-mails from', account.nom_expediteur],
    ['Answers to', account.repondre_a],
    ['Public URL', account.url_publique],
    ['Field texts', account.textes_terrain.join(' | ')],
  ])
}
