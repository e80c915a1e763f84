import { allTables } from '../../packages/all/src/kysely.js'
import { storeTables } from '../../packages/storage-kysely/src/tables/store-tables.js'

/** Every table of a store with every feature, by name, in the order of a copy. */
export const everyTable = [...storeTables(allTables).all]
