import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { freePort } from '../../../../test/free-port.js'
import { ordinaryUser } from '../../../../test/ordinary-user.js'

interface Pooler {
  readonly path: string
  /** The version that it prints, such as `1.18`; null if it is not installed. */
  readonly version: string | null
}

/** Every PgBouncer to test with: Debian's, and those at the paths in SAV_TEST_PGBOUNCER, separated by colons. */
export const poolers: readonly Pooler[] = [
  '/usr/sbin/pgbouncer',
  ...(process.env['SAV_TEST_PGBOUNCER']?.split(':') ?? []),
].map((path) => ({ path, version: versionOf(path) }))

function versionOf(path: string): string | null {
  if (!existsSync(path)) return null
  return /PgBouncer (\d+\.\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[1] ?? null
}

/** Whether PgBouncer can keep prepared statements: it can since 1.21, and does by default since 1.24. */
export const canKeepStatements = ({ version }: Pooler) => Number(version?.split('.')[1]) >= 21

/**
 * A pooler in transaction mode in front of a database, with fewer connections to it than any of our processes asks for.
 * @param settings added to the usual ones
 */
export async function pooled(url: string, { path }: Pooler, settings: readonly string[] = []): Promise<URL> {
  const server = new URL(url)
  const address = new URL(url)
  address.port = String(await freePort())
  const directory = await mkdtemp(join(tmpdir(), 'sav-pooler-'))
  // PgBouncer refuses to run as root, so another user must be able to read this directory.
  await chmod(directory, 0o755)
  await writeFile(join(directory, 'users'), `"${server.username}" "${decodeURIComponent(server.password)}"\n`)
  await writeFile(
    join(directory, 'ini'),
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${address.port}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${join(directory, 'users')}`,
      'pool_mode = transaction',
      'default_pool_size = 4',
      ...settings,
    ].join('\n'),
  )
  const running = spawn(path, [join(directory, 'ini')], { ...ordinaryUser, stdio: 'ignore' })
  const exited = once(running, 'exit')
  onTestFinished(async () => {
    running.kill('SIGQUIT')
    await exited
    await rm(directory, { recursive: true, force: true })
  })
  while (!(await accepts(Number(address.port)))) await delay(20)
  return address
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
