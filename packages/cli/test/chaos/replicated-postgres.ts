import { execFile, execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import { freePort } from '../../../../test/free-port.js'
import { needs } from '../../../../test/needs.js'
import { isAlive } from './postgres-server.js'

/** The directory of Debian's programs for a standby; undefined if they are not installed. */
const programs = globSync('/usr/lib/postgresql/*/bin').find((path) => existsSync(join(path, 'pg_basebackup')))
export const hasReplication = needs(
  'pg_basebackup',
  'a primary that dies or turns read-only, and its standby',
  programs !== undefined,
)

/** The user to run PostgreSQL as, since it refuses to run as root. */
const asWhom = () => {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

interface Node {
  readonly directory: string
  readonly port: number
}

/** A primary and its standby. A commit is acknowledged only once it is on the standby's disk. */
export async function replicatedPostgres() {
  const owner = asWhom()
  const root = await mkdtemp(join(tmpdir(), 'sav-pair-'))
  if (owner.uid !== undefined) await chown(root, owner.uid, owner.gid)
  let made = 0
  const newNode = async (): Promise<Node> => ({ directory: join(root, `node-${made++}`), port: await freePort() })
  // Asynchronous, since the load and the relay run in this process.
  const ran = (program: string, ...args: string[]) =>
    promisify(execFile)(join(programs ?? '', program), args, { ...owner, cwd: root })
  const start = async ({ directory, port }: Node) => {
    const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' }
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
    await ran('pg_ctl', '-D', directory, '-w', '-l', join(root, 'log'), '-o', options.join(' '), 'start')
  }
  const urlOf = ({ port }: Node) => new URL(`postgres://postgres@127.0.0.1:${port}/sav`)

  let primary = await newNode()
  let standby: Node | null = null
  onTestFinished(async () => {
    // A node may already be stopped, or may never have started.
    for (const node of [primary, standby])
      if (node !== null) await ran('pg_ctl', '-D', node.directory, '-m', 'immediate', 'stop').catch(() => {})
    await rm(root, { recursive: true, force: true })
  })
  await ran('initdb', '-D', primary.directory, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync')
  await start(primary)
  await administer(new URL('/postgres', urlOf(primary)), 'create database sav')

  /** Gives the primary a new standby, and makes every later commit wait for it. */
  async function addStandby(): Promise<void> {
    const node = await newNode()
    const source = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres']
    await ran('pg_basebackup', '-D', node.directory, '-R', '--checkpoint=fast', '--no-sync', ...source)
    await start(node)
    standby = node
    await administer(urlOf(primary), "alter system set synchronous_standby_names = '*'", 'select pg_reload_conf()')
    const isSynchronous = "select from pg_stat_replication where sync_state = 'sync'"
    while ((await administer(urlOf(primary), isSynchronous)) === 0) await delay(50)
  }
  await addStandby()

  return {
    url: () => urlOf(primary),
    standbyUrl: () => urlOf(standby ?? missing()),
    addStandby,
    /** While the standby is stopped, no commit completes. */
    stopStandby: () => ran('pg_ctl', '-D', (standby ?? missing()).directory, '-m', 'immediate', 'stop'),
    startStandby: () => start(standby ?? missing()),
    /**
     * Imitates a failure of the primary's machine. First its network fails, so that its last commits exist only there,
     * and then its power.
     */
    async killPrimary(): Promise<void> {
      const [text = ''] = (await readFile(join(primary.directory, 'postmaster.pid'), 'utf8')).split('\n')
      const postmaster = Number(text)
      const children = () =>
        execFileSync('ps', ['-o', 'pid=,args=', '--ppid', text], { encoding: 'utf8' })
          .split('\n')
          .map((line) => ({ pid: Number.parseInt(line, 10), sends: line.includes('walsender') }))
          .filter(({ pid }) => pid > 0)
      for (const { pid, sends } of children()) if (sends) process.kill(pid, 'SIGSTOP')
      await delay(200)
      process.kill(postmaster, 'SIGSTOP')
      const all = [...children().map(({ pid }) => pid), postmaster]
      for (const pid of all) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
      while (all.some(isAlive)) await delay(5)
    },
    /** Makes the standby the primary, without a standby of its own. */
    async promote(): Promise<void> {
      const promoted = standby ?? missing()
      await ran('pg_ctl', '-D', promoted.directory, '-w', 'promote')
      primary = promoted
      standby = null
    },
  }
}

function missing(): never {
  throw new Error('There is no standby.')
}

/** Resolves to the number of rows that the last statement returned. */
async function administer(url: URL, ...statements: readonly string[]): Promise<number> {
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    let rows = 0
    for (const statement of statements) rows = (await client.query(statement)).rows.length
    return rows
  } finally {
    await client.end()
  }
}
