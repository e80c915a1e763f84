import type { Storage } from '@sav/core/ports'
import { openSomewhere } from './databases.js'
import { type Administrator, postgresAdministrator, sqliteAdministrator } from './falsifying.js'
import { newFile, openMigrated } from './files.js'
import { openShop, type Shop } from './shop.js'

/** A shop with a store, and an administrator who may write anything into it. */
export interface House extends Shop {
  readonly storage: Storage
  readonly admin: Administrator
  close(): Promise<void>
}

export async function onSqlite(): Promise<House> {
  const file = newFile()
  const storage = await openMigrated(file)
  return housed(storage, sqliteAdministrator(file))
}

export async function onPostgres(): Promise<House> {
  const { storage, url } = await openSomewhere()
  return housed(storage, await postgresAdministrator(url))
}

async function housed(storage: Storage, admin: Administrator): Promise<House> {
  return {
    ...(await openShop(storage)),
    storage,
    admin,
    async close() {
      await admin.end()
      await storage.close()
    },
  }
}
