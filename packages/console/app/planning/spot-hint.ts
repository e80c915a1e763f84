import type { Poseur, Rdv, Slot } from '../api/client.js'
import { dateOf, dayName, instantOf, timeOf, wallOf } from '../session/zone.js'
import { personName } from '../words/formats.js'
import { words } from '../words/words.js'
import type { Away, Spot } from './calendar.js'
import type { Off } from './hours.js'

interface KnownPlanning {
  readonly visits: readonly Rdv[]
  readonly people: readonly Poseur[]
  readonly away: readonly Away[]
  readonly off: readonly Off[]
  /** Undefined while they are not there. */
  readonly slots: readonly Slot[] | undefined
}

const nearMs = 15 * 60_000

/** What is in the way where a visit is held; null: nothing that is known here. */
export function conflictAt(
  { visit, wall, minutes, to }: Spot,
  { visits, away, off }: Pick<KnownPlanning, 'visits' | 'away' | 'off'>,
): string | null {
  const t = words.value.planning
  const debut = instantOf(wall)
  const fin = new Date(Date.parse(debut) + minutes * 60_000).toISOString()
  const meets = (each: { readonly debut: string; readonly fin: string }) => each.debut < fin && debut < each.fin
  const inTheWay = visits.find(
    (each) =>
      each.id !== visit.id &&
      each.statut !== 'absent' &&
      [each.poseur, ...each.equipiers].some(({ id }) => id === to) &&
      meets(each),
  )
  if (inTheWay) return t.clash(personName(inTheWay.client), timeOf(inTheWay.debut), timeOf(inTheWay.fin))
  if (away.some((each) => each.poseur === to && meets(each))) return t.awayThen
  const until = wallOf(fin)
  return off.some((each) => each.poseur === to && each.debut < until && wall < each.fin) ? t.offThen : null
}

/** What somebody who holds a visit over a time should know before letting go. The service decides. */
export function hintFor(spot: Spot, known: KnownPlanning): string {
  const t = words.value.planning
  const debut = instantOf(spot.wall)
  const name = known.people.find(({ id }) => id === spot.to)?.nom ?? ''
  const where = t.spot(dayName(dateOf(debut)), timeOf(debut), name)
  const conflict = conflictAt(spot, known)
  if (conflict !== null) return `${where} : ${conflict}`
  const near = known.slots?.find(
    (slot) => slot.poseur.id === spot.to && Math.abs(Date.parse(slot.debut) - Date.parse(debut)) <= nearMs,
  )
  return near ? `${where} : ${t.added(near.trajet_ajoute_minutes)}` : where
}
