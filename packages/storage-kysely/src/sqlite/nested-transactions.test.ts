import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newFile, openMigrated } from '../../test/files.js'
import type { SqliteStorage } from '../sqlite.js'

async function opened(path: string): Promise<SqliteStorage> {
  const storage = await openMigrated(path)
  onTestFinished(() => storage.close())
  return storage
}

const set = (storage: SqliteStorage, name: string) => storage.transaction((tx) => tx.facts.set(name, 'set'))

describe('a transaction inside another one', () => {
  for (const [name, open] of [
    ['a file', () => opened(newFile())],
    ['memory', () => opened(':memory:')],
  ] as const) {
    it(`is refused, whichever way each of them was begun, in ${name}`, async () => {
      const storage = await open()
      const begin = {
        storage: (work: () => Promise<unknown>) => storage.transaction(work),
        kysely: (work: () => Promise<unknown>) => storage.db.transaction().execute(work),
      }
      for (const outer of Object.values(begin))
        for (const inner of Object.values(begin))
          await outer(async () => {
            await expect(inner(async () => {})).rejects.toThrow('use only the object that its function was given')
            await expect(storage.queue.release([])).rejects.toThrow('use only the object that its function was given')
            await expect(sql`delete from facts`.execute(storage.db)).rejects.toThrow(
              'use only the object that its function was given',
            )
          })
      await set(storage, 'afterwards')
      expect(await storage.reads.facts.get('afterwards')).toBe('set')
    })
  }

  it('is allowed in work that the outer one started, once the outer one has ended', async () => {
    const storage = await opened(newFile())
    let outerEnded = () => {}
    const ended = new Promise<void>((resolve) => {
      outerEnded = resolve
    })
    let later: Promise<void> | undefined
    await storage.transaction(async () => {
      later = ended.then(() => set(storage, 'later'))
    })
    outerEnded()
    await later
    expect(await storage.reads.facts.get('later')).toBe('set')
  })

  it('a read of committed data inside a transaction works on a file, and is refused in memory', async () => {
    const storage = await opened(newFile())
    const memory = await opened(':memory:')
    await storage.transaction(async () => expect(await storage.reads.facts.get('nothing')).toBeNull())
    await memory.transaction(async () =>
      expect(memory.reads.facts.get('nothing')).rejects.toThrow('use only the object that its function was given'),
    )
  })
})
