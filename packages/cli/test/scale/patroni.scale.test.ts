import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../../test/free-port.js'
import { needs } from '../../../../test/needs.js'
import { expectQuietEnd, installation, observer, upTo } from '../chaos/installation.js'
import { expectNothingLost, traffic } from '../chaos/traffic.js'

/** The PATH of `etcd`, `patroni` and `haproxy`; PostgreSQL is used from Debian's directory. */
const path = process.env['SAV_TEST_PATRONI'] ?? ''
const programs = globSync('/usr/lib/postgresql/*/bin').at(-1) ?? ''
const rounds = 5
type Killed = 'node' | 'server'

const deployed = (name: string) =>
  readFile(fileURLToPath(new URL(`../../../../deploy/patroni/${name}`, import.meta.url)), 'utf8')

/** The user to run PostgreSQL as, since it refuses to run as root. */
function owner() {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** The cluster of deploy/patroni on this machine. Only addresses, ports and directories differ. */
async function cluster() {
  const root = await mkdtemp(join(tmpdir(), 'sav-patroni-'))
  const own = owner()
  if (own.uid !== undefined) await chown(root, own.uid, own.gid)
  const running = new Map<string, ChildProcess>()
  const run = (name: string, program: string, ...args: string[]) => {
    const child = spawn(program, args, { ...own, cwd: root, env: { PATH: path, HOME: root }, stdio: 'ignore' })
    running.set(name, child)
  }
  const nodes = ['db1', 'db2'] as const
  const ports = Object.fromEntries(
    await Promise.all(
      ['etcd', 'peer', 'proxy', ...nodes.flatMap((node) => [node, `${node} rest`])].map(
        async (name) => [name, await freePort()] as const,
      ),
    ),
  )
  const here = (name: string) => `127.0.0.1:${ports[name]}`
  const moved = (text: string) =>
    nodes.reduce(
      (now, node) =>
        now
          .replaceAll(`${node}.example:5432 check port 8008`, `${here(node)} check port ${ports[`${node} rest`]}`)
          .replaceAll(`${node}.example:5432`, here(node))
          .replaceAll(`${node}.example:8008`, here(`${node} rest`)),
      text
        .replaceAll('127.0.0.1:5000', here('proxy'))
        .replaceAll('etcd1.example:2379', here('etcd'))
        .replaceAll('10.0.0.0/24', '127.0.0.0/8')
        .replace('/usr/lib/postgresql/18/bin', programs),
    )
  const file = async (name: string, text: string) => {
    await writeFile(join(root, name), text)
    return join(root, name)
  }
  const postmasterOf = async (node: string) =>
    Number((await readFile(join(root, node, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const childrenOf = (pid: number) =>
    execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
      .map(Number)
  /** Kills a whole node, as if its machine failed, or PostgreSQL alone. */
  const kill = async (node: string, what: Killed = 'node') => {
    const postmaster = await postmasterOf(node).catch(() => null)
    if (what === 'node') running.get(node)?.kill('SIGKILL')
    for (const pid of postmaster === null ? [] : [postmaster, ...childrenOf(postmaster)])
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // The process has already ended.
      }
    await rm(join(root, node, 'postmaster.pid'), { force: true })
  }
  onTestFinished(async () => {
    for (const node of nodes) await kill(node)
    const ended = [...running.values()].map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit'))
    for (const child of running.values()) child.kill('SIGKILL')
    await Promise.all(ended)
    await rm(root, { recursive: true, force: true })
  })

  const [client, peer] = [`http://${here('etcd')}`, `http://${here('peer')}`]
  const urls = ['--listen-client-urls', client, '--advertise-client-urls', client, '--listen-peer-urls', peer]
  run('etcd', 'etcd', '--data-dir', join(root, 'etcd'), ...urls)
  const template = await deployed('patroni.yml')
  const configs = new Map<string, string>()
  for (const node of nodes) {
    const text = moved(template.replaceAll('db1', node))
      .replace('0.0.0.0:8008', here(`${node} rest`))
      .replace('0.0.0.0:5432', here(node))
      .replace('/var/lib/postgresql/sav', join(root, node))
    configs.set(node, await file(`${node}.yml`, text))
  }
  const start = (node: string) => run(node, 'patroni', configs.get(node) ?? '')
  for (const node of nodes) start(node)
  run('haproxy', 'haproxy', '-f', await file('haproxy.cfg', moved(await deployed('haproxy.cfg'))))

  const url = (database: string) => `postgres://postgres:change-me-1@${here('proxy')}/${database}`
  const statusOf = async (node: string, what: string) =>
    (await fetch(`http://${here(`${node} rest`)}/${what}`).catch(() => null))?.status
  const hasStandby = async () => (await Promise.all(nodes.map((node) => statusOf(node, 'sync')))).includes(200)
  await expect.poll(hasStandby, { interval: 200 }).toBe(true)
  const server = new Client({ connectionString: url('postgres') })
  await expect
    .poll(() =>
      statusOf('db1', 'primary').then(async (one) => one === 200 || (await statusOf('db2', 'primary')) === 200),
    )
    .toBe(true)
  await delay(2000)
  await server.connect()
  await server.query('create database sav')
  await server.end()
  return {
    url: url('sav'),
    hasStandby,
    start,
    /** Kills the node that takes writes. Resolves to its name. */
    async killPrimary(what: Killed): Promise<string> {
      const isPrimary = (await statusOf('db1', 'primary')) === 200
      const primary = isPrimary ? 'db1' : 'db2'
      await kill(primary, what)
      return primary
    },
  }
}

it.runIf(needs('SAV_TEST_PATRONI', 'failovers by Patroni, as deploy/patroni sets it up', path !== ''))(
  `when the primary’s node and its server are killed under load, ${rounds} times each, Patroni promotes the standby and nothing acknowledged is lost`,
  { timeout: 900_000 },
  async () => {
    const { url, hasStandby, start, killPrimary } = await cluster()
    const { told, create, shop, processes } = await installation(url, { apis: 2, workers: 1, receivers: 1 })
    const { acknowledged, others, servedAgain, stop } = traffic({ create, clients: 4, processes })
    await servedAgain()
    const pausesMs: { readonly [what in Killed]: number[] } = { node: [], server: [] }
    for (const _ of upTo(rounds))
      for (const what of ['node', 'server'] as const) {
        const killedAt = performance.now()
        const node = await killPrimary(what)
        await servedAgain()
        pausesMs[what].push(Math.round(performance.now() - killedAt))
        if (what === 'node') start(node)
        await expect.poll(hasStandby, { interval: 200 }).toBe(true)
      }
    await stop()
    const found = await expectNothingLost({ database: url, acknowledged, others, receiver: told[0] })
    const repeated = [...(told[0]?.counts.values() ?? [])].filter((count) => count > 1).length
    console.info({ rounds, acknowledged: acknowledged.length, found, pausesMs, others, repeated })
    const { count } = await observer(url)
    expect(await shop.json('evidence verify')).toEqual({ checked: await count('evidence_entries'), broken: [] })
    await expectQuietEnd(processes)
  },
)
