import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withOutsideFiles } from '@sav/core/adapter'
import type { Storage } from '@sav/core/ports'
import { fixedClock } from '@sav/core/testing'
import Sqlite from 'better-sqlite3'
import { expect } from 'vitest'
import { openSqlite } from '../../../test/whole/opening.js'
import { fileDirectory } from '../src/file-directory.js'
import type { SqliteOptions, SqliteStorage } from '../src/sqlite.js'
import { atEndOfFile } from './end-of-file.js'

let directory: string | undefined
let count = 0

atEndOfFile(() => {
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
  directory = undefined
  templates.clear()
})

/** The name of a new file, in a directory that is deleted after the file of tests. */
export function newFile(): string {
  count += 1
  directory ??= mkdtempSync(join(tmpdir(), 'sav-storage-'))
  return join(directory, `${count}.db`)
}

/** Files with empty, migrated stores, by the layouts of these stores. */
const templates = new Map<string, Promise<string>>()

/** The name of a new file with an empty, migrated store of each layout. It is a copy, because migrating takes long. */
export async function newStore(...layouts: readonly SqliteOptions[]): Promise<string> {
  const known = templates.get(JSON.stringify(layouts))
  const template = known ?? migratedFile(layouts)
  templates.set(JSON.stringify(layouts), template)
  const file = newFile()
  copyFileSync(await template, file)
  return file
}

async function migratedFile(layouts: readonly SqliteOptions[]): Promise<string> {
  const file = newFile()
  for (const layout of layouts) {
    const storage = await openSqlite(file, layout)
    await storage.migrate()
    await storage.close()
  }
  return file
}

/** A store in a file or in memory, created if there is none. */
export async function openMigrated(path: string, options: SqliteOptions = {}): Promise<SqliteStorage> {
  if (path !== ':memory:' && !existsSync(path)) copyFileSync(await newStore(options), path)
  const storage = await openSqlite(path, options)
  await storage.migrate()
  return storage
}

/** An empty store over the test's own database, which stays open after a close. */
export async function openOnCallers(): Promise<SqliteStorage> {
  const database = new Sqlite(await newStore({}))
  database.defaultSafeIntegers()
  const storage = await openSqlite({ database })
  return {
    ...storage,
    async close() {
      await storage.close()
      expect(database.open).toBe(true)
    },
  }
}

/** A store whose files are in a directory. */
export async function openWithFileDirectory(): Promise<Storage> {
  const folder = `${newFile()}-files`
  await mkdir(folder)
  const contents = fileDirectory(folder)
  return withOutsideFiles(await openMigrated(newFile()), { contents, clock: fixedClock() })
}

/** Like `openMigrated`, with the queue in its own thread. */
export async function openThreaded(path: string, options: SqliteOptions = {}): Promise<SqliteStorage> {
  const storage = await openMigrated(path, options)
  const queue = storage.queueInThread()
  return {
    ...storage,
    queue,
    async close() {
      await queue.close()
      await storage.close()
    },
  }
}

/** The tables of a file with rows, except those of migrations and indexes. */
export function tablesWithRows(file: string): string[] {
  const database = new Sqlite(file, { readonly: true })
  try {
    const names = database.prepare<[], string>(`select name from sqlite_master where type = 'table'
      and name not like 'sqlite_%' and name not like '%sav_migration%' and name not like '%_words%' order by name`)
    const isFilled = (name: string) => database.prepare(`select 1 from "${name}"`).get() !== undefined
    return names.pluck().all().filter(isFilled)
  } finally {
    database.close()
  }
}
