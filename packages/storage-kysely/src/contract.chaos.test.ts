import { Pool, types } from 'pg'
import * as vitest from 'vitest'
import { storageContract } from '../../../test/whole/contract.js'
import { openPostgres, openSqlite } from '../../../test/whole/opening.js'
import { OtherWriter } from '../test/children.js'
import { openFresh, openSomewhere } from '../test/databases.js'
import { newFile, newStore, openMigrated, openOnCallers, openThreaded, openWithFileDirectory } from '../test/files.js'

const { describe, afterAll } = vitest
const isWhole = process.env['SAV_TEST_CHAOS'] === '1'
const bigInts = { ...types, getTypeParser: (type: number) => (type === 20 ? BigInt : types.getTypeParser(type)) }

// Without SAV_TEST_CHAOS, PostgreSQL with a schema and SQLite with a prefix run the whole contract, and other layouts
// only the parts in which they can differ.
describe.runIf(isWhole)('a store that one process uses', () => {
  storageContract({ name: 'SQLite file', vitest, open: async () => openSqlite(await newStore({})) })
  storageContract({
    name: 'SQLite file with a prefix, its queue in a thread',
    vitest,
    open: () => openThreaded(newFile(), { prefix: 'shop_' }),
  })
  storageContract({ name: 'SQLite in memory', vitest, open: () => openMigrated(':memory:') })
  storageContract({ name: 'SQLite over the caller’s database, which reads BigInt', vitest, open: openOnCallers })
  storageContract({ name: 'SQLite file with its files in a directory', vitest, open: openWithFileDirectory })
  storageContract({ name: 'PostgreSQL', vitest, open: () => openFresh() })
  storageContract({
    name: 'PostgreSQL over the caller’s pool, which reads BigInt',
    vitest,
    async open() {
      const { storage: own, url } = await openSomewhere()
      const pool = new Pool({ connectionString: url, types: bigInts })
      const storage = await openPostgres({ pool })
      return {
        ...storage,
        async close() {
          await storage.close()
          if (pool.ended) return
          vitest.expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
          await pool.end()
          await own.close()
        },
      }
    },
  })
})

describe.runIf(isWhole)('a store that another process writes to', () => {
  const other = new OtherWriter()

  afterAll(() => other.end())

  for (const layout of [{}, { prefix: 'shop_' }])
    storageContract({
      name: `SQLite file ${JSON.stringify(layout)}`,
      vitest,
      async open() {
        const file = await newStore({}, layout)
        await other.writeTo(file, layout)
        return openSqlite(file, layout)
      },
    })
  storageContract({
    name: 'PostgreSQL',
    vitest,
    async open() {
      const { storage, url } = await openSomewhere()
      await other.writeTo(url)
      return storage
    },
  })
  storageContract({
    name: 'PostgreSQL with a schema',
    vitest,
    async open() {
      const layout = { schema: 'After-sales' }
      const { storage, url } = await openSomewhere(layout)
      await other.writeTo(url, layout)
      return storage
    },
  })
})
