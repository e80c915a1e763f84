import type { Lieu } from '@sav/core'
import {
  addressee,
  addressOf,
  companyName,
  companyNow,
  type LetterWriter,
  lazily,
  logoOf,
  NoLetter,
  type Output,
  placeLine,
  type RdvLetterKind,
  type Reads,
  toInstant,
} from '@sav/core/feature'
import type { Clock } from '@sav/core/ports'
import * as z from 'zod'
import { isAwaited, isSameTime, rdvLetterEvent, toldTime } from '../appointments/customer-letters.js'
import { planningStore } from '../appointments/planning-store.js'
import { type Interval, placeOf, type Rdv } from '../appointments/rdv.js'
import { isLateOver } from '../appointments/running-late.js'
import { uidOf } from '../calendars/calendars.js'
import type { RdvPageUrl } from './rdv-page-address.js'

/** An appointment for the customer's own calendar. */
export interface RdvInvitation extends Interval {
  /**
   * The same uid as in the shop's calendars. By it, the entry from a later letter replaces that from an earlier one.
   */
  readonly uid: string
  readonly version: number
  /** True: the entry is removed from the customer's calendar. */
  readonly isCancelled: boolean
  /** IANA name of the time zone in which it was agreed. */
  readonly fuseau: string
  /** The company that visits the customer. */
  readonly societe: string
  readonly lieu: Lieu | null
  readonly page_url: string | null
  /** When it was last changed: an instant. */
  readonly modifie_le: string
}

/** Writes an appointment as an iCalendar file (RFC 5545). */
export type RdvIcal = (invitation: RdvInvitation) => Promise<string>

export interface RdvLetterDeps {
  readonly reads: Reads
  readonly clock: Pick<Clock, 'now'>
  /** The page where a customer can answer for this appointment; null: it has none. */
  readonly pageUrlOf: RdvPageUrl
  /** Null: letters have no calendar file. */
  readonly ical: RdvIcal | null
}

const letterBody = lazily(() =>
  z.object({
    data: z.object({
      id: z.int(),
      debut: z.string(),
      fin: z.string().nullable(),
      avant: z.object({ debut: z.string(), fin: z.string().nullable() }).optional(),
      retard_minutes: z.int().optional(),
      retard_de: z.object({ id: z.int(), minutes: z.int() }).optional(),
    }),
  }),
)
type LetterData = Output<typeof letterBody>['data']

/** @throws NoLetter if a delay is over, or has changed */
async function refuseOtherDelay(reads: Reads, rdv: Rdv, { retard_minutes = 0, retard_de }: LetterData, now: number) {
  if (isLateOver(rdv, retard_minutes, now)) throw new NoLetter('letter_outdated', `rdv ${rdv.id} has begun`)
  const late = retard_de && (await reads.of(planningStore).find(rdv.account_id, retard_de.id))
  if (late && (late.statut === 'annule' || late.retard_minutes !== retard_de.minutes))
    throw new NoLetter('letter_outdated', `rdv ${late.id} no longer has this delay`)
}

/**
 * Writes letters about appointments, with the data at the time of sending. There is no letter if the appointment was
 * cancelled or moved meanwhile, or the customer erased.
 */
export function rdvLetterWriter(about: RdvLetterKind, deps: RdvLetterDeps): LetterWriter {
  const { reads, clock, pageUrlOf, ical } = deps
  return {
    event: rdvLetterEvent(about),
    async write({ id, account_id, event_id, body }, channel) {
      const told = letterBody().parse(JSON.parse(body)).data
      const { retard_minutes = null, avant = null } = told
      const rdv = await reads.of(planningStore).find(account_id, told.id)
      const account = await reads.accounts.find(account_id)
      if (rdv === null || account === null)
        throw new NoLetter('letter_subject_missing', `rdv ${told.id} does not exist`)
      const isDue = about === 'annulation' ? rdv.statut === 'annule' : isAwaited(rdv)
      if (!isDue)
        throw new NoLetter(
          'letter_outdated',
          `rdv ${rdv.id} is ${rdv.statut}: its customer no longer needs this letter`,
        )
      const time = toldTime(rdv)
      if (!isSameTime(time, told))
        throw new NoLetter('letter_outdated', `rdv ${rdv.id} was moved: a later letter has its new time`)
      const last = rdv.derniere_lettre?.event_id ?? event_id
      if (about !== 'retard' && last !== event_id)
        throw new NoLetter('letter_outdated', `a later letter about rdv ${rdv.id} replaces it`)
      if (about !== 'retard' && rdv.debut <= toInstant(clock.now()))
        throw new NoLetter('letter_outdated', `rdv ${rdv.id} has begun`)
      if (about === 'retard') await refuseOtherDelay(reads, rdv, told, clock.now())
      const client = await reads.directory.findClient(account_id, rdv.client.id)
      if (client === null || client.efface_le !== null) throw new NoLetter('letter_erased', 'the customer was erased')
      const isCancelled = about === 'annulation'
      const page_url = isCancelled ? null : await pageUrlOf(rdv, account.url_publique)
      const { version, debut, fin, fuseau, date_modification: modifie_le } = rdv
      const lieu = placeOf(rdv)
      const societe = companyNow(account)
      const invitation = { uid: uidOf(rdv), version, isCancelled, debut, fin, fuseau, lieu, page_url, modifie_le }
      const isForCalendar = channel === 'email' && about !== 'retard'
      return {
        kind: 'rdv',
        id,
        to: addressOf(client, channel),
        societe,
        logo: await logoOf(reads, account_id, account.logo),
        client: addressee(client),
        about,
        confirmed: rdv.statut === 'confirme',
        ...time,
        fin_prevue: time.fin === null ? rdv.fin : null,
        before: avant,
        fuseau,
        lieu: lieu && placeLine(lieu),
        poseur: firstName(rdv.poseur.nom),
        retard_minutes,
        page_url,
        ical: ical === null || !isForCalendar ? null : await ical({ ...invitation, societe: companyName(societe) }),
      }
    },
  }
}

/** The part of a name that customers may see. */
export const firstName = (nom: string): string => nom.trim().split(/\s+/u)[0] ?? ''
