import { storageContract } from '@sav/core/testing'
import * as vitest from 'vitest'
import { Child } from '../test/children.js'
import { newFile, openMigrated, tablesWithRows } from '../test/files.js'

storageContract({ name: 'SQLite in memory', vitest, open: () => openMigrated(':memory:') })

storageContract({ name: 'SQLite file', vitest, open: () => openMigrated(newFile()) })

storageContract({
  name: 'SQLite file with a prefix, beside a store without',
  vitest,
  async open() {
    const file = newFile()
    await (await openMigrated(file)).close()
    const storage = await openMigrated(file, { prefix: 'shop_' })
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
      const file = newFile()
      const storage = await openMigrated(file)
      other.tell(file)
      opened += 1
      await other.printed(opened)
      return storage
    },
  })
})
