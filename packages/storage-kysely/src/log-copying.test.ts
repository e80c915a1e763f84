import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { LogCopying } from './log-copying.js'
import { SqliteConnection } from './sqlite/connection.js'

const mebibyte = 2 ** 20

it('a thread, not a commit, copies a long log into the database once the last reader of it has ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sav-log-'))
  const path = join(folder, 'sav.db')
  const writer = SqliteConnection.open(path, { readonly: false })
  writer.pragma('journal_mode = WAL')
  writer.pragma('journal_size_limit = 1000000')
  writer.run('create table notes (text)')
  const reader = SqliteConnection.open(path, { readonly: true })
  const copying = new LogCopying(writer)
  onTestFinished(async () => {
    await copying.close()
    for (const connection of [reader, writer]) connection.close()
    rmSync(folder, { recursive: true })
  })
  const [size, log] = [path, `${path}-wal`].map((file) => () => statSync(file).size)

  expect(copying.look()).toBeNull()
  reader.run('begin')
  reader.pragma('table_info(notes)')
  for (let n = 0; n < 40; n += 1) writer.run(`insert into notes values (zeroblob(${mebibyte}))`)
  await copying.look()
  reader.run('rollback')
  writer.run('insert into notes values (1)')
  expect(size?.()).toBeLessThan(mebibyte)
  await copying.look()
  expect(size?.()).toBeGreaterThan(40 * mebibyte)
  // The log has been copied, so the next write overwrites it from its beginning.
  writer.run('insert into notes values (2)')
  expect(log?.()).toBeLessThanOrEqual(1_000_000)
  expect(copying.look()).toBeNull()
  expect(writer.pragma('wal_autocheckpoint')).toBe(4000)
})
