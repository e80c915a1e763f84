import { type RdvStatut, type RdvType, storeToken, type TypeProbleme } from '@sav/core/feature'
import type { Page, Paged } from '@sav/core/ports'
import type { Absence, Horaires } from '../working-time/hours.js'
import type { Interval, NewRdv, Rdv } from './rdv.js'

/** Filters, all of which must match. */
export interface RdvFilter {
  /** Instants: `debut` is at or after `from`, and before `until`. */
  readonly from: string
  readonly until: string
  /** The poseur in charge, or a teammate. */
  readonly poseur_id?: number | undefined
  readonly client_id?: number | undefined
  readonly sav_id?: number | undefined
  readonly statut?: RdvStatut | undefined
  readonly type?: RdvType | undefined
}

/** The hours and skills of a poseur. */
export interface Agenda {
  /** Null: none are recorded, so the default ones apply. */
  readonly horaires: Horaires | null
  /** By `debut`. */
  readonly absences: readonly Absence[]
  /** When the absences were last recorded; null: never, or before this date was stored. */
  readonly absences_depuis: string | null
  /** Empty: none are recorded, which means all. */
  readonly competences: readonly TypeProbleme[]
}

/** Appointments, and the working time of poseurs. Includes expired holds until a worker cancels them. */
export interface PlanningReads {
  find(account_id: string, id: number): Promise<Rdv | null>
  /**
   * Sorted by `debut`, then `id`; these two are the position of an appointment in the list. A page past the end is
   * empty, with the true total.
   */
  list(account_id: string, filter: RdvFilter, page: Page): Promise<Paged<Rdv>>
  /**
   * Appointments that occupy one of these people at any time of the interval, including expired holds, by `debut`, then
   * `id`. The cost does not grow with the number of appointments. A transaction that calls this blocks, until it ends,
   * every other transaction that calls it for one of the same people.
   */
  overlapping(account_id: string, poseur_ids: readonly number[], interval: Interval): Promise<Rdv[]>
  /** A person's appointments that occupy time and begin at or after `from`, by `debut`, then `id`, at most `limit`. */
  comingOfPoseur(account_id: string, poseur_id: number, from: string, limit: number): Promise<Rdv[]>
  /** A case's appointments that occupy time and begin at or after `from`, by `debut`, then `id`. */
  comingOfCase(account_id: string, sav_id: number, from: string): Promise<Rdv[]>
  /** All appointments of a client, by id. */
  ofClient(account_id: string, client_id: number): Promise<Rdv[]>
  /** Appointments of any of these cases or clients, in every state: by `debut`, the latest first, at most `limit`. */
  latest(
    account_id: string,
    of: { readonly sav_ids: readonly number[]; readonly client_ids: readonly number[]; readonly limit: number },
  ): Promise<Rdv[]>
  /** Holds of any account that expired at or before `now`, at most `limit`. */
  expiredHolds(now: string, limit: number): Promise<{ account_id: string; id: number }[]>
  /** Appointments of any account whose letter is due at or before `now`, the longest due first, at most `limit`. */
  dueLetters(now: string, limit: number): Promise<{ account_id: string; id: number }[]>
  /** Null if nothing is recorded. */
  agenda(account_id: string, poseur_id: number): Promise<Agenda | null>
  /** All recorded agendas of poseurs, by id. */
  agendas(account_id: string): Promise<(Agenda & { readonly poseur_id: number })[]>
}

/**
 * The store itself refuses a commit if two appointments of one person that occupy time (see `occupies`) overlap. A
 * transaction that loses against another one runs again, and then finds the conflict with `overlapping`. A transaction
 * that does not call `overlapping` fails with an error.
 */
export interface PlanningWrites extends PlanningReads {
  /** Resolves to the new id: a positive integer, never used before in this store. */
  add(rdv: NewRdv): Promise<number>
  /** Like `find`, and locks the appointment until this transaction ends. */
  lock(account_id: string, id: number): Promise<Rdv | null>
  /**
   * Replaces everything except the account, case and client of each appointment. `lock` must have returned the
   * appointments. All of them leave their old times before any takes its new one, so that a round can exchange times.
   */
  update(rdvs: readonly Rdv[]): Promise<void>
  putAgenda(account_id: string, poseur_id: number, agenda: Agenda): Promise<void>
}

/** The repository's name: `tx.of(planningStore)`. */
export const planningStore = storeToken<PlanningReads, PlanningWrites>('planning')
