import type { AccountInput, AccountView } from '@sav/core'
import type { SavClient } from '@sav/http-node/client'
import type { Context } from '../invocation/context.js'
import { CommandError } from '../process/command-error.js'
import type { Output } from '../process/outcome.js'
import { cliActor } from '../store/local-actor.js'
import { imageDataUri } from '../syntax/input-file.js'
import { type LieuOptions, lieuLine, placed } from '../syntax/lieu.js'
import { emptied } from '../syntax/values.js'
import { type Column, wholeList } from '../terminal/columns.js'
import { peopleTime } from '../terminal/people-time.js'
import { fields } from '../terminal/table.js'

export async function addAccount(context: Context, name: string): Promise<Output> {
  const { sav, perform } = await context.open()
  const account = await perform(name, sav.writes.accounts.add(cliActor(name), name), `account:${name}`)
  return { json: account, text: `Added the account ${account.id}: name it with --account ${account.id}.` }
}

export async function listAccounts(context: Context): Promise<Output> {
  const { sav } = await context.open()
  const accounts = await sav.accounts.list()
  const local = peopleTime(context)
  const columns: Column<(typeof accounts)[number]>[] = [
    { field: 'id', head: 'NAME', cell: ({ id }) => id },
    { field: 'created_at', head: `CREATED (${local.timeZone})`, cell: (row) => local.at(row.created_at), whole: true },
    { field: 'signature_requise', head: 'SIGNATURE', cell: (row) => (row.signature_requise ? 'required' : 'optional') },
    { field: 'raison_sociale', head: 'RAISON SOCIALE', cell: (row) => row.raison_sociale },
  ]
  return wholeList(context, { columns, empty: 'No account yet.' }, accounts)
}

export async function showAccount(context: Context, name: string | undefined): Promise<Output> {
  const api = await apiOf(context, name)
  const { data: account } = await api.get('/api/v1/compte')
  return { json: account, text: describeAccount(context, account) }
}

/** @param options with the file of the logo */
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

/** @param name without it the account of `--account`, or that of the key */
async function apiOf(context: Context, name: string | undefined): Promise<SavClient> {
  const api = await context.api(name)
  if (context.remote === null || name === undefined) return api
  const { id } = (await api.get('/api/v1/compte')).data
  if (id === name) return api
  throw new CommandError('account_not_found', `The key belongs to the account ${id}, and cannot read ${name}.`)
}

function describeAccount(
  { terminal }: Context,
  account: Omit<AccountView, 'logo' | 'created_at'> & { readonly logo: boolean },
): string {
  return fields(terminal, [
    ['Account', account.id],
    ['Raison sociale', account.raison_sociale],
    ['Adresse', account.adresse],
    ['SIRET', account.siret],
    ['E-mail', account.email],
    ['Telephone', account.telephone],
    ['Assureur', account.assureur],
    ['Médiateur', account.mediateur],
    ['Logo', account.logo ? 'yes' : null],
    ['Signature', account.signature_requise ? 'required' : 'optional'],
    ['Confirmations', account.confirmation_rdv ? 'on' : 'off'],
    ['Reminders', account.rappel_rdv ? 'on' : 'off'],
    ['Office told', account.prevenir_bureau ? 'on' : 'off'],
    ['Lieu', lieuLine(account.lieu)],
    ['Holidays', account.zone_feries],
    ['Time zone', account.fuseau],
    ['Grid', `${account.pas} minutes`],
    ['Mails from', account.nom_expediteur],
    ['Answers to', account.repondre_a],
    ['Public URL', account.url_publique],
    ['Field texts', account.textes_terrain.join(' | ')],
  ])
}
