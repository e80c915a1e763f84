import { storeToken, type TypeProbleme, type UsedPiece } from '@sav/core/feature'

/** Instants: from `from` until before `until`. */
export interface Period {
  readonly from: string
  readonly until: string
}

/** The data of statistics, each a month at a time, so that no answer keeps a store for long. */
export interface StatisticsReads {
  /** How many cases that are not closed were created in the period. */
  openCreated(account_id: string, period: Period): Promise<number>
  /** By type, `nombre` is how many cases were created. */
  created(account_id: string, period: Period): Promise<{ type: TypeProbleme; nombre: number }[]>
  /** Cases that are closed, and were in the period. */
  closed(
    account_id: string,
    period: Period,
  ): Promise<{ type: TypeProbleme; date_creation: string; date_cloture: string }[]>
  /** Each time that a case was reopened in the period, with the present installer of the case. */
  reopened(account_id: string, period: Period): Promise<{ type: TypeProbleme; poseur_id: number | null }[]>
  /** The visits of the period; `rang` is 1 for the first visit of a case. */
  interventions(
    account_id: string,
    period: Period,
  ): Promise<
    {
      type: TypeProbleme
      date_creation: string
      date_debut: string
      rang: number
      pieces: readonly UsedPiece[]
    }[]
  >
  /** Appointments that began in the period and took place, with their people. */
  visits(
    account_id: string,
    period: Period,
  ): Promise<{ poseur_id: number; debut: string; fin: string; trajet_avant_minutes: number | null }[]>
}

export const statisticsStore = storeToken<StatisticsReads>('insight')
