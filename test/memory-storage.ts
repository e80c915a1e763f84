import { allTables } from '../packages/all/src/kysely.js'
import type { SqliteStorage } from '../packages/storage-kysely/src/sqlite.js'
import { memoryStorage as newStorage } from '../packages/storage-kysely/src/testing.js'

const opened: SqliteStorage[] = []

/** A new, empty store in memory, with the tables of every feature, for as long as the tests of a file run. */
export async function memoryStorage(): Promise<SqliteStorage> {
  const storage = await newStorage({ features: allTables })
  opened.push(storage)
  return storage
}

/** Each takes more than a megabyte, which no collector of garbage knows of. */
export async function closeMemoryStorages(): Promise<void> {
  await Promise.all(opened.splice(0).map((storage) => storage.close()))
}
