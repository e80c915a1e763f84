export type { RdvLetterChannels } from './appointments/customer-letters.js'
export type {
  AbsencesView,
  AdvisedRdvView,
  BookRdvInput,
  ChangeRdvInput,
  ListRdvInput,
  RdvView,
} from './appointments/inputs.js'
export type { CalendarView } from './calendars/calendars.js'
export type { RdvIcal } from './customers/rdv-letter.js'
export {
  type PlanningCases,
  type PlanningCaseWrites,
  type PlanningFeature,
  type PlanningOptions,
  planning,
} from './planning.js'
export type { OptimisedRounds } from './rounds/round-input.js'
export type { RoundPlan, RoundProblem, RoundSolver } from './rounds/round-problem.js'
export type { SlotsInput } from './slots/slot-input.js'
export type { Point, TravelTable, TravelTimes } from './travel/travel-times.js'
export type { Horaires } from './working-time/hours.js'
