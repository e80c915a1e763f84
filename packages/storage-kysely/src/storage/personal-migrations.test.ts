import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { migrations } from '../migrations/list.gen.js'
import { sqliteDialect } from '../sqlite/dialect.js'
import { everyTable } from '../tables/tables.js'

/** The number of the last migration of 1.0.0. Earlier releases refuse every migration that they do not know. */
const ofFirstRelease = 41

const personal = new Set(
  everyTable.flatMap(([table, { columns }]) =>
    Object.keys(columns)
      .filter((column) => columns[column]?.traits.isPersonal)
      .map((column) => `${table}.${column}`),
  ),
)

/** The columns that each migration adds, in the order of the migrations. */
async function addedColumns(): Promise<ReadonlyMap<string, readonly string[]>> {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: new Sqlite(':memory:') }) })
  onTestFinished(() => db.destroy())
  const columns = async () => {
    const { rows } = await sql<{ name: string }>`select m.name || '.' || c.name as name
      from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'`.execute(db)
    return new Set(rows.map(({ name }) => name))
  }
  const added = new Map<string, readonly string[]>()
  let before = await columns()
  for (const [name, { up }] of Object.entries(migrations(sqliteDialect, sql.id))) {
    await up(db)
    const after = await columns()
    added.set(
      name,
      [...after].filter((column) => !before.has(column)),
    )
    before = after
  }
  return added
}

/** Migrations after that number that add a personal column, and whose name does not say that they break the release before. */
function unnamed(added: ReadonlyMap<string, readonly string[]>, last: number): string[] {
  return [...added]
    .filter(([name, columns]) => Number.parseInt(name, 10) > last && columns.some((column) => personal.has(column)))
    .map(([name]) => name)
    .filter((name) => !/^\d+-breaks-/.test(name))
}

it('a migration that adds a personal column stops older releases by its name, since they would not erase that column', async () => {
  expect(unnamed(await addedColumns(), ofFirstRelease)).toEqual([])
})

it('that is found for a column and for a table, and not where no personal column is added', async () => {
  // A column of a table that was there, and a new table.
  const [column, table] = ['0037-companies', '0038-moving']
  const added = new Map([...(await addedColumns())].filter(([name]) => name === column || name === table))
  expect(added.get(column)).toEqual(['clients.raison_sociale'])
  expect(unnamed(added, 36)).toEqual([column, table])
  expect(unnamed(added, 37)).toEqual([table])
  expect(unnamed(new Map([['0042-breaks-names', ['clients.nom']]]), ofFirstRelease)).toEqual([])
  expect(unnamed(new Map([['0042-names', ['clients.nom']]]), ofFirstRelease)).toEqual(['0042-names'])
  expect(unnamed(new Map([['0042-notes', ['facts.note']]]), ofFirstRelease)).toEqual([])
})
