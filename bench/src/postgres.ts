import { Client } from 'pg'
import { onDisk } from '#processes'
import { makePostgres } from '../../test/embedded-postgres.ts'

/** The bench's own PostgreSQL, with default settings: every commit is durable. */
export interface Postgres extends AsyncDisposable {
  /** Creates a database, empty or as a copy of another one that is not in use; resolves to its address. */
  create(name: string, template?: string): Promise<string>
  drop(name: string): Promise<void>
}

/** Starts a PostgreSQL server. @param settings additional settings, such as `autovacuum=off` */
export async function startPostgres(...settings: readonly string[]): Promise<Postgres> {
  const server = await makePostgres({
    within: onDisk,
    settings: Object.fromEntries(settings.map((setting) => setting.split('=', 2))),
  })
  await server.start()
  const admin = (sql: string) => query(server.url('postgres'), sql)
  return {
    async create(name, template = 'template0') {
      await admin(`create database ${name} template ${template}`)
      return server.url(name)
    },
    async drop(name) {
      await admin(`drop database ${name} with (force)`)
    },
    [Symbol.asyncDispose]: server.stop,
  }
}

/** Runs one statement over its own connection. Resolves to its rows. */
export async function query(address: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(address)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
