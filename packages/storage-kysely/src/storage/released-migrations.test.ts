import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { Pool } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { everyTable } from '../../../../test/whole/tables.js'
import { allTables } from '../../../all/src/kysely.js'
import { postgresDialect } from '../postgres/dialect.js'
import { sqliteDialect } from '../sqlite/dialect.js'
import type { Definitions, Dialect } from '../statements/dialect.js'
import { storeTables } from '../tables/store-tables.js'

const { migrations } = storeTables(allTables)
const root = join(import.meta.dirname, '../../../..')

/** Each line: the name of a released migration, a kind of database, and a hash of its statements there. */
const file = join(root, 'test/kept/migrations.txt')
const kept = readFileSync(file, 'utf8').split('\n').filter(Boolean)
/** Before the first release, all migrations count as released. */
const released = new Set(kept.length === 0 ? Object.keys(migrations) : kept.map((line) => line.split(' ')[0]))

/** A release writes its migrations to the file. */
const keeps = process.env['SAV_TEST_KEEP'] === '1'

const kinds = [
  ['sqlite', sqliteDialect, new SqliteDialect({ database: new Sqlite(':memory:') })],
  ['postgres', postgresDialect({ schema: null }), new PostgresDialect({ pool: new Pool() })],
] as const

function hashOf(definitions: Definitions, { ddl }: Dialect, db: Kysely<unknown>): string {
  const statements = definitions(ddl, sql.id).map((definition) => definition.compile(db).sql)
  return createHash('sha256').update(statements.join(';')).digest('hex')
}

describe('the migrations', () => {
  it('of a release never change, because a store does not run the same migration again', () => {
    const now = kinds.flatMap(([kind, dialect, of]) => {
      const db = new Kysely<unknown>({ dialect: of })
      return Object.entries(migrations).map(([name, each]) => `${name} ${kind} ${hashOf(each, dialect, db)}`)
    })
    expect(kept.filter((line) => !now.includes(line))).toEqual([])
    if (keeps) writeFileSync(file, `${now.toSorted().join('\n')}\n`)
  })

  it.runIf(keeps).each(['.db.gz', '.sql.gz'])(
    'of a release have run on a store that the upgrade tests keep: %s',
    (ending) => {
      const folder = join(root, 'packages/cli/test/stores')
      const names = readdirSync(folder).filter((name) => name.endsWith(ending))
      const stores = names.map((name) => gunzipSync(readFileSync(join(folder, name))))
      const missing = Object.keys(migrations).filter((name) => !stores.some((store) => store.includes(name)))
      expect(missing, 'Keep a store of this release: packages/cli/test/stores/make.mjs').toEqual([])
    },
  )
})

const personal = new Set(
  everyTable.flatMap(([table, { columns }]) =>
    Object.keys(columns)
      .filter((column) => columns[column]?.traits.isPersonal)
      .map((column) => `${table}.${column}`),
  ),
)

/** Unreleased migrations that add a personal column, and whose names do not say that they break earlier releases. */
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
    if (adds && !released.has(name) && !/(^|-)\d+-breaks-/.test(name)) found.push(name)
    before = after
  }
  return found
}

it('a migration that adds a personal column is marked as breaking older releases, which do not erase it', async () => {
  expect(await unnamed(migrations)).toEqual([])
})

it('an unmarked migration is found if it adds a personal column or a table with one, and only then', async () => {
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
