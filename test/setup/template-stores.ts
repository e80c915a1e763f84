import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { allTables } from '../../packages/all/src/kysely.js'
import type { OpenedStorage } from '../../packages/storage-kysely/src/storage/opened-storage.js'
import { freshDatabase, nameOf } from '../postgres.js'
import { openPostgres, openSqlite } from '../whole/opening.js'

/** Creates the stores that `migratedFile` and `migratedDatabase` copy. Resolves to a function that removes them. */
export default async function makeTemplates(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'sav-template-'))
  const file = join(folder, 'sav.db')
  const database = await freshDatabase()
  // On a busy machine, a first connection can take longer than a service's timeout of 5 s, and without this store no
  // test could run.
  const patient = { connectTimeoutMs: 60_000, statementTimeoutMs: 60_000 }
  await Promise.all([
    migrated(openSqlite(file, { features: allTables })),
    migrated(openPostgres(database.url, { ...patient, features: allTables })),
  ])
  process.env['SAV_TEST_TEMPLATE_FILE'] = file
  process.env['SAV_TEST_TEMPLATE_DATABASE'] = nameOf(database.url)
  return async () => {
    await rm(folder, { recursive: true })
    await database[Symbol.asyncDispose]()
  }
}

async function migrated(opening: Promise<OpenedStorage<never>>): Promise<void> {
  const storage = await opening
  await storage.migrate()
  await storage.close()
}
