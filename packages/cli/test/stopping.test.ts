import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { openSqlite } from '../../../test/whole/opening.js'
import { local, readyWorkplace, type Workplace } from './workplace.js'

const files = (shop: Workplace) => readdir(join(shop.dir, 'sav-data'))

it('if the thread of the queue ends during a stop, the store is still closed and the failure reported', async () => {
  const shop = await readyWorkplace()
  // With so many endpoints, the queue runs in a thread of its own.
  for (let n = 0; n < 16; n += 1) await shop.json(['webhooks', 'add', `http://127.0.0.1:1/${n}`, '--all-events'], local)
  await shop.newCase()
  const started = once(process, 'worker').then(([thread]) => {
    if (!(thread instanceof Worker)) throw new Error('no thread has begun')
    const ask = thread.postMessage.bind(thread)
    thread.postMessage = (text: string) => {
      if (text.includes('"close"')) void thread.terminate()
      ask(text)
    }
  })
  const { code, stderr } = await shop.sav('worker', local, { stopAfter: started })
  expect(stderr).toContain('The thread of the queue has ended.')
  expect(code).toBe(5)
  // SQLite removes its log when the last connection is closed.
  expect(await files(shop)).not.toContain('sav.db-wal')
})

it('a start that cannot finish an interrupted step closes the store', async () => {
  const shop = await readyWorkplace()
  await shop.json('webhooks add http://127.0.0.1:1/ --all-events', local)
  const storage = await openSqlite(join(shop.dir, 'sav-data/sav.db'))
  await storage.db.updateTable('webhook_endpoints').set({ sealed_secret: 'of nobody' }).execute()
  await storage.close()
  // The key file looks as after an interrupted rotation.
  const keyFile = join(shop.dir, 'sav-data/secret.key')
  await writeFile(keyFile, `${randomBytes(32).toString('base64')}\n${await readFile(keyFile, 'utf8')}`)
  const { code, stderr } = await shop.sav('worker', {}, { stopAtOnce: true })
  expect([code, stderr]).toEqual([1, expect.stringContaining('not a sealed text')])
  expect(await files(shop)).not.toContain('sav.db-wal')
})
