import { createApi, createSav } from '@sav/http-node'
import { openSqlite } from '@sav/storage-kysely/sqlite'
import { tagsTables } from './kysely.ts'
import { tagRoutes } from './routes.ts'
import { tags } from './tags.ts'

/** Opens the service with tags on a SQLite file. */
export async function openService(file: string, secretKey: Uint8Array) {
  const storage = await openSqlite(file, { features: [tagsTables] })
  await storage.migrate()
  const sav = createSav({ storage, secretKey, features: [tags()] })
  return { storage, sav, api: createApi({ sav, features: [tagRoutes], requireTimestamp: false }) }
}
