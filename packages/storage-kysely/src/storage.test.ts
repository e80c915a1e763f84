import { storageContract } from '@sav/core/testing'
import * as vitest from 'vitest'
import { Child } from '../test/children.js'
import { newStore, openMigrated, tablesWithRows } from '../test/files.js'
import { openSqlite } from './sqlite.js'

storageContract({ name: 'SQLite in memory', vitest, open: () => openMigrated(':memory:') })

storageContract({
  name: 'SQLite file with a prefix, beside a store without',
  vitest,
  async open() {
    const file = await newStore({}, { prefix: 'shop_' })
    const storage = await openSqlite(file, { prefix: 'shop_' })
    return {
      ...storage,
      async close() {
        await storage.close()
        vitest.expect(tablesWithRows(file).filter((name) => !name.startsWith('shop_'))).toEqual([])
      },
    }
  },
})

vitest.describe('while another process writes', () => {
  const other = new Child('writeElsewhere')
  let opened = 0

  vitest.afterAll(async () => {
    await other.end()
  })

  storageContract({
    name: 'SQLite file of two processes',
    vitest,
    async open() {
      const file = await newStore({})
      const storage = await openSqlite(file)
      other.tell(file)
      opened += 1
      await other.printed(opened)
      return storage
    },
  })
})
