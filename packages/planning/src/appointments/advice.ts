import { ValidationError } from '@sav/core'
import type { Reads, Slot } from '@sav/core/feature'
import { fieldProblem } from '../refusals.js'
import type { Interval, NewRdv, Rdv } from './rdv.js'

/** The search for slots, as booking needs it. */
export interface PlanningAdvice {
  /** The slot of a token. @throws ValidationError on `jeton` for one that is forged, expired or foreign */
  openSlot(account_id: string, jeton: string): Interval & { readonly poseur_id: number }
  /**
   * At most three other slots, each bookable at once. `reads` are those of the transaction that found the time taken.
   */
  alternatives(reads: Reads, wanted: NewRdv): Promise<readonly Slot[]>
  /** At most three other times for the same people, from `notBefore` (milliseconds) on, no two in one half of a day. */
  otherTimes(reads: Reads, rdv: Rdv, notBefore: number): Promise<readonly Slot[]>
}

/** Advice of a service without slots: no alternatives, and every token is refused. */
export const noSlots: PlanningAdvice = {
  openSlot() {
    throw new ValidationError([fieldProblem('jeton', 'slot_token_unknown')])
  },
  alternatives: async () => [],
  otherTimes: async () => [],
}
