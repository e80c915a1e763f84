import {
  businessCalendar,
  calendars,
  createFairQueue,
  type Feature,
  firstMissing,
  performing,
  rdvLetterKinds,
  signedTexts,
} from '@sav/core/feature'
import { agendaQueries, agendaWrites } from './agendas/agendas.js'
import {
  createCustomerLetters,
  noChannels,
  type RdvLetterChannels,
  rdvLetterDelayMs,
} from './appointments/customer-letters.js'
import { cancelComing, endVisit, erasureOfRdv, refuseWhileBooked } from './appointments/effects.js'
import { holdsJob } from './appointments/holds.js'
import { officeNotices } from './appointments/office-notices.js'
import { planningStore } from './appointments/planning-store.js'
import { rdvEvents } from './appointments/rdv-events.js'
import { calendarStore } from './calendars/calendar-store.js'
import { type Calendars, calendarPermissions, calendarQueries, calendarWrites } from './calendars/calendars.js'
import { dueLettersJob } from './customers/due-letters.js'
import { type RdvIcal, rdvLetterWriter } from './customers/rdv-letter.js'
import { rdvPageAddresses } from './customers/rdv-page-address.js'
import { rdvPageStore } from './customers/rdv-page-store.js'
import { type RdvPages, rdvPageQueries, rdvPageWrites } from './customers/rdv-pages.js'
import { remindersJob } from './customers/reminders.js'
import { followUpStore } from './follow-ups/follow-up-store.js'
import { type FollowUps, followUpQueries, followUpWrites } from './follow-ups/follow-ups.js'
import { planningNames } from './names.js'
import { type PlanningParts, planningParts } from './parts.js'
import { sentences } from './refusals.js'
import { roundQueries, roundWrites } from './rounds/day-rounds.js'
import type { RoundSolver } from './rounds/round-problem.js'
import { planningPermissions } from './routes/permissions.js'
import { slotAdvice, slotOffers } from './slots/slot-offers.js'
import { createSlotTokens } from './slots/slot-token.js'
import { travelByBands } from './travel/bands.js'
import type { TravelTimes } from './travel/travel-times.js'
import { type Planning, rdvQueries } from './use-cases.js'
import { rdvWrites } from './writes.js'

/** Loaded at the first use: few services plan rounds. */
const inThisProcess: RoundSolver = {
  solve: async (problem) => (await import('./engines/rounds/solve-rounds.js')).inlineSolver.solve(problem),
}

/** The options of planning. */
export interface PlanningOptions {
  /**
   * Plans rounds. Default: in this process, with few tries; `solverInThread` of `@sav/planning/engines` searches
   * longer.
   */
  readonly roundSolver?: RoundSolver
  /** Travel times for rounds. Default: estimated from the distance. */
  readonly travelTimes?: TravelTimes
  /** The channels of letters about appointments, for each kind that is sent. Default: none. */
  readonly letters?: Partial<RdvLetterChannels>
  /** How long letters about changes of an appointment wait for further changes. Default: a minute. */
  readonly letterDelayMs?: number
  /** Writes an appointment for the customer's own calendar. Default: null, letters have no calendar file. */
  readonly ical?: RdvIcal | null
}

/** The use cases of this feature, by their names in the service. */
export interface PlanningCases {
  readonly planning: Planning
  readonly calendars: Calendars
  readonly rdvPages: RdvPages
  readonly followUps: FollowUps
}

/** The use cases that write. */
export type PlanningCaseWrites = ReturnType<typeof writesOf>

/** The feature, as a type: `Sav<PlanningFeature>` has its use cases. */
export type PlanningFeature = Feature<PlanningCases, PlanningCaseWrites>

/** Installers' appointments, working time, rounds and calendars, and customers' pages and letters. */
export const planning = ({
  roundSolver = inThisProcess,
  travelTimes = travelByBands,
  letters: channels = {},
  letterDelayMs = rdvLetterDelayMs,
  ical = null,
}: PlanningOptions = {}): PlanningFeature => ({
  name: 'planning',
  sentences,
  permissions: planningPermissions,
  events: rdvEvents,
  stores: [planningStore, rdvPageStore, calendarStore, followUpStore],
  compose(parts) {
    const { newId, random, clock, calendarOf, secretKey, findSecretKey } = parts
    const tokens = createSlotTokens(secretKey, findSecretKey)
    const letters = createCustomerLetters({
      newId,
      channels: { ...noChannels, ...channels },
      delayMs: letterDelayMs,
    })
    const own: PlanningParts = { letters, tokens, advice: slotAdvice({ clock, calendarOf, tokens }) }
    const rounds = {
      solver: roundSolver,
      travel: travelTimes,
      // Two days at once, so that a small day does not wait for the large one of another account.
      queue: createFairQueue({ atOnce: 2, waitingPerCaller: 2 }),
      previews: signedTexts({ secretKey, findKey: findSecretKey, purpose: 'sav round preview', version: 't1' }),
      undos: signedTexts({ secretKey, findKey: findSecretKey, purpose: 'sav planning undo', version: 'u1' }),
    }
    return {
      shares: [planningParts.share(own)],
      erasesClient: erasureOfRdv,
      endsVisit: endVisit({ newId, random }),
      caseOfVisit: async (tx, account_id, rdv_id) =>
        (await tx.of(planningStore).find(account_id, rdv_id))?.sav?.id ?? null,
      caseCloses: cancelComing({ newId, letters }),
      poseurLeaves: refuseWhileBooked,
      async personChanges(tx, { account_id, id, permissions }) {
        if (firstMissing(permissions, calendarPermissions) !== undefined) await tx.of(calendarStore).end(account_id, id)
      },
      targetNames: planningNames,
      on({ storage, reads, hooks: { findPerson } }) {
        const deps = { ...parts, ...own, ...rounds, storage, reads, findPerson }
        const writes = writesOf(deps)
        return {
          useCases: {
            planning: {
              ...rdvQueries(deps),
              ...agendaQueries(deps),
              ...slotOffers(deps),
              ...roundQueries(deps),
              ...performing(storage, writes.planning),
            },
            rdvPages: { ...rdvPageQueries(deps), ...performing(storage, writes.rdvPages) },
            calendars: { ...calendarQueries(deps), ...performing(storage, writes.calendars) },
            followUps: { ...followUpQueries(deps), ...performing(storage, writes.followUps) },
          },
          writes,
        }
      },
    }
  },
  jobs: (of) => [holdsJob(of)],
  letters({ storage, clock, newId, secretKey, timeZone, publicUrl }) {
    const pageUrlOf = rdvPageAddresses({ storage, secretKey, publicUrl })
    const deps = { reads: storage.reads, clock, pageUrlOf, ical }
    // `delayMs` has no effect here: the process that makes a change decides how long its letter waits.
    const letters = createCustomerLetters({ newId, channels: { ...noChannels, ...channels }, delayMs: 0 })
    const calendarOf = calendars(businessCalendar(timeZone))
    return {
      writers: rdvLetterKinds.map((about) => rdvLetterWriter(about, deps)),
      notices: officeNotices(storage.reads),
      jobs: [dueLettersJob({ storage, clock, letters }), remindersJob({ storage, clock, calendarOf, letters })],
    }
  },
})

type WriteDeps = Parameters<typeof rdvWrites>[0] &
  Parameters<typeof agendaWrites>[0] &
  Parameters<typeof roundWrites>[0] &
  Parameters<typeof calendarWrites>[0] &
  Parameters<typeof followUpWrites>[0]

function writesOf(deps: WriteDeps) {
  const planning = rdvWrites(deps)
  return {
    planning: { ...planning, ...agendaWrites(deps), ...roundWrites(deps) },
    rdvPages: rdvPageWrites({ ...deps, planning }),
    calendars: calendarWrites(deps),
    followUps: followUpWrites(deps),
  }
}
