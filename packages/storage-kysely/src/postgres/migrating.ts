import { UnavailableError } from '@sav/core/ports'
import { type DialectAdapter, Kysely, type KyselyPlugin, PostgresDialect, type PostgresPool, sql } from 'kysely'
import { hasTables, type Layout, migrate } from '../storage/migrate.js'
import { nameOfSchema } from '../tables/names.js'
import type { Schema } from '../tables/tables.js'
import { failureOf } from './errors.js'

/** Lifts the session's time limits for a migration's transaction. */
export const asLongAsItNeeds = sql`
  select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`

/**
 * Runs `work` on a Kysely over the pool. If statements failed, it rejects with the first failure: PostgreSQL answers
 * all later ones with `current transaction is aborted`.
 */
export async function onPool<T>(
  pool: PostgresPool,
  plugins: KyselyPlugin[],
  work: (db: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  const failures: unknown[] = []
  const db = new Kysely<Schema>({
    dialect: new MigratingDialect({ pool }),
    plugins,
    log: (event) => void (event.level === 'error' && failures.push(event.error)),
  })
  try {
    return await work(db)
  } catch (error) {
    throw failures.length === 0 ? error : failureOf(failures[0]).error
  }
}

export function migrateOn(pool: PostgresPool, layout: Layout): Promise<string[]> {
  const { schema } = layout.names
  return onPool(pool, [], (db) =>
    db.transaction().execute(async (trx) => {
      await asLongAsItNeeds.execute(trx)
      await migrationLock(nameOfSchema(layout.names)).execute(trx)
      if (schema !== null) {
        await refuseWithoutSchema(trx, schema)
        // Citus then distributes the schema created next. Without Citus, the setting has no effect.
        await sql`select set_config('citus.enable_schema_based_sharding', 'on', true)`.execute(trx)
        // Makes a migration create its tables in the store's schema, and refer to the tables there.
        await sql`set local search_path to ${sql.id(schema)}`.execute(trx)
      }
      if (!(await hasTables(trx, layout))) await refuseUnfit(trx, layout)
      return migrate(trx, layout)
    }),
  )
}

/** @throws UnavailableError if the schema is missing and the role may not create it */
async function refuseWithoutSchema(db: Kysely<Schema>, schema: string): Promise<void> {
  const { rows } = await sql<{
    role: string
  }>`select current_user as role where to_regnamespace(quote_ident(${schema})) is null
    and not has_database_privilege(current_database(), 'create')`.execute(db)
  const [refused] = rows
  if (refused === undefined) return
  const remedy = `create schema "${schema}" authorization "${refused.role}"`
  throw unfit(
    `The role ${refused.role} may not create the schema ${schema}. Create it as an administrator: ${remedy}; or name an existing one: openPostgres(…, { schema: 'public' }).`,
  )
}

/** @throws UnavailableError if a new store cannot be created, before anything is written */
async function refuseUnfit(db: Kysely<Schema>, { names }: Layout): Promise<void> {
  const { rows } = await sql<{
    readonly role: string
    readonly database: string
    readonly encoding: string
    readonly path: string
    /** The first existing schema of the path that the role may use. */
    readonly schema: string | null
    readonly may_create: boolean | null
  }>`select current_user as role, current_database() as database, current_setting('server_encoding') as encoding,
    current_setting('search_path') as path, current_schema() as schema,
    has_schema_privilege(current_schema(), 'create') as may_create`.execute(db)
  const [found] = rows
  if (found === undefined) return
  const { role, database, encoding, path, schema, may_create } = found
  if (encoding !== 'UTF8')
    throw unfit(
      `The database ${database} has the encoding ${encoding}. Create one that can hold every text: create database "${database}" encoding 'UTF8' template template0.`,
    )
  // A missing schema that was named is created.
  if (schema === null && names.schema === null)
    throw unfit(
      `The role ${role} may use none of the schemas on its search_path (${path}). Name one that it may use: alter role "${role}" set search_path to public.`,
    )
  if (may_create === false)
    throw unfit(
      `The role ${role} may not create tables in the schema ${schema}. Allow it: grant create on schema "${schema}" to "${role}".`,
    )
}

const unfit = (sentence: string) => new UnavailableError(sentence, { retryAfterSeconds: 10 })

/** Random, so that no other program locks the same number. */
const migrationLockNumber = '7305813941720614'

/** Excludes other migrations of the same store. */
const migrationLock = (schema: string | null) =>
  schema === null
    ? sql`select pg_advisory_xact_lock(${sql.lit(migrationLockNumber)})`
    : sql`select pg_advisory_xact_lock(hashtextextended(${schema}, ${sql.lit(migrationLockNumber)}))`

/**
 * Kysely's dialect without Kysely's own lock. That lock is taken after the tables are created, and is the same for all
 * stores of a database.
 */
class MigratingDialect extends PostgresDialect {
  override createAdapter(): DialectAdapter {
    const adapter = super.createAdapter()
    adapter.acquireMigrationLock = async () => {}
    adapter.releaseMigrationLock = async () => {}
    return adapter
  }
}
