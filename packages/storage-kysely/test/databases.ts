import { Client } from 'pg'
import { afterAll } from 'vitest'
import { freshDatabase, type TestDatabase } from '../../../test/postgres.js'
import { openPostgres, type PostgresOptions, type PostgresStorage } from '../src/postgres.js'

const databases: TestDatabase[] = []
/** URLs of databases that nobody uses any more, by the schema of the second store that they have. */
const free = new Map<string | undefined, string[]>()

afterAll(async () => {
  for (const database of databases) await database[Symbol.asyncDispose]()
})

/** The URL of a database with an empty, migrated store, and one more in `schema`; it goes when the tests have run. */
export async function newDatabase(schema?: string): Promise<string> {
  const database = await freshDatabase()
  databases.push(database)
  for (const options of schema === undefined ? [{}] : [{}, { schema }]) {
    const storage = await openPostgres(database.url, options)
    await storage.migrate()
    await storage.close()
  }
  return database.url
}

/** An empty store of the caller's own until it is closed: then somebody else gets its database, as to drop one takes long. */
export async function openFresh(options?: PostgresOptions): Promise<PostgresStorage> {
  return (await openSomewhere(options)).storage
}

export async function openSomewhere(
  options?: PostgresOptions,
): Promise<{ readonly storage: PostgresStorage; readonly url: string }> {
  const known = free.get(options?.schema) ?? []
  free.set(options?.schema, known)
  const used = known.pop()
  if (used !== undefined) await empty(used)
  const url = used ?? (await newDatabase(options?.schema))
  const storage = await openPostgres(url, options)
  const close = async () => {
    await storage.close()
    if (!known.includes(url)) known.push(url)
  }
  return { storage: { ...storage, close }, url }
}

/** The tables of `schema` that hold any row, but for those about migrations. */
export async function tablesWithRows(url: string, schema: string): Promise<string[]> {
  return connected(url, async (client) => {
    const { rows } = await client.query<{ name: string; filled: boolean }>(
      `select tablename as name,
        (xpath('//c/text()', query_to_xml(format('select count(*) as c from %I.%I', schemaname, tablename), true, true, '')))[1]::text::int > 0
          as filled
        from pg_tables where schemaname = $1 and tablename not like 'sav_migration%' order by 1`,
      [schema],
    )
    return rows.filter(({ filled }) => filled).map(({ name }) => name)
  })
}

async function empty(url: string): Promise<void> {
  await connected(url, async (client) => {
    const { rows } = await client.query<{ deletion: string }>(
      `select format('delete from %I.%I', schemaname, tablename) as deletion from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema') and tablename not like 'sav_migration%'`,
    )
    const deletions = rows.map(({ deletion }) => deletion).join(';')
    // Without regard to which table refers to which; and between the transactions of another process, which begin there.
    const lock = 'lock table commit_marks in exclusive mode'
    await client.query(`set session_replication_role = replica; begin; ${lock}; ${deletions}; commit`)
  })
}

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
