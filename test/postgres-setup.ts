import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { makePostgres } from './embedded-postgres.ts'

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
    within: memory() ?? tmpdir(),
  })
  await server.start()
  process.env['SAV_TEST_POSTGRES_URL'] = server.url('postgres')
  return server.stop
}

/**
 * A folder in memory with room for what the tests keep at one time, several times over. Each database is 300 files, and a disk
 * takes two to five times as long of the processor to make and remove them.
 */
function memory(): string | null {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize >= 4 * 2 ** 30 ? '/dev/shm' : null
  } catch {
    return null
  }
}
