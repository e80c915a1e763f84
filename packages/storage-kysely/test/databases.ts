import { Client } from 'pg'
import { afterAll } from 'vitest'
import { freshDatabase, type TestDatabase } from '../../../test/postgres.js'
import { openPostgres, type PostgresOptions, type PostgresStorage } from '../src/postgres.js'

const databases: TestDatabase[] = []
const free: string[] = []

afterAll(async () => {
  for (const database of databases) await database[Symbol.asyncDispose]()
})

/** The URL of an empty, migrated database, which goes when the tests have run. */
export async function newDatabase(): Promise<string> {
  const database = await freshDatabase()
  databases.push(database)
  const storage = await openPostgres(database.url)
  await storage.migrate()
  await storage.close()
  return database.url
}

/** An empty store of the caller's own until it is closed: then somebody else gets its database, as to drop one takes long. */
export async function openFresh(options?: PostgresOptions): Promise<PostgresStorage> {
  return (await openSomewhere(options)).storage
}

export async function openSomewhere(
  options?: PostgresOptions,
): Promise<{ readonly storage: PostgresStorage; readonly url: string }> {
  const used = free.pop()
  if (used !== undefined) await empty(used)
  const url = used ?? (await newDatabase())
  const storage = await openPostgres(url, options)
  const close = storage.close.bind(storage)
  storage.close = async () => {
    await close()
    if (!free.includes(url)) free.push(url)
  }
  return { storage, url }
}

async function empty(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ deletion: string }>(
    `select format('delete from %I', tablename) as deletion from pg_tables
      where schemaname = 'public' and tablename not like 'kysely%'`,
  )
  const deletions = rows.map(({ deletion }) => deletion).join(';')
  // Without regard to which table refers to which; and between the transactions of another process, which begin there.
  const lock = 'lock table commit_marks in exclusive mode'
  await client.query(`set session_replication_role = replica; begin; ${lock}; ${deletions}; commit`)
  await client.end()
}
