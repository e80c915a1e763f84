import { type RdvStatut, type RdvType, storeToken, type TypeProbleme } from '@sav/core/feature'
import type { Page, Paged } from '@sav/core/ports'
import type { Absence, Horaires } from '../working-time/hours.js'
import type { Interval, NewRdv, Rdv } from './rdv.js'

/** Every filter that is present must hold. */
export interface RdvFilter {
  /** Instants: it begins at or after `from`, and before `until`. */
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
  /** When they were last recorded; null: never, or before that was kept. */
  readonly absences_depuis: string | null
  /** Empty: none are recorded, so he can do everything. */
  readonly competences: readonly TypeProbleme[]
}

/** Appointments, and the working time of poseurs. Expired holds are among them until a worker cancels them. */
export interface PlanningReads {
  find(account_id: string, id: number): Promise<Rdv | null>
  /** By `debut`, then `id`, which are a place in it. A page past the end is empty with the true total. */
  list(account_id: string, filter: RdvFilter, page: Page): Promise<Paged<Rdv>>
  /**
   * Those that take one of these persons at any time of the interval, expired holds among them, by `debut`, then `id`.
   * Its cost does not grow with the number of appointments. In a transaction, another one that looks for one of these
   * persons waits until this one ends.
   */
  overlapping(account_id: string, poseur_ids: readonly number[], interval: Interval): Promise<Rdv[]>
  /** Those of a person that take time and begin at or after `from`, by `debut`, then `id`, at most `limit`. */
  comingOfPoseur(account_id: string, poseur_id: number, from: string, limit: number): Promise<Rdv[]>
  /** Those of a case that take time and begin at or after `from`, by `debut`, then `id`. */
  comingOfCase(account_id: string, sav_id: number, from: string): Promise<Rdv[]>
  /** All of a client, by id. */
  ofClient(account_id: string, client_id: number): Promise<Rdv[]>
  /** Those of any of these cases or clients, in every state: by `debut`, the latest first, at most `limit`. */
  latest(
    account_id: string,
    of: { readonly sav_ids: readonly number[]; readonly client_ids: readonly number[]; readonly limit: number },
  ): Promise<Rdv[]>
  /** Holds of any account that expired at or before `now`, at most `limit`. */
  expiredHolds(now: string, limit: number): Promise<{ account_id: string; id: number }[]>
  /** Those of any account whose letter is due at or before `now`, the longest due first, at most `limit`. */
  dueLetters(now: string, limit: number): Promise<{ account_id: string; id: number }[]>
  /** Null while nothing is recorded. */
  agenda(account_id: string, poseur_id: number): Promise<Agenda | null>
  /** The agendas of all poseurs for whom anything is recorded, by id. */
  agendas(account_id: string): Promise<(Agenda & { readonly poseur_id: number })[]>
}

/**
 * No two appointments of one person that take time (see `occupies`) overlap once a transaction is committed: the store
 * itself refuses that. A transaction that lost against another one runs again, and then finds the conflict with
 * `overlapping`. One that did not look fails with an error.
 */
export interface PlanningWrites extends PlanningReads {
  /** Resolves to the new id: a positive integer, never used before in this store. */
  add(rdv: NewRdv): Promise<number>
  /** Like `find`, and locks the appointment until this transaction ends. */
  lock(account_id: string, id: number): Promise<Rdv | null>
  /**
   * Replaces everything but account, case and client of each, which `lock` gave. All of them leave their old times
   * before any takes its new one, so that a round can exchange times.
   */
  update(rdvs: readonly Rdv[]): Promise<void>
  putAgenda(account_id: string, poseur_id: number, agenda: Agenda): Promise<void>
}

/** The repository's name: `tx.of(planningStore)`. */
export const planningStore = storeToken<PlanningReads, PlanningWrites>('planning')
