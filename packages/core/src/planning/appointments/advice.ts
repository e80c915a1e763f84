import { fieldProblem, type Slot, ValidationError } from '../../errors.js'
import type { Reads } from '../../storage.js'
import type { Interval, NewRdv, Rdv } from './rdv.js'

/** What booking asks of who knows slots. */
export interface PlanningAdvice {
  /** What a slot's token stands for. @throws ValidationError on `jeton` for one that is forged, expired or foreign */
  openSlot(account_id: string, jeton: string): Interval & { readonly poseur_id: number }
  /** At most three slots instead, each bookable at once. `reads` are those of the transaction that found it taken. */
  alternatives(reads: Reads, wanted: NewRdv): Promise<readonly Slot[]>
  /** At most three other times for the same people, from `notBefore` (milliseconds) on, no two in one half of a day. */
  otherTimes(reads: Reads, rdv: Rdv, notBefore: number): Promise<readonly Slot[]>
}

/** For who has no slots to offer: nothing instead, and no token is one of theirs. */
export const noSlots: PlanningAdvice = {
  openSlot() {
    throw new ValidationError([fieldProblem('jeton', 'slot_token_unknown')])
  },
  alternatives: async () => [],
  otherTimes: async () => [],
}
