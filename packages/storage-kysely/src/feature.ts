/** What the repositories of a feature are written with. */

export { earlierVisits } from './repositories/interventions.js'
export { Repository } from './statements/query-runner.js'
export { type QueryParams, statement, table } from './statements/statement.js'
export { type FeatureTables, repository } from './storage/feature-tables.js'
export { tables } from './tables/tables.js'
