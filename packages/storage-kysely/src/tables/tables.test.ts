import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openFresh } from '../../test/databases.js'
import { newFile, openMigrated } from '../../test/files.js'
import { personalLines, uncoveredLines } from '../../test/uncovered.js'
import { everyTable, tables } from './tables.js'

const kinds: Readonly<Record<string, string>> = { int8: 'whole', INTEGER: 'whole', bytea: 'bytes', BLOB: 'bytes' }
/** What an earlier release made, and nothing reads any more. */
const left: Readonly<Record<string, readonly string[]>> = {
  webhook_endpoints: ['sealed_previous_secret', 'previous_expires_at'],
}

it.each([
  ['SQLite', () => openMigrated(newFile())],
  ['SQLite with a prefix', () => openMigrated(newFile(), { prefix: 'shop_' })],
  ['PostgreSQL', () => openFresh()],
  ['PostgreSQL with a schema', () => openFresh({ schema: 'after_sales' })],
])('what migrations make is what is declared, on %s', async (_, open) => {
  const storage = await open()
  onTestFinished(() => storage.close())
  const names = new Set((await storage.columns()).map((column) => column.split('.')[0]))
  expect(names).toEqual(new Set(Object.keys(tables)))
  const found = (await storage.db.introspection.getTables()).map((table) => ({
    ...table,
    name: table.name.replace(/^shop_/, ''),
  }))
  // SQLite keeps its indexes of words in tables, and fills them by triggers.
  const made = found.filter(({ name }) => !/_words(_|$)|^sav_migration/.test(name))
  const ofMigrations = made.map(({ name, columns }) => [
    name,
    columns
      .filter((column) => !left[name]?.includes(column.name))
      .map((column) => {
        // In SQLite what is no text of a primary key may hold null, as it says itself.
        const isKey = tables[name as keyof typeof tables].key.some((key) => key === column.name)
        return `${column.name} ${kinds[column.dataType] ?? 'text'}${column.isNullable && !isKey ? ' or null' : ''}`
      })
      .toSorted(),
  ])
  const ofTables = everyTable.map(([name, { columns }]) => [
    name,
    Object.entries(columns)
      .map(([column, { traits }]) => {
        const kind = traits.kind === 'json' ? 'text' : traits.kind
        return `${column} ${kind}${traits.isNullable ? ' or null' : ''}`
      })
      .toSorted(),
  ])
  expect(Object.fromEntries(ofMigrations)).toEqual(Object.fromEntries(ofTables))
})

it('rows are walked by the primary key', async () => {
  const storage = await openMigrated(newFile())
  onTestFinished(() => storage.close())
  const keys: Record<string, readonly string[]> = {}
  for (const name of Object.keys(tables)) {
    const { rows } = await sql<{ name: string }>`
      select name from pragma_table_info(${name}) where pk > 0 order by pk`.execute(storage.db)
    keys[name] = rows.map((row) => row.name)
  }
  expect(keys).toEqual(Object.fromEntries(everyTable.map(([name, { key }]) => [name, key])))
})

/** The lines of the table under a heading, without the padding of their cells. */
function tableUnder(heading: string): string[][] {
  const page = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8')
  const section = page.split(`\n### ${heading}\n`)[1]?.split(/\n##/)[0] ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  const cells = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  return cells.slice(2)
}

it('docs/security.md says what evidence does not cover', () => {
  expect(tableUnder('What evidence does not cover')).toEqual(uncoveredLines())
})

it('docs/security.md says what an erasure takes away', () => {
  expect(tableUnder('What an erasure takes away')).toEqual(personalLines())
})
