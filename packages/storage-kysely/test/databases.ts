import { sql } from 'kysely'
import { Client } from 'pg'
import { migratedDatabase, type TestDatabase } from '../../../test/postgres.js'
import { openPostgres } from '../../../test/whole/opening.js'
import type { PostgresOptions, PostgresStorage } from '../src/postgres.js'
import { atEndOfFile } from './end-of-file.js'

/** Limits for a busy machine, except in tests of the limits. */
export const patient = {
  connectTimeoutMs: 120_000,
  lockTimeoutMs: 120_000,
  statementTimeoutMs: 120_000,
  idleTimeoutMs: 120_000,
} satisfies PostgresOptions

const databases: TestDatabase[] = []
/**
 * A connection to each database. It is kept open, because a new one reads the catalogue first, which takes longer than
 * most tests.
 */
const connections = new Map<string, Client>()
/** URLs of unused databases, by the schema of their second store. */
const free = new Map<string | undefined, string[]>()
/** Unused open stores, by their schema. */
const warm = new Map<string, OpenDatabase[]>()

interface OpenDatabase {
  readonly storage: PostgresStorage
  readonly url: string
}

atEndOfFile(async () => {
  const [stores, clients] = [[...warm.values()].flat(), [...connections.values()]]
  for (const known of [warm, connections, free]) known.clear()
  for (const { storage } of stores) await storage.close()
  for (const client of clients) await client.end()
  for (const database of databases.splice(0)) await database[Symbol.asyncDispose]()
})

/**
 * The URL of a database with an empty, migrated store, and another in `schema`. It is dropped after the file of tests.
 */
export async function newDatabase(schema?: string): Promise<string> {
  const database = await migratedDatabase()
  databases.push(database)
  if (schema !== undefined) {
    const storage = await openPostgres(database.url, { ...patient, schema })
    await storage.migrate()
    await beginIdsAt2To31(storage)
    await storage.close()
  }
  return database.url
}

/** Ids of four bytes end at 2^31. So tests on such a store show that ids have eight bytes. */
async function beginIdsAt2To31({ db, tables }: PostgresStorage): Promise<void> {
  for (const [name, { isNumbered }] of tables.all) {
    if (!isNumbered) continue
    const quoted = sql.table(name).compile(db).sql
    await sql`select setval(pg_get_serial_sequence(${quoted}, 'id'), ${2 ** 31})`.execute(db)
  }
}

/** An empty store. When it is closed, another test gets its database, because dropping it takes long. */
export async function openFresh(options?: PostgresOptions): Promise<PostgresStorage> {
  return (await openSomewhere(options)).storage
}

/**
 * An empty store whose connections are open and whose statements are prepared, since both take longer than most tests.
 * Not for tests of opening or closing.
 */
export async function openWarm(schema: string): Promise<OpenDatabase> {
  const known = warm.get(schema) ?? []
  warm.set(schema, known)
  const used = known.pop()
  if (used !== undefined) {
    await empty(used.url, schema)
    // Resets the claim progress of its queue.
    await used.storage.queue.release([])
  }
  const opened = used ?? (await openSomewhere({ schema }))
  const close = async () => void known.push(opened)
  return { ...opened, storage: { ...opened.storage, close } }
}

export async function openSomewhere(options?: PostgresOptions): Promise<OpenDatabase> {
  const known = free.get(options?.schema) ?? []
  free.set(options?.schema, known)
  const used = known.pop()
  if (used !== undefined) await empty(used, options?.schema ?? 'public')
  const url = used ?? (await newDatabase(options?.schema))
  const storage = await openPostgres(url, { ...patient, ...options })
  const close = async () => {
    await storage.close()
    if (!known.includes(url)) known.push(url)
  }
  return { storage: { ...storage, close }, url }
}

/** The tables of `schema` with rows, except those of migrations. */
export async function tablesWithRows(url: string, schema: string): Promise<string[]> {
  const client = await connectionTo(url)
  const { rows } = await client.query<{ name: string; filled: boolean }>(
    `select tablename as name,
      (xpath('//c/text()', query_to_xml(format('select count(*) as c from %I.%I', schemaname, tablename), true, true, '')))[1]::text::int > 0
        as filled
      from pg_tables where schemaname = $1 and tablename not like 'sav_migration%' order by 1`,
    [schema],
  )
  return rows.filter(({ filled }) => filled).map(({ name }) => name)
}

async function empty(url: string, schema: string): Promise<void> {
  const client = await connectionTo(url)
  const { rows } = await client.query<{ name: string; path: string }>(
    `select tablename as name, format('%I.%I', schemaname, tablename) as path from pg_tables
      where schemaname = $1 and tablename not like 'sav_migration%'`,
    [schema],
  )
  // Waits for transactions of another process, which begin with this table.
  const locks = rows
    .filter(({ name }) => name === 'commit_marks')
    .map(({ path }) => `lock table ${path} in exclusive mode`)
  const deletions = rows.map(({ path }) => `delete from ${path}`)
  // A replica does not check foreign keys.
  await client.query(['set session_replication_role = replica', 'begin', ...locks, ...deletions, 'commit'].join('; '))
}

async function connectionTo(url: string): Promise<Client> {
  const known = connections.get(url)
  if (known !== undefined) return known
  const client = new Client({ connectionString: url })
  await client.connect()
  connections.set(url, client)
  return client
}
