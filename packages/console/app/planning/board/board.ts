import type { Poseur, Rdv } from '../../api/client.js'
import { dateOf, timeOf } from '../../session/zone.js'
import type { Off } from '../hours.js'
import { clockOf, minutesOf } from './clock.js'
import type { Held, Place } from './dragging.js'

/** An absence of an installer. */
export interface Away {
  readonly poseur: number
  readonly debut: string
  readonly fin: string
  readonly motif: string | null
}

/** What the week and the day show, and their actions. */
export interface BoardView {
  /** The first shown day. */
  readonly date: string
  readonly poseurs: readonly Poseur[]
  readonly visits: readonly Rdv[]
  readonly away: readonly Away[]
  readonly off: readonly Off[]
  /** Marks somebody as away from that day on; undefined for users without permission. */
  readonly onAway: ((poseur: Poseur, date: string) => void) | undefined
  readonly hrefOf: (visit: Rdv) => string
  /** Called when the user presses a visit, or an empty place (`onEmpty`). Undefined for users without permission. */
  readonly onHold: ((event: PointerEvent, held: Held) => void) | undefined
  readonly onEmpty: ((place: Place) => void) | undefined
  readonly held: Held | null
  readonly place: Place | null
  /** The conflict at that place; null: none. */
  readonly conflict: string | null
}

/** The visits of an installer, including those as a teammate. */
export const visitsWith = (visits: readonly Rdv[], id: number): readonly Rdv[] =>
  visits.filter(({ poseur, equipiers }) => poseur.id === id || equipiers.some((each) => each.id === id))

const firstHour = '08:00'
const step = 15

/** When the next visit of a day could begin: after the existing ones, or else when the day begins. */
export function freeFrom(ofDay: readonly Rdv[], off: readonly Off[], date: string): string {
  const ends = ofDay.map(({ fin }) => (dateOf(fin) === date ? timeOf(fin) : '23:45'))
  const begins = off.find(({ debut, fin }) => debut === `${date}T00:00` && fin.startsWith(date))?.fin.slice(11)
  const latest = ends.toSorted().at(-1) ?? begins ?? firstHour
  return clockOf(Math.min(24 * 60 - step, Math.ceil(minutesOf(latest) / step) * step))
}
