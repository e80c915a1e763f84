import { expect, it } from 'vitest'
import { openSqlite } from '../../../test/whole/opening.js'
import { allTables } from '../../all/src/kysely.js'
import { newFile, openMigrated } from '../test/files.js'
import { copyRowsOnly } from './backup.js'

it('the rows of running processes, useless in another store, are not copied', async () => {
  const [from, to] = [newFile(), newFile()]
  const storage = await openMigrated(from)
  await storage.transaction(async (tx) => {
    await tx.processes.noteAlive({ id: 'prc_1', at: '2026-01-15T10:30:00.000Z' }, '2026-01-15T10:29:00.000Z')
    await tx.facts.set('kept', 'yes')
  })
  await storage.close()

  await copyRowsOnly(from, to, { features: allTables })

  const copy = await openSqlite(to)
  expect(await copy.db.selectFrom('processes').selectAll().execute()).toEqual([])
  expect(await copy.reads.facts.get('kept')).toBe('yes')
  await copy.close()
})
