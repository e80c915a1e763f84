import * as z from 'zod'
import { ConflictError, NotFoundError } from '../errors.js'
import type { Clock, Storage } from '../ports.js'
import { toInstant } from '../time.js'
import { parse, text } from '../validation.js'
import type { Account } from './directory.js'

export const accountInput = z.strictObject({
  raison_sociale: text({ max: 200 }).nullable().optional(),
  adresse: text({ max: 500 }).nullable().optional(),
  siret: z
    .string()
    .regex(/^\d{14}$/, 'must be 14 digits')
    .nullable()
    .optional(),
  email: z.email().nullable().optional(),
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
  /** Replaces the fields that are given. @throws NotFoundError */
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
        signature_requise_depuis: null,
        created_at: toInstant(clock.now()),
      }
      if (!(await storage.transaction((tx) => tx.accounts.add(account))))
        throw new ConflictError(`Account ${id} exists already.`)
      return view(account)
    },
    async list() {
      return (await storage.accounts.list()).map(view)
    },
    async get(name) {
      return view(found(await storage.accounts.find(name), name))
    },
    async update(name, input) {
      const { signature_requise, ...rest } = parse(accountInput, input)
      const signature =
        signature_requise === undefined
          ? {}
          : { signature_requise_depuis: signature_requise ? toInstant(clock.now()) : null }
      return storage.transaction(async (tx) => {
        found(await tx.accounts.find(name), name)
        await tx.accounts.update(name, { ...rest, ...signature })
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
