import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from '../migrations/list.gen.js'
import type { Dialect, NameOf } from '../statements/dialect.js'
import type { TableNames } from '../tables/names.js'
import { type Schema, tables } from '../tables/tables.js'

/** The place of a store, present or future. */
export interface Layout {
  readonly dialect: Dialect
  readonly names: TableNames
}

const migrationTable = 'sav_migration'
const migrationLockTable = 'sav_migration_lock'

/** Kysely's default name, under which earlier releases kept our migrations. A team may keep its own there. */
const defaultMigrationTable = 'kysely_migration'

/**
 * The only row that stays in that table when our rows have moved: earlier releases put its two columns into the
 * sentence by which they refuse to migrate.
 */
const moved = {
  name: 'sav: the store belongs to a newer release, which keeps its migrations in sav_migration',
  timestamp:
    '(open it with that release; a team whose own migrations are to use this table may delete this one row of it)',
}

/**
 * Brings the schema up to date, in the transaction that `db` is, which has no plugins. Resolves to the names of the
 * migrations that ran.
 * @param last the last one to run; without it all of them run
 * @throws Error where a new store would lie among other tables that have names of ours, before anything is written
 */
export async function migrate(db: Kysely<Schema>, layout: Layout, last?: string): Promise<string[]> {
  const { dialect, names } = layout
  await carryOver(db, layout)
  const schema = names.schema ?? (await schemaOf(db, layout))
  const executed = await executedMigrations(db, layout)
  if (executed.length === 0) await refuseTablesOfOthers(db, layout, schema)
  const newer = Object.fromEntries(executed.map((name) => [name, nothing]))
  const name: NameOf = (plain) => sql.id(`${names.prefix}${plain}`)
  const migrator = new Migrator({
    db,
    // Migrations that a later release has run are not missing.
    provider: { getMigrations: async () => ({ ...newer, ...migrations(dialect, name) }) },
    migrationTableName: `${names.prefix}${migrationTable}`,
    migrationLockTableName: `${names.prefix}${migrationLockTable}`,
    ...(schema === null ? {} : { migrationTableSchema: schema }),
  })
  const { error, results = [] } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last))
  if (error !== undefined) throw error
  return results.map(({ migrationName }) => migrationName)
}

const nothing = { up: async () => {} }

/** @throws Error */
async function refuseTablesOfOthers(db: Kysely<Schema>, layout: Layout, schema: string | null): Promise<void> {
  const { prefix, schema: given } = layout.names
  const theirs: string[] = []
  for (const plain of Object.keys(tables)) {
    if ((await tableCalled(db, layout, plain))?.schema === schema) theirs.push(`${prefix}${plain}`)
  }
  if (theirs.length === 0) return
  const place =
    schema === null
      ? `prefix: openSqlite(…, { prefix: '${prefix === '' ? 'sav_' : `sav_${prefix}`}' })`
      : `schema: openPostgres(…, { schema: '${given === null ? 'sav' : `sav_${given}`}' })`
  throw new Error(`The database has tables of its own called ${theirs.join(', ')}. Give the store a ${place}.`)
}

/** Names of the migrations that have not run yet, in their order. */
export async function pendingMigrations(db: Kysely<Schema>, layout: Layout): Promise<string[]> {
  const executed = await executedMigrations(db, layout)
  const legacy = executed.length === 0 ? ((await legacyMigrations(db, layout))?.ours ?? []) : []
  const done = new Set([...executed, ...legacy.map(({ name }) => name)])
  return allNames(layout).filter((name) => !done.has(name))
}

/**
 * Names of the migrations of a later release that have run, and without which this release cannot run on the store:
 * those called `0123-breaks-…`. All others only add, so that a release runs on the schema of the next one.
 */
export async function newerMigrations(db: Kysely<Schema>, layout: Layout): Promise<string[]> {
  const known = new Set(allNames(layout))
  return (await executedMigrations(db, layout)).filter((name) => !known.has(name) && /^\d+-breaks-/.test(name))
}

/** The name of the newest migration that has run, of any release; null where none has. */
export async function lastMigration(db: Kysely<Schema>, layout: Layout): Promise<string | null> {
  return (await executedMigrations(db, layout)).toSorted().at(-1) ?? null
}

/** Whether the store's tables are there, in any version. */
export async function hasTables(db: Kysely<Schema>, { dialect, names }: Layout): Promise<boolean> {
  return (await tableCalled(db, { dialect, names }, 'facts')) !== null
}

/** The places of stores: that of this layout, and those where tables are found without one. */
export async function storesAmong(db: Kysely<Schema>, { dialect, names }: Layout): Promise<TableNames[]> {
  const { rows } = await dialect.ddl.schemas.execute(db)
  const legacy = await legacyMigrations(db, { dialect, names: plain })
  const found: TableNames[] = []
  for (const { schema } of rows) {
    if (await isStoreAt({ schema, prefix: '' })) found.push({ schema, prefix: '' })
  }
  const isAmong = found.some(({ schema, prefix }) => schema === names.schema && prefix === names.prefix)
  if (!isAmong && (await isStoreAt(names))) found.push(names)
  return found

  async function isStoreAt(place: TableNames) {
    if ((await tableCalled(db, { dialect, names: place }, migrationTable)) !== null) return true
    return place.prefix === '' && legacy?.schema === place.schema
  }
}

/** Names of the migrations of this release, in their order. */
export const allNames = ({ dialect }: Pick<Layout, 'dialect'>) =>
  Object.keys(migrations(dialect, (plain) => sql.id(plain)))

/** Null when there is none. */
async function tableCalled(db: Kysely<Schema>, { dialect, names }: Layout, plain: string) {
  const { rows } = await dialect.ddl.findTable(`${names.prefix}${plain}`, names.schema).execute(db)
  return rows[0] ?? null
}

/**
 * The schema of a store without a named schema: the one that it is in, else that of a new one. Null where there are
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

const plain: TableNames = { schema: null, prefix: '' }

interface ExecutedMigration {
  readonly name: string
  readonly timestamp: string
}

/**
 * The migrations that an earlier release has noted in Kysely's default table; null unless they are about a store of
 * ours.
 */
async function legacyMigrations(
  db: Kysely<Schema>,
  layout: Layout,
): Promise<{ readonly ours: ExecutedMigration[]; readonly theirs: number; readonly schema: string | null } | null> {
  const { schema, prefix } = layout.names
  if (schema !== null || prefix !== '') return null
  const [table, facts] = [await tableCalled(db, layout, defaultMigrationTable), await tableCalled(db, layout, 'facts')]
  if (table === null || facts === null) return null
  const { rows } = await sql<ExecutedMigration>`
    select name, timestamp from ${sql.id(defaultMigrationTable)} order by name`.execute(db)
  const known = allNames(layout)
  const ours = rows.filter(({ name }) => known.includes(name))
  return ours[0]?.name === known[0] ? { ours, theirs: rows.length - ours.length, schema: facts.schema } : null
}

/** Moves our rows out of Kysely's default table, and leaves a team's own rows there. */
async function carryOver(db: Kysely<Schema>, layout: Layout): Promise<void> {
  if ((await tableCalled(db, layout, migrationTable)) !== null) return
  const legacy = await legacyMigrations(db, layout)
  if (legacy === null) return
  const [from, to] = [sql.id(defaultMigrationTable), sql.id(migrationTable)]
  // The same table as Kysely's.
  await sql`create table ${to} (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(db)
  for (const { name, timestamp } of legacy.ours) {
    await sql`insert into ${to} (name, timestamp) values (${name}, ${timestamp})`.execute(db)
    await sql`delete from ${from} where name = ${name}`.execute(db)
  }
  if (legacy.theirs > 0) return
  await sql`insert into ${from} (name, timestamp) values (${moved.name}, ${moved.timestamp})`.execute(db)
}
