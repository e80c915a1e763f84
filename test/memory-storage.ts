import { allTables } from '../packages/all/src/kysely.js'
import type { SqliteStorage } from '../packages/storage-kysely/src/sqlite.js'
import { memoryStorage as newStorage } from '../packages/storage-kysely/src/testing.js'

const opened: SqliteStorage[] = []

/** A new, empty store in memory, with the tables of every feature, for the duration of a file's tests. */
export async function memoryStorage(): Promise<SqliteStorage> {
  const storage = await newStorage({ features: allTables })
  opened.push(storage)
  return storage
}

/** Closes these stores. Each takes more than a megabyte that garbage collection does not know about. */
export async function closeMemoryStorages(): Promise<void> {
  await Promise.all(opened.splice(0).map((storage) => storage.close()))
}
