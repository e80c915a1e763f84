import { makePostgres } from './embedded-postgres.ts'

/**
 * Starts a PostgreSQL for the tests of this run, which find it by `SAV_TEST_POSTGRES_URL`. Where that is set already, they
 * use the server that it names instead, as a role that may create databases. Resolves to what stops and removes it.
 */
export default async function startPostgres(): Promise<() => Promise<void>> {
  if (process.env['SAV_TEST_POSTGRES_URL']) return async () => {}
  const server = await makePostgres({ initdbFlags: ['--no-sync'], settings: { max_connections: '300' } })
  await server.start()
  process.env['SAV_TEST_POSTGRES_URL'] = server.url('postgres')
  return server.stop
}
