import type { Poseur, Rdv, Slot } from '../../api/client.js'
import { dateOf, dayName, instantOf, timeOf, wallOf } from '../../session/zone.js'
import { personName } from '../../words/formats.js'
import { words } from '../../words/words.js'
import type { Off } from '../hours.js'
import type { Away } from './board.js'
import type { Held, Place } from './dragging.js'

interface KnownPlanning {
  readonly visits: readonly Rdv[]
  readonly people: readonly Poseur[]
  readonly away: readonly Away[]
  readonly off: readonly Off[]
  /** Undefined while they are being loaded. */
  readonly slots: readonly Slot[] | undefined
}

const nearMs = 15 * 60_000

/** The conflict at a place; null: none that is known here. */
export function conflictAt(
  { visit, minutes }: Pick<Held, 'visit' | 'minutes'>,
  { poseur, wall }: Place,
  { visits, away, off }: Pick<KnownPlanning, 'visits' | 'away' | 'off'>,
): string | null {
  const t = words.value.planning
  const debut = instantOf(wall)
  const fin = new Date(Date.parse(debut) + minutes * 60_000).toISOString()
  const meets = (each: { readonly debut: string; readonly fin: string }) => each.debut < fin && debut < each.fin
  const inTheWay = visits.find(
    (each) =>
      each.id !== visit?.id &&
      each.statut !== 'absent' &&
      [each.poseur, ...each.equipiers].some(({ id }) => id === poseur) &&
      meets(each),
  )
  if (inTheWay) return t.clash(personName(inTheWay.client), timeOf(inTheWay.debut), timeOf(inTheWay.fin))
  if (away.some((each) => each.poseur === poseur && meets(each))) return t.awayThen
  const until = wallOf(fin)
  return off.some((each) => each.poseur === poseur && each.debut < until && wall < each.fin) ? t.offThen : null
}

/** What the user should know before dropping something on a time. The service decides. */
export function hintFor(place: Place, conflict: string | null, { people, slots }: KnownPlanning): string {
  const t = words.value.planning
  const debut = instantOf(place.wall)
  const name = people.find(({ id }) => id === place.poseur)?.nom ?? ''
  const where = t.spot(dayName(dateOf(debut)), timeOf(debut), name)
  if (conflict !== null) return t.atSpot(where, conflict)
  const near = slots?.find(
    (slot) => slot.poseur.id === place.poseur && Math.abs(Date.parse(slot.debut) - Date.parse(debut)) <= nearMs,
  )
  return near ? t.atSpot(where, t.added(near.trajet_ajoute_minutes)) : where
}
