import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { everyTable } from '../../../../test/whole/tables.js'
import { allTables } from '../../../all/src/kysely.js'
import { sqliteDialect } from '../sqlite/dialect.js'
import type { Definitions } from '../statements/dialect.js'
import { storeTables } from '../tables/store-tables.js'

const { migrations } = storeTables(allTables)

/** The migrations of 1.0.0. Earlier releases refuse every migration that they do not know. */
const ofFirstRelease = new Set([
  '0001-accounts',
  '0002-directory',
  '0003-files',
  '0004-cases',
  '0005-webhooks',
  '0006-reports',
  '0008-people',
  '0011-insight',
  'field-0001-facts',
  'moving-0001-imported-rows',
  'planning-0001-planning',
])

const personal = new Set(
  everyTable.flatMap(([table, { columns }]) =>
    Object.keys(columns)
      .filter((column) => columns[column]?.traits.isPersonal)
      .map((column) => `${table}.${column}`),
  ),
)

/** Migrations after the first release that add a personal column, and whose name does not say that they break the release before. */
async function unnamed(all: Readonly<Record<string, Definitions>>): Promise<string[]> {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: new Sqlite(':memory:') }) })
  onTestFinished(() => db.destroy())
  const columns = async () => {
    const { rows } = await sql<{ name: string }>`select m.name || '.' || c.name as name
      from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'`.execute(db)
    return new Set(rows.map(({ name }) => name))
  }
  const found: string[] = []
  let before = await columns()
  for (const [name, definitions] of Object.entries(all)) {
    for (const definition of definitions(sqliteDialect.ddl, sql.id)) await definition.execute(db)
    const after = await columns()
    const adds = [...after].some((column) => !before.has(column) && personal.has(column))
    if (adds && !ofFirstRelease.has(name) && !/(^|-)\d+-breaks-/.test(name)) found.push(name)
    before = after
  }
  return found
}

it('a migration that adds a personal column stops older releases by its name, since they would not erase that column', async () => {
  expect(await unnamed(migrations)).toEqual([])
})

it('are found for a column and for a table, and not without a new personal column', async () => {
  const { 'moving-0001-imported-rows': moving = () => [], ...others } = migrations
  const then =
    (text: string): Definitions =>
    () => [sql.raw(text)]
  const ours = { ...others, '0011-without': then('alter table clients drop column raison_sociale') }
  const companies = then('alter table clients add column raison_sociale text')
  const notes = then('alter table facts add column note text')
  expect(await unnamed({ ...ours, '0012-companies': companies })).toEqual(['0012-companies'])
  expect(await unnamed({ ...ours, '0012-moving': moving })).toEqual(['0012-moving'])
  expect(await unnamed({ ...ours, '0012-notes': notes, '0012-breaks-moving': moving })).toEqual([])
})
