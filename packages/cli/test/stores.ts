import { onTestFinished } from 'vitest'
import { freshDatabase, migratedDatabase, type TestDatabase } from '../../../test/postgres.js'

/** The URL of an empty database of the test's own. It is dropped when everything started later has ended. */
export const emptyDatabase = (): Promise<string> => ofTest(freshDatabase())

/** The same with a schema, to which `sav init` adds the rest: migrating is slow. */
export const migratedStore = (): Promise<string> => ofTest(migratedDatabase())

export async function ofTest(making: Promise<TestDatabase>): Promise<string> {
  const database = await making
  onTestFinished(() => database[Symbol.asyncDispose]())
  return database.url
}

/** Each kind of store that the service runs on, and the settings of a shop with an empty one. */
export const stores: readonly (readonly [name: string, settings: () => Promise<Readonly<Record<string, string>>>])[] = [
  ['a SQLite file', async () => ({})],
  ['PostgreSQL', async () => ({ SAV_DATABASE: await migratedStore() })],
]
