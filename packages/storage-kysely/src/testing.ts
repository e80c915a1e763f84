import { Driver } from './sqlite/connection.js'
import { openSqlite, type SqliteStorage } from './sqlite.js'

export type { SqliteStorage } from './sqlite.js'

let image: Promise<Buffer> | undefined

/**
 * A new, empty store in memory, for a test: SQLite, with everything but durability. The first one of a process is migrated;
 * each later one is a copy of that and takes about a millisecond. It waits for no timer and no I/O: `advance` of a
 * `fixedClock` lets everything settle.
 */
export async function memoryStorage(): Promise<SqliteStorage> {
  image ??= migratedImage()
  const database = new Driver(await image)
  const storage = await openSqlite({ database })
  return {
    ...storage,
    async close() {
      await storage.close()
      database.close()
    },
  }
}

async function migratedImage(): Promise<Buffer> {
  const database = new Driver(':memory:')
  await (await openSqlite({ database })).migrate()
  return database.serialize()
}
