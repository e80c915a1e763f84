import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { readyWorkplace } from './workplace.js'

it('a stop closes the store though the thread of its queue ends in the middle, and says what failed', async () => {
  const shop = await readyWorkplace()
  const files = () => readdir(join(shop.dir, 'sav-data'))
  const started = once(process, 'worker').then(([thread]) => {
    if (!(thread instanceof Worker)) throw new Error('no thread has begun')
    const ask = thread.postMessage.bind(thread)
    thread.postMessage = (text: string) => {
      if (text.includes('"close"')) void thread.terminate()
      ask(text)
    }
  })
  const { code, stderr } = await shop.sav(['worker'], {}, { stopAtOnce: true })
  await started
  expect(stderr).toContain('The thread of the queue has ended.')
  expect(code).toBe(5)
  // SQLite takes its log away with the last connection.
  expect(await files()).not.toContain('sav.db-wal')
})
