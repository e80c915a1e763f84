import * as vitest from 'vitest'
import { storageContract } from '../../../test/whole/contract.js'
import { openSqlite } from '../../../test/whole/opening.js'
import { OtherWriter } from '../test/children.js'
import { onlyParts } from '../test/contract-parts.js'
import { newStore, tablesWithRows } from '../test/files.js'

const layout = { prefix: 'shop_' }

async function openWithPrefix() {
  const file = await newStore({}, layout)
  const storage = await openSqlite(file, layout)
  const close = async () => {
    await storage.close()
    vitest.expect(tablesWithRows(file).filter((name) => !name.startsWith('shop_'))).toEqual([])
  }
  return { file, storage: { ...storage, close } }
}

storageContract({
  name: 'SQLite file with a prefix, beside a store without',
  vitest,
  open: async () => (await openWithPrefix()).storage,
})

vitest.describe('while another process writes', () => {
  const other = new OtherWriter()

  vitest.afterAll(() => other.end())

  storageContract({
    name: 'the parts that commits of others could break',
    vitest: onlyParts([
      'numbers of references',
      'transactions',
      'a watcher of the queue',
      'claims',
      'kept answers',
      'life of a store',
    ]),
    async open() {
      const { file, storage } = await openWithPrefix()
      await other.writeTo(file, layout)
      return storage
    },
  })
})
