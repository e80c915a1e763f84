import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import { makePostgres, type PostgresOptions } from '../../../../test/embedded-postgres.js'

/** A PostgreSQL server of the test's own, which the test may stop. */
export async function postgresServer({ settings = {}, files = {} }: Pick<PostgresOptions, 'settings' | 'files'> = {}) {
  const server = await makePostgres({
    initdbFlags: ['--no-sync'],
    settings: { max_connections: '200', ...settings },
    files,
  })
  onTestFinished(server.stop)
  await server.start()
  const client = new Client({ connectionString: server.url('postgres') })
  await client.connect()
  await client.query('create database sav').finally(() => client.end())
  return {
    url: new URL(server.url('sav')),
    /** Stops the server without notice, as a crash would, and starts it again half a second later. */
    async crash() {
      await server.crash()
      await delay(500)
      await server.start()
    },
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
