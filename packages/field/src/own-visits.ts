import { type Actor, NotFoundError } from '@sav/core'
import { type CalendarOf, found, type Reads, toInstant, toMs } from '@sav/core/feature'
import { daysAfter, personsOf, planningStore, type Rdv } from '@sav/planning/feature'
import { conflict } from './refusals.js'

/** The visits that a caller may see and report on: those of one installer, or all. */
export type Reach = { readonly poseur_id: number } | 'all'

/** How many local days back and ahead an installer sees visits. */
const daysBack = 7
const daysAhead = 14
/** The most visits that are read for these days: more than one person has. */
export const mostVisits = 500
/** How long a report of the previous installer is accepted after the visit was reassigned. */
const tellableMs = 14 * 86_400_000

/**
 * A caller's visits: an installer's own, or all for a caller with all rights.
 * @throws ConflictError for other callers
 */
export function reachOf({ poseur_id }: Actor, mayAll: boolean): Reach {
  if (poseur_id !== undefined && poseur_id !== null) return { poseur_id }
  if (mayAll) return 'all'
  throw conflict('not_own_visit')
}

/** Whether the visit is one of the installer, as poseur or teammate. */
export const isOwn = (rdv: Rdv, reach: Reach): boolean => reach === 'all' || personsOf(rdv).includes(reach.poseur_id)

/**
 * Whether the installer may report on a visit: it is theirs, or was theirs less than 14 days before `at`.
 * @param at when the reported event happened
 */
export function mayTell(rdv: Rdv, reach: Reach, at: string): boolean {
  if (isOwn(rdv, reach) || reach === 'all') return true
  const { poseur_id } = reach
  return rdv.deplacements.some(
    ({ personnes, date }) => personnes.includes(poseur_id) && toMs(date) > toMs(at) - tellableMs,
  )
}

export interface OwnVisitsDeps {
  readonly reads: Reads
  readonly clock: { now(): number }
  readonly calendarOf: CalendarOf
}

/** The local days that an installer sees. */
export interface FieldDays {
  readonly du: string
  readonly au: string
  /** Instants: from the beginning of the first to the end of the last. */
  readonly from: string
  readonly until: string
}

export async function fieldDays({ reads, clock, calendarOf }: OwnVisitsDeps, account_id: string): Promise<FieldDays> {
  const { fuseau } = found(await reads.accounts.find(account_id), 'account', account_id)
  const local = calendarOf(fuseau)
  const today = local.dateAt(clock.now())
  const [du, au] = [daysAfter(today, -daysBack), daysAfter(today, daysAhead)]
  return { du, au, from: toInstant(local.startOfDay(du)), until: toInstant(local.timeOfDay(au, 1440)) }
}

/** @throws NotFoundError for a case without a visible visit of the installer */
export async function refuseOthersCase(
  deps: OwnVisitsDeps,
  account_id: string,
  { sav_id, reach }: { readonly sav_id: number; readonly reach: Reach },
): Promise<void> {
  if (reach === 'all') return
  const { from, until } = await fieldDays(deps, account_id)
  const filter = { from, until, sav_id, poseur_id: reach.poseur_id }
  const { total } = await deps.reads.of(planningStore).list(account_id, filter, { page: 1, limite: 1 })
  if (total === 0) throw new NotFoundError('case', sav_id)
}
