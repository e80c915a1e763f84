import { sql } from 'kysely'
import { migrations } from '../src/migrations/list.gen.js'
import { sqliteDialect } from '../src/sqlite/dialect.js'

/** Every migration of this release, in order: a name does not depend on the dialect. */
export const migrationNames = Object.keys(migrations(sqliteDialect, sql.id))
