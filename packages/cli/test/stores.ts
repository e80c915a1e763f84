import { onTestFinished } from 'vitest'
import { freshDatabase, migratedDatabase, type TestDatabase } from '../../../test/postgres.js'

/** The URL of a new, empty database. It is dropped after everything that the test started later has ended. */
export const emptyDatabase = (): Promise<string> => ofTest(freshDatabase())

/** The URL of a new database with the schema, since migrating is slow. `sav init` adds the rest. */
export const migratedStore = (): Promise<string> => ofTest(migratedDatabase())

export async function ofTest(making: Promise<TestDatabase>): Promise<string> {
  const database = await making
  onTestFinished(() => database[Symbol.asyncDispose]())
  return database.url
}

/** Every kind of store, with the settings of a shop whose store is empty. */
export const stores: readonly (readonly [name: string, settings: () => Promise<Readonly<Record<string, string>>>])[] = [
  ['a SQLite file', async () => ({})],
  ['PostgreSQL', async () => ({ SAV_DATABASE: await migratedStore() })],
]
