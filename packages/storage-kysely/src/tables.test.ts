import { expect, it, onTestFinished } from 'vitest'
import { openFresh } from '../test/databases.js'
import { newFile, openMigrated } from '../test/files.js'
import { tables } from './tables.js'

it.each([
  ['SQLite', () => openMigrated(newFile())],
  ['SQLite with a prefix', () => openMigrated(newFile(), { prefix: 'shop_' })],
  ['PostgreSQL', () => openFresh()],
  ['PostgreSQL with a schema', () => openFresh({ schema: 'after_sales' })],
])('every table that migrations make is listed, and read with its columns, on %s', async (_, open) => {
  const storage = await open()
  onTestFinished(() => storage.close())
  const columns = await storage.columns()
  expect(new Set(columns.map((column) => column.split('.')[0]))).toEqual(new Set(Object.keys(tables)))
  expect(columns.filter((column) => column.startsWith('facts.'))).toEqual(['facts.name', 'facts.value'])
  const made = (await storage.db.introspection.getTables()).map(({ name }) => name.replace(/^shop_/, ''))
  // SQLite keeps its indexes of words in tables, and fills them by triggers.
  const filled = new Set(made.filter((name) => !/_words(_|$)|^sav_migration/.test(name)))
  expect(filled).toEqual(new Set(Object.keys(tables)))
})
