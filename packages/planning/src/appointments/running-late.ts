import { type CalendarOf, minuteMs, toInstant, toMs } from '@sav/core/feature'
import type { Transaction } from '@sav/core/ports'
import { type CustomerLetters, isAwaited, writesToCustomers } from './customer-letters.js'
import { planningStore } from './planning-store.js'
import { isEnd, type Rdv } from './rdv.js'

/** The most visits that are read for a day: more than one person can have. */
const dayLimite = 200

/** A visit that begins later than announced. */
export interface LateVisit {
  readonly rdv: Rdv
  readonly retard_minutes: number
}

/**
 * The visits that a delay affects: the late visit, unless work has begun there, and later ones. The time between two
 * visits, minus the travel if a round has computed it, absorbs a part of the delay. So does the window announced to a
 * customer.
 * @param late the late visit, with the delay that its poseur reported in `retard_minutes`
 * @param next later visits of the same person on the same day, by `debut`
 */
export function lateVisits(late: Rdv, next: readonly Rdv[]): LateVisit[] {
  const reached: LateVisit[] = []
  let minutes = late.retard_minutes ?? 0
  if (isToldLater(late, minutes)) reached.push({ rdv: late, retard_minutes: minutes })
  let before = late
  for (const rdv of next) {
    if (isEnd(rdv.statut)) continue
    const free = (toMs(rdv.debut) - toMs(before.fin)) / minuteMs - (rdv.trajet_avant_minutes ?? 0)
    minutes = Math.ceil(minutes - Math.max(0, free))
    if (minutes <= 0) break
    if (isToldLater(rdv, minutes)) reached.push({ rdv, retard_minutes: minutes })
    before = rdv
  }
  return reached
}

function isToldLater(rdv: Rdv, minutes: number): boolean {
  if (!isAwaited(rdv) || minutes <= 0) return false
  return rdv.fenetre_client === null || toMs(rdv.debut) + minutes * minuteMs > toMs(rdv.fenetre_client.fin)
}

/** Whether the customer of a late visit is no longer waiting. */
export const isLateOver = ({ debut }: Pick<Rdv, 'debut'>, retard_minutes: number, now: number): boolean =>
  toMs(debut) + retard_minutes * minuteMs <= now

interface LateDeps {
  readonly letters: CustomerLetters
  readonly calendarOf: CalendarOf
}

/**
 * Sends letters to the customers whom a new delay affects, if the account sends letters: one for each reported delay.
 */
export async function tellLate(
  tx: Transaction,
  { before, rdv, at }: { readonly before: Rdv; readonly rdv: Rdv; readonly at: string },
  { letters, calendarOf }: LateDeps,
): Promise<void> {
  const { account_id, retard_minutes, poseur, fuseau } = rdv
  if (retard_minutes === null || retard_minutes === before.retard_minutes || isEnd(rdv.statut)) return
  const account = await tx.accounts.find(account_id)
  if (account === null || !writesToCustomers(account)) return
  const calendar = calendarOf(fuseau)
  const until = toInstant(calendar.timeOfDay(calendar.dateAt(toMs(rdv.debut)), 1440))
  const filter = { from: rdv.fin, until, poseur_id: poseur.id }
  const { items } = await tx.of(planningStore).list(account_id, filter, { page: 1, limite: dayLimite })
  const retard_de = { id: rdv.id, minutes: retard_minutes }
  for (const visit of lateVisits(rdv, items))
    if (!isLateOver(visit.rdv, visit.retard_minutes, toMs(at)))
      await letters.write(tx, visit.rdv, { about: 'retard', at, retard_minutes: visit.retard_minutes, retard_de })
}
