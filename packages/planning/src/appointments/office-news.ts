import type { Actor } from '@sav/core'
import {
  type BusinessCalendar,
  type CalendarOf,
  filled,
  historyEntry,
  type Notify,
  recordChange,
  toMs,
} from '@sav/core/feature'
import type { Account, Random, SavCase, Transaction } from '@sav/core/ports'
import type { FollowUpType } from '../follow-ups/follow-up.js'
import { followUpStore } from '../follow-ups/follow-up-store.js'
import { ownTexts } from './own-texts.js'
import type { Rdv } from './rdv.js'

/** What a customer did about an appointment. */
export type CustomerAct = 'annule' | 'deplace' | 'confirme'

function customerAct(before: Rdv, rdv: Rdv): CustomerAct | null {
  if (rdv.statut === 'annule') return before.statut === 'annule' ? null : 'annule'
  if (rdv.debut !== before.debut) return 'deplace'
  return rdv.statut === 'confirme' && before.statut !== 'confirme' ? 'confirme' : null
}

interface OfficeNews {
  readonly actor: Actor
  readonly account: Account
  readonly before: Rdv
  /** The appointment as stored. */
  readonly rdv: Rdv
  /** The case of the appointment in its current state, locked. */
  readonly dossier: SavCase | null
  readonly at: string
}

interface OfficeDeps {
  readonly calendarOf: CalendarOf
  readonly random: Random
  readonly notify: Notify
}

/**
 * Reports to the office what needs attention: a customer's own action, or a customer's absence. The case gets a history
 * line, and the account a mail if it wants them.
 */
export async function tellOffice(
  tx: Transaction,
  { actor, account, before, rdv, dossier, at }: OfficeNews,
  { calendarOf, random, notify }: OfficeDeps,
): Promise<void> {
  const calendar = calendarOf(rdv.fuseau)
  if (rdv.statut === 'absent' && before.statut !== 'absent')
    await followUp(tx, rdv, {
      type: 'client_absent',
      at,
      texte: filled(ownTexts.absent, { quand: moment(rdv, calendar) }),
    })
  const act = actor.type === 'client' ? customerAct(before, rdv) : null
  if (act === null) return
  const texte = actText(act, { before, rdv, calendar })
  if (dossier !== null) {
    const change = { champ: 'rdv', ancien: null, nouveau: rdv.id }
    const lines = [historyEntry(actor, at, 'rdv', { change, commentaire: texte })]
    await recordChange(tx, random, dossier, { date_modification: at, lines })
  }
  if (act === 'confirme') return
  // The follow-up of a cancellation has no text of its own. The customer's words are stored with the appointment, where
  // an erasure finds them.
  await followUp(tx, rdv, { type: `rdv_${act}_client`, at, texte: act === 'annule' ? null : texte })
  if (account.prevenir_bureau_depuis === null || account.email === null) return
  const ancien_debut = act === 'deplace' ? before.debut : null
  await notify(tx, account.id, { type: 'rdv_client', acte: act, rdv_id: rdv.id, ancien_debut, date: at })
}

function actText(
  act: CustomerAct,
  { before, rdv, calendar }: Pick<OfficeNews, 'before' | 'rdv'> & { readonly calendar: BusinessCalendar },
): string {
  if (act === 'annule') return rdv.motif_annulation ?? ''
  const quand = moment(rdv, calendar)
  if (act === 'confirme') return filled(ownTexts.confirmed, { quand })
  return filled(ownTexts.moved, { avant: moment(before, calendar), quand })
}

/** Adds a follow-up about an appointment. */
export function followUp(
  tx: Transaction,
  { account_id, id: rdv_id, version, sav, client, debut }: Rdv,
  {
    type,
    at,
    texte,
    cause = version,
  }: {
    readonly type: FollowUpType
    readonly at: string
    readonly texte: string | null
    /** The version of the change, which distinguishes this follow-up from others of the same appointment. */
    readonly cause?: number
  },
): Promise<void> {
  const about = { rdv_id, sav_id: sav?.id ?? null, client_id: client.id }
  return tx.of(followUpStore).save({
    account_id,
    id: `${type}-${rdv_id}-${cause}`,
    type,
    ...about,
    depuis: at,
    debut,
    texte,
    fait: null,
  })
}

/** A time such as `16/03/2026 à 09:00`, in the appointment's time zone. */
export function moment({ debut }: Pick<Rdv, 'debut'>, calendar: BusinessCalendar): string {
  const ms = toMs(debut)
  const [date = '', time = ''] = new Date(ms + calendar.offsetAt(ms)).toISOString().split('T')
  return `${date.split('-').toReversed().join('/')} à ${time.slice(0, 5)}`
}
