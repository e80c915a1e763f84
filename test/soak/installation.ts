import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const bin = join(root, 'packages/cli/bin.js')

export type Role = 'api' | 'worker'

/** The two processes of a shop: one serves the API, the other delivers. */
export class Installation {
  readonly #folder: string
  readonly #env: NodeJS.ProcessEnv
  readonly #port: number
  readonly #processes = new Map<Role, ChildProcess>()
  /** Lines of the logs that report a fault. */
  readonly faults: string[] = []
  kills = 0

  constructor(folder: string, env: NodeJS.ProcessEnv, port: number) {
    this.#folder = folder
    this.#env = {
      PATH: process.env['PATH'],
      NODE_OPTIONS: `--import ${join(import.meta.dirname, 'clock.mjs')}`,
      SAV_WEBHOOK_ALLOW_LOCAL: '1',
      SAV_RATE_LIMIT: 'off',
      SAV_WEBHOOK_TIMEOUT: '2s',
      SAV_RETRY_SCHEDULE: '0s,1s,2s,4s,8s,15s',
      SAV_LOG_LEVEL: 'info',
      ...env,
    }
    this.#port = port
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Runs a command that must succeed. Resolves to the parsed output of `--json`. */
  async sav<T>(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<T> {
    const options = { cwd: this.#folder, env: { ...this.#env, ...env }, maxBuffer: 1 << 28 }
    const { stdout } = await run(process.execPath, [bin, ...args, '--json'], options)
    return JSON.parse(stdout)
  }

  /** Runs a check. It may exit with 1, which means that it found a fault. */
  async check<T>(args: readonly string[]): Promise<T> {
    return this.sav<T>(args).catch((error: { readonly code: number; readonly stdout: string }) => {
      if (error.code !== 1 || !error.stdout.startsWith('{')) throw error
      return JSON.parse(error.stdout)
    })
  }

  /** Starts a process. Resolves when it serves the API, or delivers. */
  async start(role: Role): Promise<void> {
    const args = role === 'api' ? ['serve', '--no-worker', '--port', String(this.#port)] : ['worker']
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: this.#folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#processes.set(role, child)
    const ready = Promise.withResolvers<void>()
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        if (/listening on|delivering/.test(line)) ready.resolve()
        if (/"level":"(fatal|error)"|unhandled|uncaught/i.test(line)) this.faults.push(line)
      })
    child.once('exit', (code) => ready.reject(new Error(`sav ${args.join(' ')} ended with ${code}`)))
    await ready.promise
    ready.promise.catch(() => {})
  }

  /** Kills a process and starts it again, as after a power failure. */
  async kill(role: Role): Promise<void> {
    this.kills += 1
    await this.#end(role, 'SIGKILL')
    await this.start(role)
  }

  /** Stops a process properly and starts it again, as for a new release or a new key. */
  async restart(role: Role): Promise<void> {
    await this.#end(role, 'SIGTERM')
    await this.start(role)
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#processes.keys()].map((role) => this.#end(role, 'SIGTERM')))
  }

  async #end(role: Role, signal: NodeJS.Signals): Promise<void> {
    const child = this.#processes.get(role)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  /** Memory of each process, in MB. */
  async memory(): Promise<Readonly<Record<Role, number>>> {
    const of = async (role: Role) => {
      const status = await readFile(`/proc/${this.#processes.get(role)?.pid}/status`, 'utf8').catch(() => '')
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
    }
    return { api: await of('api'), worker: await of('worker') }
  }

  /** The size of the files of a SQLite store, in MB: the database, the reports in it, and the write-ahead log. */
  async files(): Promise<Readonly<Record<'store' | 'reports' | 'log', number>>> {
    const file = join(this.#folder, 'sav-data/sav.db')
    if (!existsSync(file)) return { store: 0, reports: 0, log: 0 }
    const size = async (path: string) => (existsSync(path) ? (await stat(path)).size / 1e6 : 0)
    using database = new DatabaseSync(file, { readOnly: true })
    const pdfs = "select coalesce(sum(length(content)), 0) as bytes from files where media_type = 'application/pdf'"
    const { bytes } = database.prepare(pdfs).get() ?? {}
    return { store: await size(file), reports: Number(bytes) / 1e6, log: await size(`${file}-wal`) }
  }

  /** Backs up the whole store, and keeps the newest three. */
  async backup(): Promise<void> {
    await mkdir(join(this.#folder, 'backups'), { recursive: true })
    await this.sav(['backup', '--to', 'backups', '--keep', '3'])
  }

  async newestBackup(): Promise<string> {
    const [newest = ''] = (await readdir(join(this.#folder, 'backups'))).sort().reverse()
    return join('backups', newest)
  }
}
