import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

export interface TestDatabase extends AsyncDisposable {
  /** For this process and for others that it starts. */
  readonly url: string
}

/** An empty database of the caller's own. Disposing drops it. */
export function freshDatabase(): Promise<TestDatabase> {
  return databaseOf('template1')
}

/** One with an empty, migrated store: a copy, as to migrate takes long. */
export function migratedDatabase(): Promise<TestDatabase> {
  return databaseOf(process.env['SAV_TEST_TEMPLATE_DATABASE'] ?? '')
}

async function databaseOf(template: string): Promise<TestDatabase> {
  const name = `sav_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name} template ${template}`)
  const url = new URL(serverUrl())
  url.pathname = name
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => administer(`drop database ${name} with (force)`),
  }
}

/** Runs a command on the test server, as the role that may do everything. */
export async function administer(command: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl() })
  await client.connect()
  try {
    await client.query(command)
  } finally {
    await client.end()
  }
}

function serverUrl(): string {
  const url = process.env['SAV_TEST_POSTGRES_URL']
  if (url === undefined) throw new Error('SAV_TEST_POSTGRES_URL is not set: run the tests with vitest.')
  return url
}
