import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { needs } from './needs.js'

/** The URL of a Citus coordinator with at least two nodes, all on this machine, as a superuser. */
const coordinator = process.env['SAV_TEST_CITUS'] ?? ''

export const hasCitus = (proof: string): boolean => needs('SAV_TEST_CITUS', proof, coordinator !== '')

/** Runs a query at the coordinator, or at the server of another URL. */
export async function asked<R extends object>(sql: string, url = coordinator): Promise<R[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<R>(sql)).rows
  } finally {
    await client.end()
  }
}

/** A name for a store's schema; disposing drops that schema. */
export function newSchema(): AsyncDisposable & { readonly url: string; readonly schema: string } {
  const schema = `sav_${randomBytes(6).toString('hex')}`
  const drop = async () =>
    void (await asked(`set client_min_messages = error; drop schema if exists ${schema} cascade`))
  return { url: coordinator, schema, [Symbol.asyncDispose]: drop }
}

/** The coordinator's URL with the schema as `search_path`, so that plain table names mean its tables. */
export function within(schema: string): string {
  const url = new URL(coordinator)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return url.href
}

export interface CitusNode {
  readonly nodename: string
  readonly nodeport: number
}

/** The node that has the schema, and another node. */
export async function nodesOf(schema: string): Promise<{ readonly own: CitusNode; readonly other: CitusNode }> {
  const [own] = await asked<CitusNode>(
    `select nodename, nodeport from citus_shards where table_name = '${schema}.cases'::regclass`,
  )
  const [other] = await asked<CitusNode>(
    `select nodename, nodeport from pg_dist_node where shouldhaveshards and nodeport <> ${own?.nodeport ?? 0}`,
  )
  if (own === undefined || other === undefined)
    throw new Error(`${schema} is on no node of Citus, or Citus has only one node.`)
  return { own, other }
}

/** How many transactions have been committed in two phases since the coordinator was created. */
export async function twoPhaseCommits(): Promise<number> {
  const [row] = await asked<{ n: string }>(
    "select n_tup_ins as n from pg_stat_all_tables where relid = 'pg_dist_transaction'::regclass",
  )
  return Number(row?.n)
}

/** Kills every process of the node at once. Resolves to a function that starts it again. */
export async function killed({ nodename, nodeport }: CitusNode): Promise<() => Promise<void>> {
  const url = new URL(coordinator)
  url.host = `${nodename}:${nodeport}`
  const [at] = await asked<{ directory: string; programs: string }>(
    "select current_setting('data_directory') as directory, (select setting from pg_config where name = 'BINDIR') as programs",
    url.href,
  )
  if (at === undefined) throw new Error('The node does not say where it is.')
  const { uid, gid } = await stat(at.directory)
  const [postmaster = ''] = (await readFile(join(at.directory, 'postmaster.pid'), 'utf8')).split('\n')
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', postmaster])
  const pids = [Number(postmaster), ...stdout.trim().split(/\s+/).map(Number)]
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  return async () => {
    // PostgreSQL takes a killed process for a running one until its parent has waited for it.
    await rm(join(at.directory, 'postmaster.pid'), { force: true })
    const args = ['-D', at.directory, '-l', join(at.directory, 'scale.log'), '-w', 'start']
    const started = execFile(join(at.programs, 'pg_ctl'), args, { uid, gid, cwd: at.directory })
    const [code] = await once(started, 'exit')
    if (code !== 0) throw new Error(`The node at ${at.directory} does not start again: see scale.log there.`)
  }
}
