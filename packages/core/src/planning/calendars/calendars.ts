import * as z from 'zod'
import type { Actor } from '../../access/actor.js'
import { isInUse } from '../../access/api-key.js'
import { calendarPermissions, firstMissing, type Permission } from '../../access/permissions.js'
import type { Lieu } from '../../directory/lieu.js'
import { conflict, found } from '../../errors.js'
import { sha256Of } from '../../node-crypto.js'
import type { Reads, Transaction } from '../../storage.js'
import type { Clock } from '../../time/clock.js'
import { type CalendarOf, toInstant } from '../../time/time.js'
import { permissionsOf } from '../../users/user.js'
import { type Input, lazily } from '../../values/lazily.js'
import type { Random } from '../../values/random.js'
import { parse } from '../../values/validation.js'
import type { RdvStatut, RdvType } from '../../values/vocabulary.js'
import type { WritesOf } from '../../write.js'
import { type Interval, isExpired, placeOf, type Rdv } from '../appointments/rdv.js'
import type { CalendarOwner } from './calendar-store.js'
import { isCalendarSecret, newCalendarSecret } from './secret-address.js'

/** Which calendar gets a new address. */
export const renewCalendarInput = lazily(() =>
  z.strictObject({
    /** Whose appointments it shows; those of the whole account when absent. */
    poseur_id: z.int().positive().optional(),
  }),
)
/** What `calendars.renew` takes. */
export type RenewCalendarInput = Input<typeof renewCalendarInput>

/** An appointment as somebody who goes there needs it, and nothing more. */
export interface CalendarEntry extends Interval {
  /** The same for as long as the appointment is there, in every calendar that shows it. */
  readonly uid: string
  /** Grows by one with every change of the appointment. */
  readonly version: number
  readonly statut: RdvStatut
  readonly type: RdvType
  /** IANA name of the zone by whose wall clock it was agreed. */
  readonly fuseau: string
  /** Of its case. */
  readonly reference: string | null
  readonly client: { readonly nom: string; readonly prenom: string; readonly telephone: string | null }
  readonly poseur: { readonly nom: string }
  readonly equipiers: readonly { readonly nom: string }[]
  readonly lieu: Lieu | null
  /** When it was last changed: an instant. */
  readonly modifie_le: string
}

/** What a subscriber to an address sees: no notes, no e-mail addresses, nothing of the case but its reference. */
export interface CalendarView {
  /** Of the poseur, else of the account. */
  readonly nom: string
  /** Whether it is that of everybody: then who goes has to be told. */
  readonly isShared: boolean
  /** IANA name of the zone that it is read in. */
  readonly fuseau: string
  /** By `debut`. */
  readonly entries: readonly CalendarEntry[]
}

/** Appointments for the calendars of other programs, behind addresses that nobody can guess. */
export interface Calendars {
  /**
   * Makes the actor's one address of a calendar, absolute where the service knows where it is reached; an earlier one of his
   * ends with it. It is in the answer, and nowhere else ever after. That of a key or a person ends with their right to
   * `calendarPermissions`; whoever else asks, makes that of the account.
   * @throws ValidationError, NotFoundError, ConflictError for a poseur who is no longer active
   */
  renew(actor: Actor, input: RenewCalendarInput): Promise<{ readonly url: string }>
  /**
   * What is shown under an address: what began within the last 30 days and all that is to come; what was cancelled for 30
   * days more. Null for a secret that nobody has, or has any longer, that of an owner who may not see it any longer, and that
   * of a poseur who is no longer active.
   */
  find(secret: string): Promise<CalendarView | null>
}

const shownMs = 30 * 86_400_000

/** In one look at the store. */
const pageSize = 2000

export interface CalendarsDeps {
  readonly reads: Reads
  readonly clock: Pick<Clock, 'now'>
  readonly calendarOf: CalendarOf
}

export function calendarQueries({ reads, clock, calendarOf }: CalendarsDeps): Pick<Calendars, 'find'> {
  return {
    async find(secret) {
      const address = isCalendarSecret(secret) ? await reads.calendars.findByHash(sha256Of(secret)) : null
      if (address === null) return null
      const { account_id, poseur_id, proprietaire } = address
      const held = await heldBy(reads, account_id, proprietaire, clock.now())
      if (firstMissing(held, calendarPermissions) !== undefined) return null
      const account = found(await reads.accounts.find(account_id), 'account', account_id)
      const poseur = poseur_id === null ? null : await reads.directory.findPoseur(account_id, poseur_id)
      if (poseur_id !== null && (poseur === null || poseur.inactif_depuis !== null)) return null

      const now = clock.now()
      const from = toInstant(now - shownMs)
      const isShown = (rdv: Rdv) =>
        rdv.statut === 'annule' ? rdv.date_modification >= from : !isExpired(rdv, toInstant(now))
      const rdvs = await allSince(reads, account_id, { from, poseur_id })
      return {
        nom: poseur?.nom ?? account.raison_sociale ?? 'Planning',
        isShared: poseur === null,
        fuseau: calendarOf(account.fuseau).timeZone,
        entries: rdvs.filter(isShown).map(entryOf),
      }
    },
  }
}

/** What an owner may do now. Of what is the account's nobody's rights are asked. */
async function heldBy(
  reads: Reads,
  account_id: string,
  { type, id }: CalendarOwner,
  nowMs: number,
): Promise<readonly Permission[]> {
  switch (type) {
    case 'cle': {
      const key = await reads.keys.find(account_id, id)
      return key !== null && isInUse(key, nowMs) ? key.permissions : []
    }
    case 'utilisateur': {
      const user = await reads.users.find(account_id, id)
      return user !== null && user.desactive_le === null ? permissionsOf[user.role] : []
    }
    case 'compte':
    case 'anterieur':
      return calendarPermissions
  }
}

/** Each once, by `debut`, also when something moves between two looks. */
async function allSince(
  reads: Reads,
  account_id: string,
  { from, poseur_id }: { readonly from: string; readonly poseur_id: number | null },
): Promise<Rdv[]> {
  const filter = { from, until: '9999-12-31T23:59:59.999Z', ...(poseur_id !== null && { poseur_id }) }
  const byId = new Map<number, Rdv>()
  for (let page = 1; ; page += 1) {
    const { items } = await reads.planning.list(account_id, filter, { page, limite: pageSize })
    for (const rdv of items) byId.set(rdv.id, rdv)
    if (items.length < pageSize) return [...byId.values()]
  }
}

/** Ids are a store's own: the time beside it keeps those of two stores apart in one person's calendar. */
export const uidOf = ({ id, date_creation }: Rdv) => `rdv-${id}-${date_creation.replace(/\D/g, '')}@sav`

function entryOf(rdv: Rdv): CalendarEntry {
  const { version, statut, type, debut, fin, fuseau, client, poseur, equipiers } = rdv
  return {
    uid: uidOf(rdv),
    version,
    statut,
    type,
    debut,
    fin,
    fuseau,
    reference: rdv.sav?.reference ?? null,
    client: { nom: client.nom, prenom: client.prenom, telephone: rdv.telephone_client },
    poseur: { nom: poseur.nom },
    equipiers: equipiers.map(({ nom }) => ({ nom })),
    lieu: placeOf(rdv),
    modifie_le: rdv.date_modification,
  }
}

/** People whom only a host knows have no right here that could end: what they make is the account's. */
async function ownerOf(tx: Transaction, { account_id, type, id }: Actor): Promise<CalendarOwner> {
  if (id !== null && type === 'cle' && (await tx.keys.find(account_id, id)) !== null) return { type, id }
  if (id !== null && type === 'utilisateur' && (await tx.users.find(account_id, id)) !== null) return { type, id }
  return { type: 'compte', id: null }
}

export interface CalendarWritesDeps {
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  /** Where the service is reached from outside, without a slash at its end; null: it does not know. */
  readonly publicUrl: string | null
}

export function calendarWrites({ clock, random, publicUrl }: CalendarWritesDeps): WritesOf<Calendars, 'renew'> {
  return {
    renew(actor, input) {
      const { account_id } = actor
      const { poseur_id = null } = parse(renewCalendarInput, input)
      return {
        async write(tx) {
          found(await tx.accounts.find(account_id), 'account', account_id)
          if (poseur_id !== null) {
            const poseur = found(await tx.directory.findPoseur(account_id, poseur_id), 'poseur', poseur_id)
            if (poseur.inactif_depuis !== null)
              throw conflict('poseur_without_calendar', { nom: poseur.nom, id: poseur_id })
          }
          const secret = newCalendarSecret(random)
          const date_creation = toInstant(clock.now())
          const proprietaire = await ownerOf(tx, actor)
          await tx.calendars.put({ account_id, poseur_id, proprietaire, hash: sha256Of(secret), date_creation })
          return { url: `${publicUrl ?? ''}/calendriers/${secret}.ics` }
        },
      }
    },
  }
}
