import type { AccountInput, AccountView } from '@sav/core'
import type { AccountLimitsInput } from '@sav/core/internal'
import { fold } from '@sav/core/ports'
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

export async function listAccounts(
  context: Context,
  { recherche = '' }: { readonly recherche?: string },
): Promise<Output> {
  const { sav } = await context.open()
  const sought = fold(recherche)
  const isFound = (text: string) => ` ${fold(text)}`.includes(` ${sought}`)
  const accounts = (await sav.accounts.list()).filter(({ id, raison_sociale }) =>
    isFound(`${id} ${raison_sociale ?? ''}`),
  )
  const local = peopleTime(context)
  const columns: Column<(typeof accounts)[number]>[] = [
    { field: 'id', head: 'NAME', cell: ({ id }) => id },
    { field: 'created_at', head: `CREATED (${local.timeZone})`, cell: (row) => local.at(row.created_at), whole: true },
    { field: 'desactive_le', head: 'STATE', cell: (row) => (row.desactive_le === null ? 'active' : 'disabled') },
    { field: 'signature_requise', head: 'SIGNATURE', cell: (row) => (row.signature_requise ? 'required' : 'optional') },
    { field: 'raison_sociale', head: 'RAISON SOCIALE', cell: (row) => row.raison_sociale },
  ]
  return wholeList(context, { columns, empty: sought === '' ? 'No account yet.' : 'No account found.' }, accounts)
}

export const disableAccount = (context: Context, name: string): Promise<Output> =>
  switched(
    context,
    name,
    'disable',
    `Disabled the account ${name}: its keys and sessions end within a second, its deliveries wait.`,
  )

export const enableAccount = (context: Context, name: string): Promise<Output> =>
  switched(context, name, 'enable', `Enabled the account ${name}: what waited goes out.`)

async function switched(context: Context, name: string, what: 'disable' | 'enable', text: string): Promise<Output> {
  const { sav, perform } = await context.open()
  const account = await perform(name, sav.writes.accounts[what](cliActor(name)), `account:${name}`)
  return { json: account, text }
}

/** @param options without any, only shows */
export async function limitAccount(context: Context, name: string, options: AccountLimitsInput): Promise<Output> {
  const { sav, perform } = await context.open()
  const given = Object.values(options).some((value) => value !== undefined)
  if (given) await perform(name, sav.writes.accounts.limit(cliActor(name), emptied(options)), `account:${name}`)
  const { dossiers_max_mois, stockage_max_octets } = await sav.accounts.get(name)
  const use = await sav.accounts.use(name)
  const of = (used: string, max: string | null) => (max === null ? `${used}, no limit` : `${used} of ${max}`)
  const inMegabytes = (bytes: number) => `${Math.round(bytes / 1e4) / 100} MB`
  const text = fields(context.terminal, [
    ['Account', name],
    ['Cases this month', of(String(use.dossiers_mois), dossiers_max_mois === null ? null : String(dossiers_max_mois))],
    [
      'Files',
      of(inMegabytes(use.stockage_octets), stockage_max_octets === null ? null : inMegabytes(stockage_max_octets)),
    ],
  ])
  return { json: { id: name, dossiers_max_mois, stockage_max_octets, ...use }, text }
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
  throw new CommandError('account_not_found', `The key is one of the account ${id}: of ${name} it knows nothing.`)
}

/** What an account is not told of itself. */
type OfTheOperator = 'desactive_le' | 'dossiers_max_mois' | 'stockage_max_octets'

function describeAccount(
  { terminal }: Context,
  account: Omit<AccountView, 'logo' | 'created_at' | OfTheOperator> & { readonly logo: boolean },
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
