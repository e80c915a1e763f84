import * as z from 'zod'
import type { Actor } from '../access/actor.js'
import type { AccountSummary } from '../access/who.js'
import { conflict, found } from '../errors.js'
import type { Inputs } from '../input-types.gen.js'
import { issue } from '../refusals/reason.js'
import type { Reads, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { type CalendarOf, toInstant } from '../time/time.js'
import { fold } from '../values/folding.js'
import { accountForm } from '../values/ids.js'
import { lazily } from '../values/lazily.js'
import { parse, parseWith } from '../values/validation.js'
import { preparedWrite, type Write, type WritesOf } from '../write.js'
import { type Account, type AccountInput, type AccountView, accountInput, type Changes } from './directory.js'
import { type LocateLieu, located } from './lieu.js'

export const accountName = lazily(() => z.string().regex(accountForm, issue('not_an_account_name')))

/** Accounts own everything else. Adding and listing them is for the operator of the service. */
export interface Accounts {
  /** @param name the name of the new account. @throws ConflictError when it is taken */
  add(actor: Actor, name: string): Promise<AccountView>
  /**
   * Accounts, by default all. With `recherche`, only those where each of its words begins a word of the name or of
   * `raison_sociale`.
   */
  list(filter?: { readonly recherche?: string | undefined }): Promise<AccountView[]>
  /** @throws NotFoundError */
  get(name: string): Promise<AccountView>
  /** The account as pages need it. @throws NotFoundError */
  summary(name: string): Promise<AccountSummary>
  /** Replaces the given fields of the actor's account; a logo is given as a data URI. @throws NotFoundError */
  update(actor: Actor, input: AccountInput): Promise<AccountView>
  /**
   * Disables the actor's account. Within a second, every process refuses its keys, sessions, calendars and customers'
   * pages, and its deliveries wait. Nothing is deleted. Disabling it again changes nothing. @throws NotFoundError
   */
  disable(actor: Actor): Promise<AccountView>
  /**
   * Enables the actor's account: accepts its keys and sessions again, and sends its waiting deliveries.
   * @throws NotFoundError, ConflictError when it is being erased
   */
  enable(actor: Actor): Promise<AccountView>
  /** Sets the limits of the actor's account. They apply within a second. @throws ValidationError, NotFoundError */
  limit(actor: Actor, input: AccountLimitsInput): Promise<AccountView>
}

const mostBytes = 2 ** 50

/** Only the given fields change; null removes a limit. `dossiers_par_mois` from 0, `stockage_octets` up to 2^50. */
export const accountLimitsInput = lazily(() =>
  z
    .strictObject({
      dossiers_par_mois: z.int().min(0).max(1_000_000_000).nullable(),
      stockage_octets: z.int().min(0).max(mostBytes).nullable(),
    })
    .partial(),
)
/** What `accounts.limit` takes. */
export type AccountLimitsInput = Inputs['accountLimits']

export interface AccountQueriesDeps {
  readonly reads: Reads
  readonly calendarOf: CalendarOf
}

export function accountQueries({ reads, calendarOf }: AccountQueriesDeps): Pick<Accounts, 'get' | 'list' | 'summary'> {
  return {
    async list({ recherche = '' } = {}) {
      const sought = fold(recherche).split(' ')
      const found = (await reads.accounts.list()).filter(({ id, raison_sociale }) => {
        const words = ` ${fold(`${id} ${raison_sociale ?? ''}`)}`
        return sought.every((word) => words.includes(` ${word}`))
      })
      return found.map(view)
    },
    async get(name) {
      return view(found(await reads.accounts.find(name), 'account', name))
    },
    async summary(name) {
      const { id, raison_sociale, fuseau } = found(await reads.accounts.find(name), 'account', name)
      return { id, raison_sociale, fuseau: calendarOf(fuseau).timeZone }
    },
  }
}

type AccountChanges = Changes<Omit<Account, 'id' | 'created_at'>>

export interface AccountWritesDeps {
  readonly clock: Clock
  readonly locate: LocateLieu
}

export function accountWrites({
  clock,
  locate,
}: AccountWritesDeps): WritesOf<Accounts, 'add' | 'update' | 'disable' | 'enable' | 'limit'> {
  type FieldsOf = (before: Account, tx: Transaction) => AccountChanges | Promise<AccountChanges>
  const changing = (name: string, fieldsOf: FieldsOf): Write<AccountView> => ({
    async write(tx) {
      const before = found(await tx.accounts.find(name), 'account', name)
      await tx.accounts.update(name, await fieldsOf(before, tx))
      return view(found(await tx.accounts.find(name), 'account', name))
    },
  })
  return {
    disable: ({ account_id: name }) =>
      changing(name, ({ desactive_le }) => ({ desactive_le: desactive_le ?? toInstant(clock.now()) })),
    enable: ({ account_id: name }) =>
      changing(name, async (_, tx) => {
        if ((await tx.erasedAccounts.find(name)) !== null) throw conflict('account_being_erased', { id: name })
        return { desactive_le: null }
      }),
    limit({ account_id: name }, input) {
      const limits = parse(accountLimitsInput, input)
      return changing(name, () => limits)
    },
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
        couleur: '#17507a',
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
        desactive_le: null,
        dossiers_par_mois: null,
        stockage_octets: null,
        created_at: toInstant(clock.now()),
      }
      return {
        async write(tx) {
          const erased = await tx.erasedAccounts.find(id)
          if (erased?.date) throw conflict('account_name_erased', { id, date: erased.date.slice(0, 10) })
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
