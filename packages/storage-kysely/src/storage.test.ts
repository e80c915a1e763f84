import * as vitest from 'vitest'
import { storageContract } from '../../../test/whole/contract.js'
import { openSqlite } from '../../../test/whole/opening.js'
import { OtherWriter } from '../test/children.js'
import { newStore, tablesWithRows } from '../test/files.js'

vitest.describe('while another process writes', () => {
  const other = new OtherWriter()

  vitest.afterAll(() => other.end())

  storageContract({
    name: 'SQLite file with a prefix, beside a store without',
    vitest,
    async open() {
      const layout = { prefix: 'shop_' }
      const file = await newStore({}, layout)
      const storage = await openSqlite(file, layout)
      await other.writeTo(file, layout)
      return {
        ...storage,
        async close() {
          await storage.close()
          vitest.expect(tablesWithRows(file).filter((name) => !name.startsWith('shop_'))).toEqual([])
        },
      }
    },
  })
})
