import { expect, it, onTestFinished } from 'vitest'
import { use, used } from '../../test/every-statement.js'
import { newFile } from '../../test/files.js'
import { openSqlite } from '../sqlite.js'

it('a store works with a prefix that turns one of its table names into another', async () => {
  const storage = await openSqlite(newFile(), { prefix: 'case_' })
  onTestFinished(() => storage.close())
  await storage.migrate()
  expect(await use(storage)).toEqual(used)
  const file = { sha256: 'ab'.repeat(32), media_type: 'image/jpeg', content: Buffer.from('a photo') }
  await storage.transaction((tx) => tx.files.put('ours', 1, file))
  expect(await storage.reads.files.find('ours', 1, file.sha256)).toMatchObject({ media_type: 'image/jpeg' })
})
