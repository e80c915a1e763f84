import { type FeatureTables, repository } from '@sav/storage-kysely/feature'
import { importStore } from './import-store.js'
import { importedRows } from './kysely/0001-imported-rows.js'
import { ImportRows } from './kysely/import-rows.js'
import { tables } from './kysely/tables.js'

/** The rows of this feature, for `openSqlite` and `openPostgres`. */
export const movingTables: FeatureTables = {
  name: 'moving',
  tables,
  migrations: { 'moving-0001-imported-rows': importedRows },
  repositories: [repository(importStore, (db) => new ImportRows(db))],
}
