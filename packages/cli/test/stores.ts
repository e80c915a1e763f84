import { onTestFinished } from 'vitest'
import { freshDatabase } from '../../../test/postgres.js'

/** The URL of an empty database of the test's own. */
export async function emptyDatabase(): Promise<string> {
  const database = await freshDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  return database.url
}

/** Each kind of store that the service runs on, and the settings of a shop with an empty one. */
export const stores: readonly (readonly [name: string, settings: () => Promise<Readonly<Record<string, string>>>])[] = [
  ['a SQLite file', async () => ({})],
  ['PostgreSQL', async () => ({ SAV_DATABASE: await emptyDatabase() })],
]
