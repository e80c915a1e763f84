import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { markdownTable } from '../../../../test/markdown-table.js'
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
])('migrations create the declared columns on %s', async (_, open) => {
  const storage = await open()
  onTestFinished(() => storage.close())
  const names = new Set((await storage.columns()).map((column) => column.split('.')[0]))
  expect(names).toEqual(new Set(everyTable.map(([name]) => name)))
  const found = (await storage.db.introspection.getTables()).map((table) => ({
    ...table,
    name: table.name.replace(/^shop_/, ''),
  }))
  // SQLite keeps its indexes of words in tables.
  const made = found.filter(({ name }) => !/_words(_|$)|^sav_migration/.test(name))
  const ofMigrations = made.map(({ name, columns }) => [
    name,
    columns
      .map((column) => {
        // SQLite reports columns of a primary key as nullable.
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

it('the declared key of each table is its primary key', async () => {
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

// `npm test -- tables -u` writes it.
it('docs/reference/columns.md lists the columns outside evidence, and those that an erasure empties', async () => {
  const page = `# Columns

What is declared with each table of the store. How to read it: [security](../security.md).

## Not covered by evidence

A changed, swapped, deleted or inserted row is found if it concerns a case that was closed at least once, with these exceptions.

${markdownTable([['table', 'what', 'why'], ...uncoveredLines()])}
## Emptied by an erasure

\`sav clients erase\` empties these columns in the rows of a client, replaces them with \`(effacé)\`, or deletes the row. All other columns
hold ids, dates, states and hashes.

${markdownTable([['table', 'columns'], ...personalLines()])}`
  await expect(page).toMatchFileSnapshot(
    fileURLToPath(new URL('../../../../docs/reference/columns.md', import.meta.url)),
  )
})
