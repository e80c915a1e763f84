import { tmpdir } from 'node:os'
import { makePostgres } from '../embedded-postgres.ts'
import { roomInMemory } from './memory-folder.ts'

/**
 * Starts a PostgreSQL server for the tests of this run, which read its URL from `SAV_TEST_POSTGRES_URL`. If that is
 * already set, they use the server there, with a role that may create databases. Resolves to a function that stops and
 * removes the started server.
 */
export default async function startPostgres(): Promise<() => Promise<void>> {
  if (process.env['SAV_TEST_POSTGRES_URL']) return async () => {}
  const server = await makePostgres({
    initdbFlags: ['--no-sync'],
    // Autovacuum is off, since a running vacuum can see old row versions, which PostgreSQL then cannot prune.
    settings: { max_connections: '300', autovacuum: 'off' },
    // Each database has 300 files: on a disk, creating and removing them takes two to five times as much processor
    // time.
    within: roomInMemory() ?? tmpdir(),
  })
  await server.start()
  process.env['SAV_TEST_POSTGRES_URL'] = server.url('postgres')
  return server.stop
}
