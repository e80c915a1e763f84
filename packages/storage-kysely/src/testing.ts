import { Driver } from './sqlite/connection.js'
import { openSqlite, type SqliteOptions, type SqliteStorage } from './sqlite.js'
import type { FeatureTables } from './storage/feature-tables.js'

export type { SqliteStorage } from './sqlite.js'

/** Images of migrated stores, by the migrations that created them. */
const images = new Map<string, Promise<Buffer>>()

/**
 * A new, empty store in memory, for tests: SQLite, with everything except durability. The first one of a process is
 * migrated; each later one is a copy of it and takes about a millisecond. It waits for no timer and no I/O: `advance`
 * of a `fixedClock` lets everything settle.
 */
export async function memoryStorage({ features = [] }: Pick<SqliteOptions, 'features'> = {}): Promise<SqliteStorage> {
  const of = features.flatMap(({ migrations = {} }) => Object.keys(migrations)).join()
  const image = images.get(of) ?? migratedImage(features)
  images.set(of, image)
  const database = new Driver(await image)
  const storage = await openSqlite({ database }, { features })
  return {
    ...storage,
    async close() {
      await storage.close()
      database.close()
    },
  }
}

async function migratedImage(features: readonly FeatureTables[]): Promise<Buffer> {
  const database = new Driver(':memory:')
  await (await openSqlite({ database }, { features })).migrate()
  return database.serialize()
}
