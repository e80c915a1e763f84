import type { Actor, Lieu, Permission } from '@sav/core'
import {
  type CalendarOf,
  dayMs,
  firstMissing,
  found,
  type Hooks,
  isInUse,
  isSecret,
  lazily,
  parse,
  type RdvStatut,
  type RdvType,
  type Reads,
  secretOf,
  sha256Of,
  toInstant,
  type WritesOf,
  yieldToEventLoop,
} from '@sav/core/feature'
import type { Clock, Random, Transaction } from '@sav/core/ports'
import * as z from 'zod'
import { planningStore } from '../appointments/planning-store.js'
import { type Interval, isExpired, placeOf, type Rdv } from '../appointments/rdv.js'
import type { Inputs } from '../input-types.gen.js'
import { conflict } from '../refusals.js'
import { type CalendarOwner, calendarStore } from './calendar-store.js'

/**
 * The permissions that a key or user needs to create a calendar address. If its owner loses one, the address stops
 * working.
 */
export const calendarPermissions: readonly Permission[] = ['planning:read', 'directory:read']

/** The calendar that gets a new address. */
export const renewCalendarInput = lazily(() =>
  z.strictObject({
    /** The poseur whose appointments the calendar shows; default: all appointments of the account. */
    poseur_id: z.int().positive().optional(),
  }),
)
/** What `calendars.renew` takes. */
export type RenewCalendarInput = Inputs['renewCalendar']

/** What an installer needs to know about an appointment to go there. */
export interface CalendarEntry extends Interval {
  /** An id that never changes, in every calendar that shows the appointment. */
  readonly uid: string
  /** Grows by one with every change of the appointment. */
  readonly version: number
  readonly statut: RdvStatut
  readonly type: RdvType
  /** IANA name of the time zone in which it was agreed. */
  readonly fuseau: string
  /** The reference of its case. */
  readonly reference: string | null
  readonly client: { readonly nom: string; readonly prenom: string; readonly telephone: string | null }
  readonly poseur: { readonly nom: string }
  readonly equipiers: readonly { readonly nom: string }[]
  readonly lieu: Lieu | null
  /** When it was last changed: an instant. */
  readonly modifie_le: string
}

/** The calendar behind an address. It contains no notes, no e-mail addresses, and only the reference of each case. */
export interface CalendarView {
  /** The name of the poseur, or else of the account. */
  readonly nom: string
  /** Whether it shows all poseurs: each entry then names its poseur. */
  readonly isShared: boolean
  /** IANA name of its time zone. */
  readonly fuseau: string
  /**
   * By `debut`, in at least one step, which may be empty. Each step is read on request, yielding to other work in
   * between.
   */
  readonly entries: AsyncIterable<readonly CalendarEntry[]>
}

/** Calendars with appointments for other programs, behind secret addresses. */
export interface Calendars {
  /**
   * Creates the address of a calendar for the actor, and replaces the actor's previous one. It is an absolute URL if
   * the service knows its public address. Only this answer contains it. The address of a key or a user ends when that
   * key or user loses `calendarPermissions`. Any other actor creates the account's own address.
   * @throws ValidationError, NotFoundError, ConflictError for an inactive poseur
   */
  renew(actor: Actor, input: RenewCalendarInput): Promise<{ readonly url: string }>
  /**
   * The calendar behind an address. It has the appointments that began within the last 30 days and all later ones;
   * cancelled ones stay in it for 30 days. Null for an unknown or replaced secret, for an owner who may no longer see
   * the calendar, and for an inactive poseur.
   */
  find(secret: string): Promise<CalendarView | null>
}

const shownMs = 30 * dayMs

/** Appointments per read. */
export const entriesAtOnce = 100

export interface CalendarsDeps {
  readonly reads: Reads
  readonly clock: Pick<Clock, 'now'>
  readonly calendarOf: CalendarOf
  readonly findPerson: Hooks['findPerson']
}

export function calendarQueries(deps: CalendarsDeps): Pick<Calendars, 'find'> {
  const { reads, clock, calendarOf } = deps
  return {
    async find(secret) {
      const address = isSecret('calendar', secret) ? await reads.of(calendarStore).findByHash(sha256Of(secret)) : null
      if (address === null) return null
      const { account_id, poseur_id, proprietaire } = address
      const held = await heldBy(deps, account_id, proprietaire)
      if (firstMissing(held, calendarPermissions) !== undefined) return null
      const account = found(await reads.accounts.find(account_id), 'account', account_id)
      const poseur = poseur_id === null ? null : await reads.directory.findPoseur(account_id, poseur_id)
      if (poseur_id !== null && (poseur === null || poseur.inactif_depuis !== null)) return null

      const now = clock.now()
      const from = toInstant(now - shownMs)
      const isShown = (rdv: Rdv) =>
        rdv.statut === 'annule' ? rdv.date_modification >= from : !isExpired(rdv, toInstant(now))
      return {
        nom: poseur?.nom ?? account.raison_sociale ?? 'Planning',
        isShared: poseur === null,
        fuseau: calendarOf(account.fuseau).timeZone,
        entries: entriesOf(allSince(reads, account_id, { from, poseur_id }), isShown),
      }
    },
  }
}

/** The owner's current permissions. The account's own address needs none. */
async function heldBy(
  { reads, clock, findPerson }: CalendarsDeps,
  account_id: string,
  { type, id }: CalendarOwner,
): Promise<readonly Permission[]> {
  switch (type) {
    case 'cle': {
      const key = await reads.keys.find(account_id, id)
      return key !== null && isInUse(key, clock.now()) ? key.permissions : []
    }
    case 'utilisateur': {
      return (await findPerson(reads, account_id, id))?.permissions ?? []
    }
    case 'compte':
      return calendarPermissions
  }
}

async function* entriesOf(steps: AsyncIterable<readonly Rdv[]>, isShown: (rdv: Rdv) => boolean) {
  for await (const rdvs of steps) yield rdvs.filter(isShown).map(entryOf)
}

/**
 * Every appointment once, by `debut`, even if one moves between two reads. Each read begins where the previous one
 * ended.
 */
async function* allSince(
  reads: Reads,
  account_id: string,
  { from, poseur_id }: { readonly from: string; readonly poseur_id: number | null },
): AsyncGenerator<readonly Rdv[], void, void> {
  const seen = new Set<number>()
  const filter = { until: '9999-12-31T23:59:59.999Z', ...(poseur_id !== null && { poseur_id }) }
  for (let [start, page] = [from, 1]; ; ) {
    await yieldToEventLoop(account_id)
    const { items } = await reads
      .of(planningStore)
      .list(account_id, { ...filter, from: start }, { page, limite: entriesAtOnce })
    const unseen = items.filter(({ id }) => !seen.has(id))
    for (const { id } of unseen) seen.add(id)
    yield unseen
    if (items.length < entriesAtOnce) return
    const last = items.at(-1)?.debut ?? start
    // If a whole page begins at one instant, the next page is read from the same instant.
    page = last === start ? page + 1 : 1
    start = last
  }
}

/**
 * Ids are unique within one store. The time of creation distinguishes the appointments of two stores in one person's
 * calendar.
 */
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

/** The rights of a host's users cannot be checked later, so their addresses belong to the account. */
async function ownerOf(
  tx: Transaction,
  { account_id, type, id }: Actor,
  findPerson: Hooks['findPerson'],
): Promise<CalendarOwner> {
  if (id !== null && type === 'cle' && (await tx.keys.find(account_id, id)) !== null) return { type, id }
  if (id !== null && type === 'utilisateur' && (await findPerson(tx, account_id, id)) !== null) return { type, id }
  return { type: 'compte', id: null }
}

export interface CalendarWritesDeps {
  readonly findPerson: Hooks['findPerson']
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  /** The service's public address, without a trailing slash; null: unknown. */
  readonly publicUrl: string | null
}

export function calendarWrites({
  findPerson,
  clock,
  random,
  publicUrl,
}: CalendarWritesDeps): WritesOf<Calendars, 'renew'> {
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
          const secret = secretOf('calendar', random(32))
          const date_creation = toInstant(clock.now())
          const proprietaire = await ownerOf(tx, actor, findPerson)
          await tx.of(calendarStore).put({ account_id, poseur_id, proprietaire, hash: sha256Of(secret), date_creation })
          return { url: `${publicUrl ?? ''}/calendriers/${secret}.ics` }
        },
      }
    },
  }
}
