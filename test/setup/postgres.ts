import { tmpdir } from 'node:os'
import { makePostgres } from '../embedded-postgres.ts'
import { roomInMemory } from './memory-folder.ts'

/**
 * Starts a PostgreSQL for the tests of this run, which find it by `SAV_TEST_POSTGRES_URL`. Where that is set already, they
 * use the server that it names instead, as a role that may create databases. Resolves to what stops and removes it.
 */
export default async function startPostgres(): Promise<() => Promise<void>> {
  if (process.env['SAV_TEST_POSTGRES_URL']) return async () => {}
  const server = await makePostgres({
    initdbFlags: ['--no-sync'],
    // Its own looks at tables come when they like: for as long as one lasts, no version of a row that it may see is pruned.
    settings: { max_connections: '300', autovacuum: 'off' },
    // Each database is 300 files: a disk takes two to five times as long of the processor to make and remove them.
    within: roomInMemory() ?? tmpdir(),
  })
  await server.start()
  process.env['SAV_TEST_POSTGRES_URL'] = server.url('postgres')
  return server.stop
}
