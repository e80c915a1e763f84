import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Client, type ClientBase } from 'pg'

export interface TestDatabase extends AsyncDisposable {
  /** The database's URL, for this process and those that it starts. */
  readonly url: string
}

/** How long a connection may outlive the test that opened it: the server notices late that a process was killed. */
const maxGoneMs = 10_000

/**
 * Creates an empty database for one caller. Disposing drops it, once no connection to it is left.
 * @throws Error from its disposal, naming the connections that are left after 10 s
 */
export function freshDatabase(): Promise<TestDatabase> {
  return databaseOf('template1')
}

/** Creates a database with an empty, migrated store. It is a copy, since migrating takes long. */
export function migratedDatabase(): Promise<TestDatabase> {
  return databaseOf(process.env['SAV_TEST_TEMPLATE_DATABASE'] ?? '')
}

export const nameOf = (url: string): string => new URL(url).pathname.slice(1)

async function databaseOf(template: string): Promise<TestDatabase> {
  const name = `sav_${randomBytes(8).toString('hex')}`
  // Copying the template's files takes two thirds of the time that writing each page to the log would.
  await administer(`create database ${name} template ${template} strategy file_copy`)
  const url = new URL(serverUrl())
  url.pathname = name
  return { url: url.href, [Symbol.asyncDispose]: () => asAdministrator((server) => drop(server, name)) }
}

/** Runs a command on the test server as its administrator. */
export async function administer(command: string): Promise<void> {
  await asAdministrator((server) => server.query(command))
}

/** The current connections to a database, except `server`'s own. */
export async function connectedTo(server: ClientBase, name: string): Promise<ConnectionRow[]> {
  const { rows } = await server.query<ConnectionRow>(
    `select pid, application_name, state, query from pg_stat_activity
      where datname = $1 and pid <> pg_backend_pid() and backend_type <> 'autovacuum worker' order by pid`,
    [name],
  )
  return rows
}

interface ConnectionRow {
  readonly pid: number
  readonly application_name: string
  readonly state: string | null
  /** The connection's last query, if it is idle. */
  readonly query: string
}

export async function asAdministrator<T>(work: (server: ClientBase) => Promise<T>): Promise<T> {
  const server = new Client({ connectionString: serverUrl() })
  await server.connect()
  try {
    return await work(server)
  } finally {
    await server.end()
  }
}

async function drop(server: ClientBase, name: string): Promise<void> {
  const deadline = performance.now() + maxGoneMs
  for (let left = await connectedTo(server, name); left.length > 0; left = await connectedTo(server, name)) {
    if (performance.now() >= deadline) throw new Error(stillConnected(name, left))
    await setTimeout(5)
  }
  await server.query(`drop database ${name}`)
}

function stillConnected(name: string, left: readonly ConnectionRow[]): string {
  const lines = left.map(
    ({ pid, application_name, state, query }) => `  ${pid} "${application_name}", ${state}: ${query.slice(0, 200)}`,
  )
  return `The database ${name} is not dropped: ${left.length} still connected after ${maxGoneMs} ms.\n${lines.join('\n')}`
}

function serverUrl(): string {
  const url = process.env['SAV_TEST_POSTGRES_URL']
  if (url === undefined) throw new Error('SAV_TEST_POSTGRES_URL is not set: run the tests with vitest.')
  return url
}
