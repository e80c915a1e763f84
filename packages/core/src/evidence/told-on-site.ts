import { happenedAt, isBelieved } from '../time/happened.js'
import type { Snapshot } from './evidence.js'

/** What a phone said of when a case was closed on site, where that arrived later. */
export interface ToldOnSite {
  /** By the phone's clock, corrected by `decalage_ms`. */
  readonly survenu_a: string
  /** Whether it can have been then; if not, its arrival counts. */
  readonly cru: boolean
  /** By how many milliseconds the phone's clock was ahead of the service's. */
  readonly decalage_ms: number
}

type Closed = Pick<Snapshot, 'date_cloture' | 'survenu_a' | 'decalage_ms'>

/** Null: it was not closed from the field. */
export function toldOnSite({ date_cloture, survenu_a, decalage_ms = 0 }: Closed): ToldOnSite | null {
  return survenu_a === undefined ? null : { survenu_a, cru: isBelieved(survenu_a, date_cloture), decalage_ms }
}

/** When the case was closed, as far as anybody can say. */
export const closedAt = ({ date_cloture, survenu_a = date_cloture }: Closed): string =>
  happenedAt(survenu_a, date_cloture)
