import * as z from 'zod'
import type { Actor } from '../access/actor.js'
import type { Clock } from '../clock.js'
import { ConflictError, found } from '../errors.js'
import { logoFile } from '../files/attachments.js'
import type { Reads } from '../storage.js'
import { isTimeZone, toInstant } from '../time.js'
import { emailAddress, parse, parseWith, text } from '../validation.js'
import { preparedWrite, type WritesOf } from '../write.js'
import type { Account } from './directory.js'
import { type LocateLieu, lieuInput, located } from './lieu.js'
import { zonesFeries } from './zones-feries.js'

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
  lieu: lieuInput.nullable().optional(),
  zone_feries: z.enum(zonesFeries).optional(),
  fuseau: z
    .string()
    .refine(isTimeZone, 'must be the IANA name of a time zone, such as Indian/Reunion')
    .nullable()
    .optional(),
})
export type AccountInput = z.input<typeof accountInput>

const accountName = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must be 1 to 63 lowercase letters, digits, - or _')

export interface AccountView extends Omit<Account, 'signature_requise_depuis'> {
  readonly signature_requise: boolean
}

export interface Accounts {
  /** @param name of the new account. @throws ConflictError when it is taken */
  add(actor: Actor, name: string): Promise<AccountView>
  list(): Promise<AccountView[]>
  /** @throws NotFoundError */
  get(name: string): Promise<AccountView>
  /** Replaces the fields of the actor's account that are given; a logo comes as a data URI. @throws NotFoundError */
  update(actor: Actor, input: AccountInput): Promise<AccountView>
}

export function accountQueries({ reads }: { readonly reads: Reads }): Pick<Accounts, 'get' | 'list'> {
  return {
    async list() {
      return (await reads.accounts.list()).map(view)
    },
    async get(name) {
      return view(found(await reads.accounts.find(name), 'account', name))
    },
  }
}

export interface AccountWritesDeps {
  readonly clock: Clock
  readonly locate: LocateLieu
}

export function accountWrites({ clock, locate }: AccountWritesDeps): WritesOf<Accounts, 'add' | 'update'> {
  return {
    add(_, name) {
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
        lieu: null,
        zone_feries: 'FR',
        fuseau: null,
        created_at: toInstant(clock.now()),
      }
      return {
        async write(tx) {
          if (!(await tx.accounts.add(account))) throw new ConflictError(`Account ${id} exists already.`)
          return view(account)
        },
      }
    },
    update({ account_id: name }, input) {
      return preparedWrite({
        prepare: async () => {
          const parsed = await parseWith(accountInput, input)
          return { ...parsed, lieu: await located(parsed.lieu, locate) }
        },
        async write(tx, { signature_requise, logo, ...rest }) {
          const signature =
            signature_requise === undefined
              ? {}
              : { signature_requise_depuis: signature_requise ? toInstant(clock.now()) : null }
          found(await tx.accounts.find(name), 'account', name)
          if (logo) await tx.accounts.putLogo(name, logo)
          await tx.accounts.update(name, { ...rest, ...signature, logo: logo === null ? null : logo?.sha256 })
          return view(found(await tx.accounts.find(name), 'account', name))
        },
      })
    },
  }
}

const view = ({ signature_requise_depuis, ...account }: Account): AccountView => ({
  ...account,
  signature_requise: signature_requise_depuis !== null,
})
