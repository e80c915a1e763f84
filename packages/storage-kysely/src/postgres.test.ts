import { sql } from 'kysely'
import * as vitest from 'vitest'
import { storageContract } from '../../../test/whole/contract.js'
import { exceptParts, onlyParts } from '../test/contract-parts.js'
import { openFresh, openWarm, tablesWithRows } from '../test/databases.js'

const urls = new Set<string>()

vitest.afterAll(async () => {
  for (const url of urls) vitest.expect(await tablesWithRows(url, 'public')).toEqual([])
})

const name = 'PostgreSQL with a schema, beside a store without'
const schema = 'After-sales'
const onItsOwn = ['life of a store']

storageContract({
  name,
  vitest: exceptParts(onItsOwn),
  async open() {
    const { storage, url } = await openWarm(schema)
    urls.add(url)
    return storage
  },
})

storageContract({ name, vitest: onlyParts(onItsOwn), open: () => openFresh({ schema }) })

vitest.it('works with two connections and no prepared statements', async () => {
  const storage = await openFresh({ connections: 2, prepare: false })
  const taken = Array.from({ length: 20 }, () => storage.transaction((tx) => tx.cases.nextNumber('ours', 2026)))
  vitest.expect((await Promise.all(taken)).toSorted((a, b) => a - b)).toEqual(Array.from(taken, (_, n) => n + 1))
  vitest.expect(storage.poolUse()).toMatchObject({ limit: 2, waiting: 0 })
  const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(storage.db)
  vitest.expect(rows).toEqual([])
  await storage.close()
})
