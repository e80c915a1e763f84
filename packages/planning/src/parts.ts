import { partToken } from '@sav/core/feature'
import type { PlanningAdvice } from './appointments/advice.js'
import type { CustomerLetters } from './appointments/customer-letters.js'
import type { SlotTokens } from './slots/slot-token.js'

/** What planning shares with features that change appointments. */
export interface PlanningParts {
  readonly letters: CustomerLetters
  readonly tokens: SlotTokens
  readonly advice: PlanningAdvice
}

/** In a feature that builds on planning: `parts.of(planningParts)`. */
export const planningParts = partToken<PlanningParts>('planning')
