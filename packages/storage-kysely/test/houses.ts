import type { Storage } from '@sav/core/ports'
import { openSomewhere } from './databases.js'
import { type Administrator, postgresAdministrator, sqliteAdministrator } from './falsifying.js'
import { newFile, openMigrated } from './files.js'
import { openShop, type Shop } from './shop.js'

/** A shop, its store, and full access to the store's tables. */
export interface House extends Shop {
  readonly storage: Storage
  readonly admin: Administrator
  close(): Promise<void>
}

interface Administered extends Pick<House, 'storage' | 'admin' | 'close'> {}

async function sqliteFile(): Promise<Administered> {
  const file = newFile()
  return administered(await openMigrated(file), sqliteAdministrator(file))
}

async function postgres(): Promise<Administered> {
  const { storage, url } = await openSomewhere()
  return administered(storage, await postgresAdministrator(url))
}

const administered = (storage: Storage, admin: Administrator): Administered => ({
  storage,
  admin,
  async close() {
    await admin.end()
    await storage.close()
  },
})

/** Empty stores of each kind, and their administrators. */
export const administeredStores = [
  ['a SQLite file', sqliteFile],
  ['PostgreSQL', postgres],
] as const

const housed = async (store: Administered): Promise<House> => ({ ...(await openShop(store.storage)), ...store })

export const onSqlite = async (): Promise<House> => housed(await sqliteFile())
export const onPostgres = async (): Promise<House> => housed(await postgres())
