import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Dialect } from './dialect.js'
import { migrations } from './migrations/index.js'

/**
 * Brings the schema up to date, in the transaction that `db` is. Resolves to the names of the migrations that ran.
 */
export async function migrate<DB>(db: Kysely<DB>, dialect: Dialect): Promise<string[]> {
  const { error, results = [] } = await migratorOf(db, dialect).migrateToLatest()
  if (error !== undefined) throw error
  return results.map(({ migrationName }) => migrationName)
}

/** Names of the migrations that have not run yet, in their order. */
export async function pendingMigrations<DB>(db: Kysely<DB>, dialect: Dialect): Promise<string[]> {
  const known = await migratorOf(db, dialect).getMigrations()
  return known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
}

function migratorOf<DB>(db: Kysely<DB>, dialect: Dialect): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...(await newerMigrations(db)), ...migrations(dialect) }) },
  })
}

/**
 * What a later release has run already. Migrations only add, so that this release works on its schema; Kysely would
 * take their absence here for a damaged database.
 */
async function newerMigrations<DB>(db: Kysely<DB>) {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return {}
  const executed = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return Object.fromEntries(executed.rows.map(({ name }) => [name, { up: async () => {} }]))
}
