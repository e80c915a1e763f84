import { storageContract } from '@sav/core/testing'
import * as vitest from 'vitest'
import { openFresh } from '../test/databases.js'
import { newStore } from '../test/files.js'
import { openSqlite } from './sqlite.js'

// In short these stores keep the contract while another process writes, and without one those of a schema or a prefix.
vitest.describe.runIf(process.env['SAV_TEST_CHAOS'] === '1')('a store that one process has to itself', () => {
  storageContract({ name: 'SQLite file', vitest, open: async () => openSqlite(await newStore({})) })
  storageContract({ name: 'PostgreSQL', vitest, open: () => openFresh() })
})
