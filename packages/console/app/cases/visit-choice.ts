import type { Rdv } from '../api/client.js'

type Seen = Pick<Rdv, 'id' | 'statut' | 'debut' | 'fin'>

const early = (a: Seen, b: Seen) => (a.debut < b.debut ? -1 : 1)

export interface Standing {
  readonly statut: 'planifie' | 'confirme' | 'en_cours'
}

/** Whether somebody goes there, or is there. */
export const isStanding = <Visit extends Pick<Rdv, 'statut'>>(visit: Visit): visit is Visit & Standing =>
  visit.statut === 'planifie' || visit.statut === 'confirme' || visit.statut === 'en_cours'

/** The visit that comes next, or is under way; what is only proposed counts as long as it can be taken. */
export function nextOf<Visit extends Seen>(visits: readonly Visit[], now: string): Visit | null {
  const coming = visits.filter((each) => (isStanding(each) || each.statut === 'propose') && each.fin > now)
  return coming.find(({ statut }) => statut === 'en_cours') ?? coming.toSorted(early)[0] ?? null
}

/** Visits that a close may end. */
export const endable = <Visit extends Seen>(visits: readonly Visit[]): Visit[] =>
  visits.filter(isStanding).toSorted(early)

/** The visit that a close most likely ends: the one that has begun, else one of today; null: it ends none. */
export function endedOf<Visit extends Seen>(
  visits: readonly Visit[],
  isToday: (debut: string) => boolean,
): Visit | null {
  const open = endable(visits)
  return open.find(({ statut }) => statut === 'en_cours') ?? open.find(({ debut }) => isToday(debut)) ?? null
}
