import type { Rdv } from '../api/client.js'

type VisitTimes = Pick<Rdv, 'id' | 'statut' | 'debut' | 'fin'>

const early = (a: VisitTimes, b: VisitTimes) => (a.debut < b.debut ? -1 : 1)

export interface StandingState {
  readonly statut: 'planifie' | 'confirme' | 'en_cours'
}

/** Whether the visit is planned, confirmed, or in progress. */
export const isStanding = <Visit extends Pick<Rdv, 'statut'>>(visit: Visit): visit is Visit & StandingState =>
  visit.statut === 'planifie' || visit.statut === 'confirme' || visit.statut === 'en_cours'

/** The next or current visit; a proposal counts as long as it can be booked. */
export function nextOf<Visit extends VisitTimes>(visits: readonly Visit[], now: string): Visit | null {
  const coming = visits.filter((each) => (isStanding(each) || each.statut === 'propose') && each.fin > now)
  return coming.find(({ statut }) => statut === 'en_cours') ?? coming.toSorted(early)[0] ?? null
}

/** Visits that a close may end. */
export const endable = <Visit extends VisitTimes>(visits: readonly Visit[]): Visit[] =>
  visits.filter(isStanding).toSorted(early)

/** The visit that a close most likely ends: one that has begun, or else one of today; null: none. */
export function endedOf<Visit extends VisitTimes>(
  visits: readonly Visit[],
  isToday: (debut: string) => boolean,
): Visit | null {
  const open = endable(visits)
  return open.find(({ statut }) => statut === 'en_cours') ?? open.find(({ debut }) => isToday(debut)) ?? null
}
