import { storageContract } from '@sav/core/testing'
import { sql } from 'kysely'
import * as vitest from 'vitest'
import { Child, OtherWriter } from '../test/children.js'
import { newDatabase, openFresh, openSomewhere, tablesWithRows } from '../test/databases.js'

const isLong = process.env['SAV_TEST_CHAOS'] === '1'

vitest.describe('while another process writes', () => {
  // To open a store in it takes as long as most tests: in the short run it writes to SQLite files alone.
  const other = isLong ? new OtherWriter() : null
  const urls = new Set<string>()

  vitest.afterAll(async () => {
    await other?.end()
    for (const url of urls) vitest.expect(await tablesWithRows(url, 'public')).toEqual([])
  })

  storageContract({
    name: 'PostgreSQL with a schema, beside a store without',
    vitest,
    async open() {
      const layout = { schema: 'After-sales' }
      const { storage, url } = await openSomewhere(layout)
      urls.add(url)
      await other?.writeTo(url, layout)
      return storage
    },
  })
})

vitest.it('serves through two connections that prepare nothing', async () => {
  const storage = await openFresh({ connections: 2, prepare: false })
  const taken = Array.from({ length: 20 }, () => storage.transaction((tx) => tx.cases.nextNumber('ours', 2026)))
  vitest.expect((await Promise.all(taken)).toSorted((a, b) => a - b)).toEqual(Array.from(taken, (_, n) => n + 1))
  vitest.expect(storage.poolUse()).toMatchObject({ limit: 2, waiting: 0 })
  const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(storage.db)
  vitest.expect(rows).toEqual([])
  await storage.close()
})

vitest.describe('two processes on one database', () => {
  vitest.it('take 50 numbers each at the same time, without a gap or a duplicate', async () => {
    const url = await newDatabase()
    const children = [new Child('takeNumbers', url), new Child('takeNumbers', url)]
    const taken = await Promise.all(
      children.map(async (child): Promise<number[]> => JSON.parse((await child.end()).join(''))),
    )
    const numbers = taken.flat().toSorted((a, b) => a - b)
    vitest.expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  })
})
