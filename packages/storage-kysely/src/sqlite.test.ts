import { randomInt } from 'node:crypto'
import { statSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { Child } from '../test/children.js'
import { newFile, openMigrated } from '../test/files.js'
import { openSqlite } from './sqlite.js'

describe('opening', () => {
  it('sets a write-ahead log and a sync of every commit, for a new file and for an existing one', async () => {
    const file = newFile()
    for (const _ of ['new', 'again']) {
      const storage = await openSqlite(file)
      expect(storage.facts()).toEqual({
        sqlite_version: expect.stringMatching(/^3\.\d+\.\d+$/),
        journal_mode: 'wal',
        synchronous: 'FULL',
        foreign_keys: 'ON',
      })
      await storage.close()
    }
  })

  it('reports a missing directory', async () => {
    await expect(openSqlite(join(newFile(), 'below a missing directory.db'))).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('missing directory'),
    })
  })

  it('refuses a path that is not a file, and names it', async () => {
    const directory = dirname(newFile())
    await expect(openSqlite(directory)).rejects.toMatchObject({
      code: 'unavailable',
      message: `The database file cannot be opened: ${directory}.`,
    })
  })

  it('reports a truncated file as damaged', async () => {
    const file = newFile()
    const storage = await openSqlite(file)
    await storage.migrate()
    await storage.close()
    truncateSync(file, 50_000)
    await expect(openSqlite(file)).rejects.toMatchObject({
      code: 'unavailable',
      damaged: true,
      message: expect.stringContaining(file),
    })
  })

  it('waits for a process that locks the file, up to a limit', async () => {
    const file = newFile()
    const other = new Sqlite(file)
    other.exec('begin exclusive')
    await expect(openSqlite(file, { busyTimeoutMs: 20 })).rejects.toMatchObject({ code: 'unavailable' })
    const opening = openSqlite(file)
    other.exec('commit')
    await (await opening).close()
    other.close()
  })
})

describe('the log', () => {
  it('is short again once a long-running reader has ended', async () => {
    const file = newFile()
    const storage = await openMigrated(file)
    const write = (name: string) => storage.transaction((tx) => tx.facts.set(name, 'x'.repeat(1_000_000)))
    const bytes = () => statSync(`${file}-wal`).size
    const reader = new Sqlite(file, { readonly: true })
    reader.exec('begin')
    reader.prepare('select count(*) from facts').get()
    for (let n = 0; n < 40; n += 1) await write(`fact ${n}`)
    expect(bytes()).toBeGreaterThan(32_000_000)
    reader.close()
    // A thread copies the log, and its answer arrives in a later turn of the event loop.
    for (let n = 40; bytes() > 4000 * 4096; n += 1) {
      await write(`fact ${n}`)
      await setImmediate()
    }
    await storage.close()
  })
})

describe('a process that is killed', () => {
  it('loses no acknowledged commit, and leaves no part of any other transaction', async () => {
    const file = newFile()
    await (await openMigrated(file)).close()
    for (let round = 0; round < 4; round++) {
      const child = new Child('keepNumbers', file)
      await child.printed(1 + randomInt(100))
      await child.kill()

      const after = new Sqlite(file)
      const kept = new Set(after.prepare<[], string>(`select name from facts`).pluck().all())
      const last = after.prepare<[], number>('select dernier from reference_counters').pluck().get()
      after.close()
      expect(child.lines.filter((number) => !kept.has(`number ${number}`))).toEqual([])
      expect(kept.size).toBe(last)
    }
  })
})
