import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '../packages/storage-kysely/src/postgres.js'
import { openSqlite } from '../packages/storage-kysely/src/sqlite.js'
import { freshDatabase } from './postgres.js'

/** Makes the stores that `migratedFile` and `migratedDatabase` copy. Resolves to what removes them. */
export default async function makeTemplates(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'sav-template-'))
  const file = join(folder, 'sav.db')
  const database = await freshDatabase()
  for (const storage of [await openSqlite(file), await openPostgres(database.url)]) {
    await storage.migrate()
    await storage.close()
  }
  process.env['SAV_TEST_TEMPLATE_FILE'] = file
  process.env['SAV_TEST_TEMPLATE_DATABASE'] = new URL(database.url).pathname.slice(1)
  return async () => {
    await rm(folder, { recursive: true })
    await database[Symbol.asyncDispose]()
  }
}
