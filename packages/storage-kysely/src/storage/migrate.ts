import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Definitions, Dialect, NameOf } from '../statements/dialect.js'
import type { TableNames } from '../tables/names.js'
import { type StoreTables, storeTables } from '../tables/store-tables.js'
import type { Schema } from '../tables/tables.js'

/** Where an existing or future store is, and what it contains. */
export interface Layout {
  readonly dialect: Dialect
  readonly names: TableNames
  readonly tables: StoreTables
}

const migrationTable = 'sav_migration'
const migrationLockTable = 'sav_migration_lock'

/** Names of the migrations of this release, in their order. */
export const migrationNames = ({ migrations } = storeTables([])): string[] => Object.keys(migrations)

/**
 * Brings the schema up to date, in the transaction `db`, which has no plugins. Resolves to the names of the migrations
 * that ran.
 * @param last the last one to run; by default all of them
 * @throws Error if a new store would be created beside other tables with our names, before anything is written
 */
export async function migrate(db: Kysely<Schema>, layout: Layout, last?: string): Promise<string[]> {
  const { dialect, names } = layout
  const schema = names.schema ?? (await schemaOf(db, layout))
  const executed = await executedMigrations(db, layout)
  if (executed.length === 0) await refuseTablesOfOthers(db, layout, schema)
  const named: NameOf = (plain) => sql.id(`${names.prefix}${plain}`)
  // Migrations that have run are known, including those of a later release.
  const known: Record<string, Migration> = Object.fromEntries(executed.map((name) => [name, { up: async () => {} }]))
  const ran: string[] = []
  // A migrator sorts by name, but a feature may refer to tables of earlier ones: each group runs separately.
  for (const group of migrationsByFeature(layout.tables)) {
    for (const [name, definitions] of group)
      known[name] = {
        async up(on) {
          for (const definition of definitions(dialect.ddl, named)) await definition.execute(on)
        },
      }
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => known },
      allowUnorderedMigrations: true,
      migrationTableName: `${names.prefix}${migrationTable}`,
      migrationLockTableName: `${names.prefix}${migrationLockTable}`,
      ...(schema === null ? {} : { migrationTableSchema: schema }),
    })
    const isLast = last !== undefined && group.has(last)
    const { error, results = [] } = await (isLast ? migrator.migrateTo(last) : migrator.migrateToLatest())
    if (error !== undefined) throw error
    ran.push(...results.map(({ migrationName }) => migrationName))
    if (isLast) break
  }
  return ran
}

/** The core's migrations, then those of each feature in order. */
function migrationsByFeature({ migrations }: StoreTables): Map<string, Definitions>[] {
  const groups = new Map<string | null, Map<string, Definitions>>()
  for (const [name, definitions] of Object.entries(migrations)) {
    const feature = featureOf(name)
    groups.set(feature, (groups.get(feature) ?? new Map()).set(name, definitions))
  }
  return [...groups.values()]
}

async function refuseTablesOfOthers(db: Kysely<Schema>, layout: Layout, schema: string | null): Promise<void> {
  const { prefix, schema: given } = layout.names
  const theirs: string[] = []
  for (const plain of layout.tables.all.keys()) {
    if ((await tableCalled(db, layout, plain))?.schema === schema) theirs.push(`${prefix}${plain}`)
  }
  if (theirs.length === 0) return
  const place =
    schema === null
      ? `prefix: openSqlite(…, { prefix: '${prefix === '' ? 'sav_' : `sav_${prefix}`}' })`
      : `schema: openPostgres(…, { schema: '${given === null ? 'sav' : `sav_${given}`}' })`
  throw new Error(`The database has tables of its own called ${theirs.join(', ')}. Give the store a ${place}.`)
}

/** Names of the migrations that have not run yet, in order. */
export async function pendingMigrations(db: Kysely<Schema>, layout: Layout): Promise<string[]> {
  const done = new Set(await executedMigrations(db, layout))
  return migrationNames(layout.tables).filter((name) => !done.has(name))
}

/**
 * Names of a later release's migrations that have run, and with which this release cannot use the store: those called
 * `0123-breaks-…` or `tags-0123-breaks-…`. All others only add, so that a release runs on the next one's schema.
 */
export async function newerMigrations(db: Kysely<Schema>, layout: Layout): Promise<string[]> {
  const known = new Set(migrationNames(layout.tables))
  return (await executedMigrations(db, layout)).filter((name) => !known.has(name) && /(^|-)\d+-breaks-/.test(name))
}

/** The name of the core's newest migration that has run, of any release; null if none has. */
export async function lastMigration(db: Kysely<Schema>, layout: Layout): Promise<string | null> {
  return (
    (await executedMigrations(db, layout))
      .filter((name) => /^\d/.test(name))
      .toSorted()
      .at(-1) ?? null
  )
}

/** Names of the features whose migrations have run, whether or not the store was opened with them. */
export async function featuresHeld(db: Kysely<Schema>, layout: Layout): Promise<string[]> {
  const names = (await executedMigrations(db, layout)).map(featureOf)
  return [...new Set(names.filter((name) => name !== null))]
}

/** The feature of a migration: `tags` for `tags-0001-case-tags`. Null for a migration of the core. */
export const featureOf = (migration: string): string | null => /^([a-z][a-z\d-]*?)-\d/.exec(migration)?.[1] ?? null

/** Whether the store's tables exist, in any version. */
export async function hasTables(db: Kysely<Schema>, layout: Layout): Promise<boolean> {
  return (await tableCalled(db, layout, 'facts')) !== null
}

/** The places with a store, among this layout's own place and every schema of the search path. */
export async function storesAmong(db: Kysely<Schema>, layout: Omit<Layout, 'tables'>): Promise<TableNames[]> {
  const { dialect, names } = layout
  const { rows } = await dialect.ddl.schemas.execute(db)
  const places = rows.map(({ schema }): TableNames => ({ schema, prefix: '' }))
  if (!places.some(({ schema, prefix }) => schema === names.schema && prefix === names.prefix)) places.push(names)
  const found: TableNames[] = []
  for (const place of places)
    if ((await tableCalled(db, { dialect, names: place }, migrationTable)) !== null) found.push(place)
  return found
}

/** Finds the table with this plain name in the layout; null if there is none. */
async function tableCalled(db: Kysely<Schema>, { dialect, names }: Omit<Layout, 'tables'>, plain: string) {
  const { rows } = await dialect.ddl.findTable(`${names.prefix}${plain}`, names.schema).execute(db)
  return rows[0] ?? null
}

/**
 * The schema of a store without a named schema: where it is, or else where a new one would be created. Null if there is
 * none.
 */
async function schemaOf(db: Kysely<Schema>, layout: Layout): Promise<string | null> {
  const found = await tableCalled(db, layout, migrationTable)
  if (found !== null) return found.schema
  const { rows } = await layout.dialect.ddl.schemas.execute(db)
  return rows[0]?.schema ?? null
}

async function executedMigrations(db: Kysely<Schema>, layout: Layout): Promise<string[]> {
  if ((await tableCalled(db, layout, migrationTable)) === null) return []
  const { prefix, schema } = layout.names
  const table = sql.id(...(schema === null ? [] : [schema]), `${prefix}${migrationTable}`)
  const { rows } = await sql<{ name: string }>`select name from ${table}`.execute(db)
  return rows.map(({ name }) => name)
}
