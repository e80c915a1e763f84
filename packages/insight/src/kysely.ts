import { type FeatureTables, repository } from '@sav/storage-kysely/feature'
import { StatisticsRows } from './statistics/kysely.js'
import { statisticsStore } from './statistics/statistics-store.js'

/** The rows of this feature, for `openSqlite` and `openPostgres`. */
export const insightTables: FeatureTables = {
  name: 'insight',
  repositories: [repository(statisticsStore, (db) => new StatisticsRows(db))],
}
