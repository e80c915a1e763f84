import { type Actor, CaseNotFoundError } from '@sav/core'
import {
  type CalendarOf,
  type CursorPage,
  cursorAfter,
  found,
  type ListPage,
  listPage,
  pageOf,
  parse,
  type Reads,
  toInstant,
} from '@sav/core/feature'
import type { Agendas } from './agendas/agendas.js'
import { askedDays } from './appointments/days.js'
import {
  type AdvisedRdvView,
  type BookRdvInput,
  type ChangeRdvInput,
  caseRdvOrder,
  type ListCaseRdvInput,
  type ListRdvInput,
  listCaseRdvInput,
  listRdvInput,
  type RdvView,
  rdvOrder,
} from './appointments/inputs.js'
import { planningStore } from './appointments/planning-store.js'
import { rdvView } from './appointments/rdv.js'
import type { Rounds } from './rounds/day-rounds.js'
import type { SlotOffers } from './slots/slot-offers.js'

/**
 * The appointments of an account. Each method that takes an input throws ValidationError naming every bad field. All
 * throw NotFoundError for what is not in the actor's account, and UnavailableError when the store is busy or
 * unreachable. A method that throws has written nothing.
 *
 * The time of a person (`[debut, fin)`, teammates included) can be booked only once, by any caller in any process.
 * Hours, absences, holidays and skills do not refuse a booking: they are returned as `avertissements`.
 */
export interface Planning extends Agendas, SlotOffers, Rounds {
  /**
   * Appointments that begin on local days `du` to `au`, at most 92, by default in the current week; by `debut`, then
   * `id`.
   */
  list(account_id: string, input: ListRdvInput): Promise<ListPage<RdvView>>
  get(account_id: string, id: number): Promise<RdvView>
  /** A case's appointments, by `debut`, then `id`. @throws CaseNotFoundError */
  ofCase(account_id: string, sav_id: number, input: ListCaseRdvInput): Promise<CursorPage<RdvView>>
  /**
   * Books an appointment. A `propose` holds its time for 15 minutes; then the time is free, even before a worker
   * cancels it.
   * @throws SlotTakenError naming the conflict and possible times, ConflictError for a closed case
   */
  book(actor: Actor, input: BookRdvInput): Promise<AdvisedRdvView>
  /**
   * Replaces the given fields. A confirmed appointment that moves becomes `planifie`, unless the change sets
   * `confirme`. `realise` adds an intervention to the case, and never closes it.
   * @param ifVersion the versions that the caller has read; any other one gives VersionMismatchError
   * @throws ConflictError when the current state forbids the change, SlotTakenError
   */
  change(actor: Actor, id: number, input: ChangeRdvInput, ifVersion?: readonly number[]): Promise<AdvisedRdvView>
}

export interface PlanningQueriesDeps {
  readonly reads: Reads
  readonly clock: { now(): number }
  readonly calendarOf: CalendarOf
}

const anyTime = { from: '2000-01-01T00:00:00.000Z', until: '3000-01-01T00:00:00.000Z' }

export function rdvQueries({
  reads,
  clock,
  calendarOf,
}: PlanningQueriesDeps): Pick<Planning, 'list' | 'get' | 'ofCase'> {
  return {
    async list(account_id, input) {
      const asked = parse(listRdvInput, input)
      const { page: _, limite: __, curseur: ___, du, au, ...filter } = asked
      const account = found(await reads.accounts.find(account_id), 'account', account_id)
      const local = calendarOf(account.fuseau)
      const days = askedDays({ du, au }, local.dateAt(clock.now()))
      const from = toInstant(local.startOfDay(days.du))
      const until = toInstant(local.timeOfDay(days.au, 1440))
      const listed = await reads.of(planningStore).list(account_id, { ...filter, from, until }, pageOf(asked))
      return listPage(rdvOrder, asked, listed, rdvView)
    },
    async ofCase(account_id, sav_id, input) {
      const asked = parse(listCaseRdvInput, input)
      if ((await reads.cases.find(account_id, sav_id)) === null) throw new CaseNotFoundError(sav_id)
      const { items, next } = await reads.of(planningStore).list(account_id, { ...anyTime, sav_id }, pageOf(asked))
      return { items: items.map(rdvView), curseur: cursorAfter(caseRdvOrder, asked, next) }
    },
    async get(account_id, id) {
      return rdvView(found(await reads.of(planningStore).find(account_id, id), 'rdv', id))
    },
  }
}
