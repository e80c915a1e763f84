import * as z from 'zod'
import { logoFile } from '../cases/attachments.js'
import { ConflictError, NotFoundError } from '../errors.js'
import type { Clock, Storage } from '../ports.js'
import { toInstant } from '../time.js'
import { emailAddress, parse, parseWith, text } from '../validation.js'
import type { Account } from './directory.js'

export const accountInput = z.strictObject({
  raison_sociale: text({ max: 200 }).nullable().optional(),
  adresse: text({ max: 500 }).nullable().optional(),
  siret: z
    .string()
    .regex(/^\d{14}$/, 'must be 14 digits')
    .nullable()
    .optional(),
  email: emailAddress.nullable().optional(),
  assureur: text({ max: 500 }).nullable().optional(),
  mediateur: text({ max: 500 }).nullable().optional(),
  logo: logoFile.nullable().optional(),
  signature_requise: z.boolean().optional(),
})
export type AccountInput = z.input<typeof accountInput>

const accountName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must be 1 to 63 lowercase letters, digits, - or _')

export interface AccountView extends Omit<Account, 'signature_requise_depuis'> {
  readonly signature_requise: boolean
}

export interface Accounts {
  /** @throws ConflictError when the name is taken */
  add(name: string): Promise<AccountView>
  list(): Promise<AccountView[]>
  /** @throws NotFoundError */
  get(name: string): Promise<AccountView>
  /** Replaces the fields that are given; a logo comes as a data URI. @throws NotFoundError */
  update(name: string, input: AccountInput): Promise<AccountView>
}

export function createAccounts({ storage, clock }: { storage: Storage; clock: Clock }): Accounts {
  return {
    async add(name) {
      const { id } = parse(z.strictObject({ id: accountName }), { id: name })
      const account: Account = {
        id,
        raison_sociale: null,
        adresse: null,
        siret: null,
        email: null,
        assureur: null,
        mediateur: null,
        logo: null,
        signature_requise_depuis: null,
        created_at: toInstant(clock.now()),
      }
      return storage.transaction(async (tx) => {
        if (!(await tx.accounts.add(account))) throw new ConflictError(`Account ${id} exists already.`)
        return view(account)
      })
    },
    async list() {
      return (await storage.accounts.list()).map(view)
    },
    async get(name) {
      return view(found(await storage.accounts.find(name), name))
    },
    async update(name, input) {
      const { signature_requise, logo, ...rest } = await parseWith(accountInput, input)
      const signature =
        signature_requise === undefined
          ? {}
          : { signature_requise_depuis: signature_requise ? toInstant(clock.now()) : null }
      return storage.transaction(async (tx) => {
        found(await tx.accounts.find(name), name)
        if (logo) await tx.accounts.putLogo(name, logo)
        await tx.accounts.update(name, { ...rest, ...signature, logo: logo === null ? null : logo?.sha256 })
        return view(found(await tx.accounts.find(name), name))
      })
    },
  }
}

function found(account: Account | null, name: string): Account {
  if (account === null) throw new NotFoundError('account', name)
  return account
}

const view = ({ signature_requise_depuis, ...account }: Account): AccountView => ({
  ...account,
  signature_requise: signature_requise_depuis !== null,
})
