import type { AccountInput, AccountView } from '@sav/core'
import { type Context, cliActor } from '../invocation/context.js'
import type { Output } from '../invocation/output.js'
import { imageDataUri } from '../syntax/image-file.js'
import { type LieuOptions, lieuOf } from '../syntax/lieu.js'
import { fields, table } from '../terminal/table.js'

export async function addAccount(context: Context, name: string): Promise<Output> {
  const { sav } = await context.open()
  const account = await sav.accounts.add(cliActor(name), name)
  return { json: account, text: `Added the account ${account.id}: name it with --account ${account.id}.` }
}

export async function listAccounts(context: Context): Promise<Output> {
  const { sav } = await context.open()
  const accounts = await sav.accounts.list()
  const rows = accounts.map(({ id, raison_sociale, signature_requise, created_at }) => [
    id,
    created_at,
    signature_requise ? 'required' : 'optional',
    raison_sociale,
  ])
  return {
    json: accounts,
    text: table(context.terminal, ['NAME', 'CREATED', 'SIGNATURE', 'RAISON SOCIALE'], rows, 'No account yet.'),
  }
}

export interface UpdateAccountOptions extends LieuOptions {
  readonly raisonSociale?: string
  readonly adresse?: string
  readonly siret?: string
  readonly email?: string
  readonly assureur?: string
  readonly mediateur?: string
  /** A file. */
  readonly logo?: string
  readonly signatureRequise?: boolean
  readonly zoneFeries?: AccountInput['zone_feries']
  readonly fuseau?: string
}

export async function updateAccount(context: Context, name: string, options: UpdateAccountOptions): Promise<Output> {
  const { sav } = await context.open()
  const account = await sav.accounts.update(cliActor(name), {
    raison_sociale: nullIfEmpty(options.raisonSociale),
    adresse: nullIfEmpty(options.adresse),
    siret: nullIfEmpty(options.siret),
    email: nullIfEmpty(options.email),
    assureur: nullIfEmpty(options.assureur),
    mediateur: nullIfEmpty(options.mediateur),
    logo: options.logo ? await imageDataUri(context, '--logo', options.logo) : nullIfEmpty(options.logo),
    signature_requise: options.signatureRequise,
    lieu: lieuOf(options),
    zone_feries: options.zoneFeries,
    fuseau: nullIfEmpty(options.fuseau),
  })
  return { json: account, text: describeAccount(context, account) }
}

const nullIfEmpty = (text: string | undefined) => (text === '' ? null : text)

function describeAccount({ terminal }: Context, account: AccountView): string {
  return fields(terminal, [
    ['Account', account.id],
    ['Raison sociale', account.raison_sociale],
    ['Adresse', account.adresse],
    ['SIRET', account.siret],
    ['E-mail', account.email],
    ['Assureur', account.assureur],
    ['Médiateur', account.mediateur],
    ['Logo', account.logo],
    ['Signature', account.signature_requise ? 'required' : 'optional'],
    ['Lieu', [account.lieu?.ligne1, account.lieu?.code_postal, account.lieu?.ville].filter(Boolean).join(', ')],
    ['Holidays', account.zone_feries],
    ['Time zone', account.fuseau],
  ])
}
