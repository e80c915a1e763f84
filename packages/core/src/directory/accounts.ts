import * as z from 'zod'
import type { Actor } from '../access/actor.js'
import { conflict, found } from '../errors.js'
import { issue } from '../refusals/reason.js'
import type { Reads } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { toInstant } from '../time/time.js'
import { lazily } from '../values/lazily.js'
import { parse, parseWith } from '../values/validation.js'
import { preparedWrite, type WritesOf } from '../write.js'
import { type Account, type AccountInput, type AccountView, accountInput } from './directory.js'
import { type LocateLieu, located } from './lieu.js'

const accountName = lazily(() => z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, issue('not_an_account_name')))

/** The holders of everything else. Adding and listing them is for who runs the service, not for one of them. */
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
      const { id } = parse(() => z.strictObject({ id: accountName() }), { id: name })
      const account: Account = {
        id,
        raison_sociale: null,
        adresse: null,
        siret: null,
        email: null,
        telephone: null,
        assureur: null,
        mediateur: null,
        logo: null,
        signature_requise_depuis: null,
        confirmation_rdv_depuis: null,
        rappel_rdv_depuis: null,
        prevenir_bureau_depuis: null,
        lieu: null,
        zone_feries: 'FR',
        fuseau: null,
        pas: 15,
        nom_expediteur: null,
        repondre_a: null,
        url_publique: null,
        textes_terrain: [],
        created_at: toInstant(clock.now()),
      }
      return {
        async write(tx) {
          if (!(await tx.accounts.add(account))) throw conflict('account_exists', { id })
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
        async write(tx, { signature_requise, confirmation_rdv, rappel_rdv, prevenir_bureau, logo, ...rest }) {
          const at = toInstant(clock.now())
          const since = (isOn: boolean | undefined) => (isOn ? at : isOn === false ? null : undefined)
          const switched = {
            signature_requise_depuis: since(signature_requise),
            confirmation_rdv_depuis: since(confirmation_rdv),
            rappel_rdv_depuis: since(rappel_rdv),
            prevenir_bureau_depuis: since(prevenir_bureau),
          }
          found(await tx.accounts.find(name), 'account', name)
          if (logo) await tx.accounts.putLogo(name, logo)
          await tx.accounts.update(name, { ...rest, ...switched, logo: logo === null ? null : logo?.sha256 })
          return view(found(await tx.accounts.find(name), 'account', name))
        },
      })
    },
  }
}

const view = ({
  signature_requise_depuis,
  confirmation_rdv_depuis,
  rappel_rdv_depuis,
  prevenir_bureau_depuis,
  ...account
}: Account): AccountView => ({
  ...account,
  signature_requise: signature_requise_depuis !== null,
  confirmation_rdv: confirmation_rdv_depuis !== null,
  rappel_rdv: rappel_rdv_depuis !== null,
  prevenir_bureau: prevenir_bureau_depuis !== null,
})
