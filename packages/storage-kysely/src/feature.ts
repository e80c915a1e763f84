/** For writing the repositories of a feature. */

export { isEnabled } from './repositories/accounts.js'
export { caseInsertion, nextIds, nextNumbers } from './repositories/case-creation.js'
export { fromClosing, fromHead } from './repositories/case-rows.js'
export { addToTallies } from './repositories/case-tallies.js'
export { type ClientRow, clientColumns, clientWritten, written } from './repositories/directory.js'
export { earlierVisits } from './repositories/interventions.js'
export { beginsAfter, isAfter, pageFound, type Range, rangeOf } from './repositories/pages.js'
export { searchableEmail, searchableReference, searchableText } from './repositories/search.js'
export type { Definitions } from './statements/dialect.js'
export { Repository } from './statements/query-runner.js'
export { insertions, rowsStatement, withInput } from './statements/rows-statement.js'
export { type QueryParams, shapes, statement, statementsOf, table } from './statements/statement.js'
export { type FeatureTables, repository } from './storage/feature-tables.js'
export { changed } from './tables/rows.js'
/** How tables are declared: `schema.table({ id: schema.text() }, { key: ['id'], … })`. */
export * as schema from './tables/table.js'
export { tables } from './tables/tables.js'
