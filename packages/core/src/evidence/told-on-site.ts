import { happenedAt, isBelieved } from '../time/happened.js'
import type { Snapshot } from './evidence.js'

/** The time of a close on site that a phone sent later. */
export interface OnSiteTime {
  /** The time by the phone's clock, corrected by `decalage_ms`. */
  readonly survenu_a: string
  /** Whether that time is plausible; if not, the time of arrival counts. */
  readonly cru: boolean
  /** How many milliseconds the phone's clock was ahead of the service's. */
  readonly decalage_ms: number
}

type CloseTimes = Pick<Snapshot, 'date_cloture' | 'survenu_a' | 'decalage_ms'>

/** The time of a close on site; null for any other close. */
export function toldOnSite({ date_cloture, survenu_a, decalage_ms = 0 }: CloseTimes): OnSiteTime | null {
  return survenu_a === undefined ? null : { survenu_a, cru: isBelieved(survenu_a, date_cloture), decalage_ms }
}

/** When the case was closed on site, if that time is plausible; otherwise when the close arrived. */
export const closedAt = ({ date_cloture, survenu_a = date_cloture }: CloseTimes): string =>
  happenedAt(survenu_a, date_cloture)
