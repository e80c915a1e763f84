import type { Reads, Slot } from '@sav/core/feature'
import type { Interval, NewRdv, Rdv } from './rdv.js'

/** What booking needs from the search for slots. */
export interface PlanningAdvice {
  /** The slot of a token. @throws ValidationError on `jeton` if it is forged, expired or another account's */
  openSlot(account_id: string, jeton: string): Interval & { readonly poseur_id: number }
  /**
   * At most three other slots, each of which can be booked at once. `reads` must be those of the transaction that found
   * the conflict.
   */
  alternatives(reads: Reads, wanted: NewRdv): Promise<readonly Slot[]>
  /** At most three other times for the same people, from `notBefore` (milliseconds) on, no two in the same half-day. */
  otherTimes(reads: Reads, rdv: Rdv, notBefore: number): Promise<readonly Slot[]>
}
