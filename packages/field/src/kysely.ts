import { type FeatureTables, repository } from '@sav/storage-kysely/feature'
import { fieldStore } from './field-store.js'
import { facts } from './kysely/0001-facts.js'
import { FieldRows } from './kysely/field-rows.js'
import { tables } from './kysely/tables.js'

/** The rows of this feature, for `openSqlite` and `openPostgres`. */
export const fieldTables: FeatureTables = {
  name: 'field',
  tables,
  migrations: { 'field-0001-facts': facts },
  repositories: [repository(fieldStore, (db) => new FieldRows(db))],
}
