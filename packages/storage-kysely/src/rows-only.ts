import type Sqlite from 'better-sqlite3'
import { copyFact } from './copy/store.js'
import { Driver } from './sqlite/connection.js'
import { sqliteDialect } from './sqlite/dialect.js'
import { asUnavailable } from './sqlite/errors.js'
import { openSqlite, type SqliteOptions } from './sqlite.js'
import { type FeatureParts, partsOf } from './storage/feature-tables.js'
import { featureOf, migrate, migrationNames } from './storage/migrate.js'
import type { StoreTables } from './tables/store-tables.js'

/** In bytes. The largest value in a store is a file of 5 MiB. */
const longestValue = 16 << 20

const names = { schema: null, prefix: '' }

/** Its message says why a file is not a store, as the end of a sentence that begins with the file's name. */
export class UnfitRowsError extends Error {
  override readonly name = 'UnfitRowsError'
}

/**
 * Creates a store of the same schema in an empty file, and copies the rows of our tables from a possibly altered file:
 * only values, so that no foreign trigger, view, generated column, index or table is copied.
 *
 * @throws UnfitRowsError if they are not the rows of a store; UnavailableError when the disk is full or fails
 */
export async function copyRowsOnly(
  from: string,
  to: string,
  { features = [] }: Pick<SqliteOptions, 'features'> = {},
): Promise<void> {
  const parts = partsOf(features)
  const source = new Driver(from, { readonly: true })
  try {
    source.pragma('trusted_schema = OFF')
    source.pragma('cell_size_check = ON')
    await makeSchema(to, parts.tables, lastMigrationIn(source, parts))
    const target = new Driver(to)
    try {
      target.pragma('journal_mode = OFF')
      target.pragma('foreign_keys = OFF')
      target.transaction(() => copyTables(source, target, parts.tables))()
    } finally {
      target.close()
    }
  } catch (error) {
    const found = asUnavailable(error)
    throw found instanceof Driver.SqliteError ? new UnfitRowsError(`${found.message}.`, { cause: error }) : found
  } finally {
    source.close()
  }
}

/** @throws UnfitRowsError */
function lastMigrationIn(source: Sqlite.Database, { features, tables }: FeatureParts): string {
  const table = 'sav_migration'
  const executed = isTable(source, table) ? source.prepare<[], string>(`select name from ${table}`).pluck().all() : []
  const known = migrationNames(tables)
  const newer = executed.find((name) => !known.includes(name))
  const feature = newer === undefined ? null : featureOf(newer)
  if (feature !== null && !features.some(({ name }) => name === feature))
    throw new UnfitRowsError(`it holds rows of the feature ${feature}, which this program does not have.`)
  if (newer !== undefined) throw new UnfitRowsError(`it is from a newer release, with the migration ${newer}.`)
  const last = known.findLast((name) => executed.includes(name))
  if (last === undefined) throw new UnfitRowsError('it does not have the schema of a store.')
  return last
}

async function makeSchema(file: string, tables: StoreTables, last: string): Promise<void> {
  const storage = await openSqlite(file)
  try {
    await storage.db
      .withoutPlugins()
      .transaction()
      .execute((trx) => migrate(trx, { dialect: sqliteDialect, names, tables }, last))
  } finally {
    await storage.close()
  }
}

function copyTables(source: Sqlite.Database, target: Sqlite.Database, { all }: StoreTables): void {
  const ours = target
    .prepare<[], string>(
      `select name from pragma_table_list where schema = 'main' and type = 'table'
        and name not like 'sqlite_%' and name not like 'sav_migration%'`,
    )
    .pluck()
    .all()
  // Tables whose rows are useless in another store are not copied.
  for (const name of ours) if (all.get(name)?.copied !== null) copyTable(name, source, target)
  if (target.prepare('select 1 from facts where name = ?').get(copyFact) !== undefined)
    throw new UnfitRowsError('it holds a copy of another store that was not finished.')
  const [dangling] = target.pragma('foreign_key_check') as { readonly table: string }[]
  if (dangling !== undefined) throw new UnfitRowsError(`a row of ${dangling.table} refers to a missing row.`)
}

function copyTable(name: string, source: Sqlite.Database, target: Sqlite.Database): void {
  if (!isTable(source, name)) throw new UnfitRowsError(`it has no table ${name}.`)
  const columns = columnsOf(target, name)
  const theirs = columnsOf(source, name)
  const missing = columns.find((column) => !theirs.includes(column))
  if (missing !== undefined) throw new UnfitRowsError(`its table ${name} has no column ${missing}.`)
  const list = columns.map((column) => `"${column}"`).join(', ')
  const isLong = columns.map((column) => `octet_length("${column}") > ${longestValue}`).join(' or ')
  if (source.prepare(`select 1 from "${name}" where ${isLong} limit 1`).get() !== undefined)
    throw new UnfitRowsError(`a row of ${name} holds a value of more than ${longestValue >> 20} MiB.`)
  // The copied rows include those that the migrations inserted.
  target.exec(`delete from "${name}"`)
  const insert = target.prepare(`insert into "${name}" (${list}) values (${columns.map(() => '?').join(', ')})`)
  const rows = source.prepare<[], unknown[]>(`select ${list} from "${name}"`).raw().safeIntegers().iterate()
  for (const row of rows) insert.run(row)
}

/** Whether the name is that of a table. A view or a virtual table would run foreign SQL. */
function isTable(database: Sqlite.Database, name: string): boolean {
  const found = database.prepare(`select 1 from sqlite_schema where type = 'table' and name = ? and rootpage > 0`)
  return found.get(name) !== undefined
}

/** The stored columns, without generated ones. */
function columnsOf(database: Sqlite.Database, table: string): string[] {
  return database.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(table)
}
