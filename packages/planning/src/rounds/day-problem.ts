import type { Lieu } from '@sav/core'
import {
  type BusinessCalendar,
  type CalendarOf,
  found,
  type Reads,
  sha256Of,
  type TypeProbleme,
  toInstant,
  toMs,
} from '@sav/core/feature'
import type { Account, Poseur } from '@sav/core/ports'
import { agendaInForce } from '../agendas/poseurs.js'
import { type Agenda, planningStore } from '../appointments/planning-store.js'
import { isExpired, personsOf, placeOf, type Rdv } from '../appointments/rdv.js'
import type { PointOf } from '../places/places.js'
import type { Note } from '../travel/notes.js'
import type { Point, TravelTimes } from '../travel/travel-times.js'
import { localDays, without, workingDays } from '../working-time/working-days.js'
import type { RoundInstaller, RoundProblem, RoundVisit, Span } from './round-problem.js'

/** A local day of some poseurs, from the store. */
export interface ShopDay {
  readonly date: string
  readonly account: Account
  readonly calendar: BusinessCalendar
  readonly poseurs: readonly { readonly poseur: Poseur; readonly agenda: Agenda | null }[]
  /** The appointments that occupy one of these poseurs on that day, by `debut`, each once. */
  readonly rdvs: readonly Rdv[]
  /** The skills that their cases need, by the id of the case. */
  readonly needs: ReadonlyMap<number, TypeProbleme>
}

export interface AskedDay {
  readonly account_id: string
  readonly date: string
  readonly poseurs: readonly Poseur[]
  readonly calendarOf: CalendarOf
  readonly nowMs: number
}

/** All inputs for planning a day's rounds, except travel. Reads within the transaction, if there is one. */
export async function shopDay(reads: Reads, asked: AskedDay): Promise<ShopDay> {
  const { account_id, date, calendarOf, nowMs } = asked
  const account = found(await reads.accounts.find(account_id), 'account', account_id)
  const calendar = calendarOf(account.fuseau)
  const day = { debut: toInstant(calendar.startOfDay(date)), fin: toInstant(calendar.timeOfDay(date, 1440)) }
  const ids = asked.poseurs.map(({ id }) => id)
  const now = toInstant(nowMs)
  const taken = await reads.of(planningStore).overlapping(account_id, ids, day)
  const rdvs = taken.filter((rdv) => !isExpired(rdv, now))
  const needs = new Map<number, TypeProbleme>()
  for (const { sav } of rdvs) {
    const dossier = sav === null ? null : await reads.cases.find(account_id, sav.id)
    if (dossier !== null) needs.set(dossier.id, dossier.type_probleme)
  }
  const poseurs: { poseur: Poseur; agenda: Agenda | null }[] = []
  for (const poseur of asked.poseurs)
    poseurs.push({ poseur, agenda: await reads.of(planningStore).agenda(account_id, poseur.id) })
  return { date, account, calendar, poseurs, rdvs, needs }
}

/** SHA-256 of everything that a plan depends on. */
export function digestOf({ date, account, poseurs, rdvs, needs }: ShopDay): string {
  const { fuseau, zone_feries, pas } = account
  const people = poseurs.map(({ poseur: { id, lieu, lieu_retour }, agenda }) => [id, lieu, lieu_retour, agenda])
  const visits = rdvs.map((rdv) => [rdv.id, rdv.version, placeOf(rdv)])
  return sha256Of(JSON.stringify([date, fuseau, zone_feries, pas, people, visits, [...needs]]), 'base64url')
}

/**
 * Whether a round may move the appointment: its time is not promised to a customer, it has no team, and it has not
 * begun.
 */
const isMovable = (rdv: Rdv, nowMs: number) =>
  (rdv.statut === 'planifie' || rdv.statut === 'propose') && rdv.equipiers.length === 0 && toMs(rdv.debut) > nowMs

export interface ProblemDeps {
  readonly pointOf: PointOf
  readonly travel: TravelTimes
  readonly nowMs: number
  /** The ids of visits that must not move. */
  readonly fixed: ReadonlySet<number>
}

export interface DayProblem {
  readonly problem: RoundProblem
  readonly avertissements: readonly Note[]
}

/** The day as a problem in numbers. Instants are seconds since the epoch, and moved visits begin at whole minutes. */
export async function problemOf(day: ShopDay, { pointOf, travel, nowMs, fixed }: ProblemDeps): Promise<DayProblem> {
  const points: Point[] = []
  const nodes = new Map<string, number>()
  const nodeOf = (lieu: Lieu | null): number | null => {
    const place = lieu === null ? null : pointOf(lieu)
    if (place === null) return null
    const key = `${place.point.lat} ${place.point.lon}`
    const known = nodes.get(key)
    if (known !== undefined) return known
    nodes.set(key, points.length)
    points.push(place.point)
    return points.length - 1
  }

  const { date, calendar, account } = day
  const days = localDays({ du: date, au: date, calendar, zoneFeries: account.zone_feries })
  const begin = calendar.startOfDay(date)
  const leads = day.rdvs.filter(
    ({ poseur, debut }) => toMs(debut) >= begin && day.poseurs.some((each) => each.poseur.id === poseur.id),
  )
  const led = new Set(leads.map(({ id }) => id))
  const installers = day.poseurs.map(({ poseur, agenda }): RoundInstaller => {
    const { competences, ...worktime } = agendaInForce(agenda)
    const [worked] = workingDays(worktime, days)
    const duties = day.rdvs.filter(
      (rdv) => personsOf(rdv).includes(poseur.id) && !(led.has(rdv.id) && rdv.poseur.id === poseur.id),
    )
    const free = without((worked?.intervals ?? []).map(spanOf), [
      ...duties.map((rdv) => spanOf({ debut: toMs(rdv.debut), fin: toMs(rdv.fin) })),
      { debut: Number.NEGATIVE_INFINITY, fin: Math.ceil(nowMs / 60_000) * 60 },
    ])
    return {
      id: poseur.id,
      plages: free,
      start: nodeOf(poseur.lieu),
      end: nodeOf(poseur.lieu_retour ?? poseur.lieu),
      competences: competences.length === 0 ? null : competences,
    }
  })
  const visits = leads.map((rdv): RoundVisit => {
    const debut = secondsOf(rdv.debut)
    const moves = isMovable(rdv, nowMs) && !fixed.has(rdv.id)
    const window = rdv.fenetre_client
    return {
      id: rdv.id,
      node: nodeOf(placeOf(rdv)),
      duration: secondsOf(rdv.fin) - debut,
      competence: moves && rdv.sav !== null ? (day.needs.get(rdv.sav.id) ?? null) : null,
      installer: moves ? null : rdv.poseur.id,
      fenetre: !moves
        ? { debut, fin: debut }
        : window && { debut: secondsOf(window.debut), fin: secondsOf(window.fin) },
      isPromised: !moves,
      current: { installer: rdv.poseur.id, debut },
    }
  })
  const { seconds, meters, avertissements } = await travel.table(points)
  return { problem: { installers, visits, travel: { seconds, meters }, step: 60 }, avertissements }
}

const secondsOf = (instant: string) => Math.floor(toMs(instant) / 1000)
const spanOf = ({ debut, fin }: Span): Span => ({ debut: Math.ceil(debut / 1000), fin: Math.floor(fin / 1000) })
