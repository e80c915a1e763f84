/** The building blocks of features on top of planning. */

export { type ApplyDeps, applyChange } from './appointments/applying.js'
export { boundedDays, daysAfter } from './appointments/days.js'
export { type OnSiteReport, refuseWhileBooked, tellItsCase } from './appointments/effects.js'
export {
  advisedRdvShape,
  bookRdvInput,
  changeRdvInput,
  type RdvChange,
  rdvExample,
  rdvShape,
} from './appointments/inputs.js'
export { decideChange } from './appointments/moving.js'
export { followUp, moment } from './appointments/office-news.js'
export { personsIn } from './appointments/parties.js'
export { planningStore, type RdvFilter } from './appointments/planning-store.js'
export {
  type Bilan,
  completed,
  isEnd,
  isStanding,
  movedFrom,
  type NewRdv,
  occupies,
  overlaps,
  personsOf,
  type Rdv,
  rdvView,
  standing,
  takesPlace,
} from './appointments/rdv.js'
export { bookIn } from './booking.js'
export { planningParts } from './parts.js'
export { slotsInput } from './slots/slot-input.js'
export { type SlotOffers, slotOffers } from './slots/slot-offers.js'
export type { SlotTokens } from './slots/slot-token.js'
export { travelByBands } from './travel/bands.js'
export type { Planning } from './use-cases.js'
export { minutesOf, usualBeginning } from './working-time/hours.js'
export { rdvWrites } from './writes.js'
