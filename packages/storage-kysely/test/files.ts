import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openSqlite, type SqliteOptions, type SqliteStorage } from '../src/sqlite.js'

const directory = mkdtempSync(join(tmpdir(), 'sav-storage-'))
let count = 0

afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** The name of a file that does not exist yet, in a directory that goes when the tests have run. */
export function newFile(): string {
  count += 1
  return join(directory, `${count}.db`)
}

export async function openMigrated(path: string, options?: SqliteOptions): Promise<SqliteStorage> {
  const storage = await openSqlite(path, options)
  await storage.migrate()
  return storage
}
