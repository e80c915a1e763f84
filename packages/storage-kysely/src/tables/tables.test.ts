import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { everyTable } from '../../../../test/whole/tables.js'
import { openFresh } from '../../test/databases.js'
import { newFile, openMigrated } from '../../test/files.js'
import { personalLines, uncoveredLines } from '../../test/uncovered.js'

const tables = new Map(everyTable)

const kinds: Readonly<Record<string, string>> = { int8: 'whole', INTEGER: 'whole', bytea: 'bytes', BLOB: 'bytes' }

it.each([
  ['SQLite', () => openMigrated(newFile())],
  ['SQLite with a prefix', () => openMigrated(newFile(), { prefix: 'shop_' })],
  ['PostgreSQL', () => openFresh()],
  ['PostgreSQL with a schema', () => openFresh({ schema: 'after_sales' })],
])('what migrations make is what is declared, on %s', async (_, open) => {
  const storage = await open()
  onTestFinished(() => storage.close())
  const names = new Set((await storage.columns()).map((column) => column.split('.')[0]))
  expect(names).toEqual(new Set(everyTable.map(([name]) => name)))
  const found = (await storage.db.introspection.getTables()).map((table) => ({
    ...table,
    name: table.name.replace(/^shop_/, ''),
  }))
  // SQLite keeps its indexes of words in tables, and fills them by triggers.
  const made = found.filter(({ name }) => !/_words(_|$)|^sav_migration/.test(name))
  const ofMigrations = made.map(({ name, columns }) => [
    name,
    columns
      .map((column) => {
        // In SQLite what is no text of a primary key may hold null, as it says itself.
        const isKey = tables.get(name)?.key.some((key) => key === column.name)
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
  for (const name of tables.keys()) {
    const { rows } = await sql<{ name: string }>`
      select name from pragma_table_info(${name}) where pk > 0 order by pk`.execute(storage.db)
    keys[name] = rows.map((row) => row.name)
  }
  expect(keys).toEqual(Object.fromEntries(everyTable.map(([name, { key }]) => [name, key])))
})

const securityPage = fileURLToPath(new URL('../../../../docs/security.md', import.meta.url))

/** The lines of a table, their cells as wide as the widest of the column. */
function tableOf(lines: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = lines
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
  return [lineOf(head), lineOf(widths.map((width) => '-'.repeat(width))), ...rest.map(lineOf)].join('')
}

/** The page with another table under a heading. */
function withTable(page: string, heading: string, lines: readonly (readonly string[])[]): string {
  const [before, under = ''] = page.split(`\n### ${heading}\n`)
  return `${before}\n### ${heading}\n${under.replace(/^(\|.*\n)+/m, () => tableOf(lines))}`
}

// `npm test -- tables -u` writes them.
it('docs/security.md says what evidence does not cover, and what an erasure takes away', async () => {
  const page = readFileSync(securityPage, 'utf8')
  const uncovered = [['table', 'what', 'why'], ...uncoveredLines()]
  const personal = [['table', 'columns'], ...personalLines()]
  await expect(
    withTable(withTable(page, 'What evidence does not cover', uncovered), 'What an erasure takes away', personal),
  ).toMatchFileSnapshot(securityPage)
})
