import { storageContract } from '@sav/core/testing'
import * as vitest from 'vitest'
import { OtherWriter } from '../test/children.js'
import { openFresh, openSomewhere } from '../test/databases.js'
import { newStore } from '../test/files.js'
import { openSqlite } from './sqlite.js'

const { describe, afterAll } = vitest
const isWhole = process.env['SAV_TEST_CHAOS'] === '1'

// In short those with a schema or a prefix keep the contract, while another process writes.
describe.runIf(isWhole)('a store that one process has to itself', () => {
  storageContract({ name: 'SQLite file', vitest, open: async () => openSqlite(await newStore({})) })
  storageContract({ name: 'PostgreSQL', vitest, open: () => openFresh() })
})

describe.runIf(isWhole)('a store that another process writes to', () => {
  const other = new OtherWriter()

  afterAll(() => other.end())

  storageContract({
    name: 'SQLite file',
    vitest,
    async open() {
      const file = await newStore({})
      await other.writeTo(file)
      return openSqlite(file)
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
})
