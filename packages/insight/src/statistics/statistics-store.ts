import { storeToken, type TypeProbleme, type UsedPiece } from '@sav/core/feature'

/** Instants: from `from` until before `until`. */
export interface Period {
  readonly from: string
  readonly until: string
}

/** The data of statistics, a month at a time, so that no query occupies a store for long. */
export interface StatisticsReads {
  /** How many cases created in the period are not closed. */
  openCreated(account_id: string, period: Period): Promise<number>
  /** The number of cases created in the period, by type. */
  created(account_id: string, period: Period): Promise<{ type: TypeProbleme; nombre: number }[]>
  /** Closed cases whose close was in the period. */
  closed(
    account_id: string,
    period: Period,
  ): Promise<{ type: TypeProbleme; date_creation: string; date_cloture: string }[]>
  /** Each reopening in the period, with the current installer of the case. */
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
