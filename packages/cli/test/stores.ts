import { onTestFinished } from 'vitest'
import { freshDatabase, migratedDatabase, type TestDatabase } from '../../../test/postgres.js'

/** The URL of an empty database of the test's own. It goes when whatever was started afterwards has ended. */
export const emptyDatabase = (): Promise<string> => ofTest(freshDatabase())

/** The same with a schema, to which `sav init` adds the rest: to migrate takes long. */
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
