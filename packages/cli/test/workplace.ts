import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import type { ProcessIO } from '../../command/src/process/process-io.js'
import { readSecretLine } from '../../command/src/terminal/confirmation.js'

const isBuilt = process.env['SAV_TEST_BUILT'] === '1'

/**
 * Runs a command in this process. It uses the build, if `npm test` has just made one, since the build and its threads
 * load in half the time of the sources.
 */
export const { run }: typeof import('../src/main.js') = isBuilt
  ? await import(new URL('../dist/main.js', import.meta.url).href)
  : await import('../src/main.js')

type Env = Readonly<Record<string, string>>

/** A command: its words, or one text, which is split at its spaces. */
type Words = string | readonly string[]

/** The words of a command. In a text, words in single quotes may contain spaces. */
const wordsOf = (command: Words) =>
  typeof command === 'string'
    ? (command.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll(/^'|'$/g, ''))
    : command

interface RunResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface How {
  /** Presses Ctrl-C as soon as the command waits to be stopped. */
  readonly stopAtOnce?: boolean
  /** Presses Ctrl-C once the command waits to be stopped and this promise has resolved. */
  readonly stopAfter?: Promise<unknown>
  /** Answers questions in place of a person. By default, nobody is at the terminal. */
  readonly ask?: ProcessIO['ask']
  readonly askFor?: ProcessIO['askFor']
  /** The standard input. */
  readonly input?: string | Uint8Array
  /** The width of the terminal. */
  readonly columns?: number
  /** The machine's settings file; by default there is none. */
  readonly installedSettings?: string
  /** Whether standard error is treated as a terminal. */
  readonly attended?: boolean
  /** The `run` of another release. */
  readonly run?: typeof run
}

/** A working directory. At the end of the test it is removed, and every process started in it ends. */
export interface Workplace {
  readonly dir: string
  /** The settings of every command. */
  readonly settings: Env
  /** Runs a command in this process. */
  sav(command: Words, env?: Env, how?: How): Promise<RunResult>
  /** Runs a command that must succeed; resolves to what `--json` printed. */
  json<T>(command: Words, env?: Env): Promise<T>
  /** Runs a command; expects the exit code, and the text on standard output. */
  shows(command: Words, code: number, text: RegExp | string, env?: Env, how?: How): Promise<void>
  /** Runs a command; expects the exit code, and the text on standard error. */
  fails(command: Words, code: number, text: RegExp | string, env?: Env, how?: How): Promise<void>
  /** Starts a command in a process of its own. */
  start(command: Words, env?: Env): CommandProcess
  /** Starts the service on a free port; local receivers are allowed. */
  serve(...more: string[]): CommandProcess
  /** Starts the service in this process, which takes a tenth of the time. It logs nothing by default. */
  serveHere(env?: Env): Promise<InProcessRun>
  /** Starts a worker in this process. */
  workHere(env?: Env): Promise<InProcessRun>
  /** Makes an API key for cases, the directory and the planning. */
  newKey(): Promise<string>
  /** Opens a case of the first client. */
  newCase(
    description?: string,
    ...options: readonly string[]
  ): Promise<{ readonly id: number; readonly reference: string }>
  write(name: string, content: string | Uint8Array): Promise<string>
  /** Adds the command `sav` to the directory, for the PATH of a script. */
  linkSav(): Promise<void>
}

/** A service or a worker in this process. It ends with the test. */
interface InProcessRun {
  /** The address of a service. */
  readonly url: string
  /** Stops it as a signal would. Resolves to the exit code. */
  stop(): Promise<number>
}

/** For a command that runs in this process, without a person at the terminal. */
export const unattended = {
  installedSettings: null,
  ask: null,
  askFor: null,
  readSecret: async () => '',
} satisfies Partial<ProcessIO>

/** Settings that allow receivers on this machine. */
export const local = { SAV_WEBHOOK_ALLOW_LOCAL: '1' }

/** The user of started processes; by default the user of this one. */
interface User {
  readonly uid?: number
  readonly gid?: number
}

/**
 * @param settings for every command of the shop; a command's own `env` takes precedence
 * @param user of the processes that the workplace starts
 */
export async function workplace(settings: Env = {}, user: User = {}): Promise<Workplace> {
  const dir = await mkdtemp(join(tmpdir(), 'sav-cli-'))
  const started: CommandProcess[] = []
  const here: InProcessRun[] = []
  onTestFinished(async () => {
    await Promise.all([...started.map((child) => child.kill()), ...here.map((each) => each.stop())])
    await rm(dir, { recursive: true, force: true })
  })
  const sav: Workplace['sav'] = async (
    command,
    env = {},
    {
      stopAtOnce = false,
      stopAfter,
      ask = null,
      askFor = null,
      input = '',
      columns,
      attended = false,
      installedSettings,
      run: runs = run,
    } = {},
  ) => {
    const stdout = Object.assign(new Collector(), columns !== undefined && { isTTY: true, columns })
    const stderr = Object.assign(new Collector(), { isTTY: attended })
    const stopped = stopAtOnce ? Promise.resolve() : (stopAfter ?? new Promise<void>(() => {}))
    const untilStopped = async () => void (await stopped)
    const given = Readable.from([Buffer.from(input)])
    const stdin = () => given
    const code = await runs(wordsOf(command), {
      ...unattended,
      ...(installedSettings !== undefined && { installedSettings }),
      stdin,
      env: { ...settings, ...env },
      cwd: dir,
      stdout,
      stderr,
      untilStopped,
      ask,
      askFor,
      readSecret: (question) => readSecretLine({ stdin, stderr }, question),
    })
    return { code, stdout: stdout.text, stderr: stderr.text }
  }
  const textThat = (text: RegExp | string) => (typeof text === 'string' ? text : expect.stringMatching(text))
  const json = async <T>(command: Words, env?: Env): Promise<T> => {
    const words = [...wordsOf(command), '--json']
    const ran = await sav(words, env)
    if (ran.code !== 0) throw new Error(`sav ${words.join(' ')}: exit ${ran.code}: ${ran.stderr}`)
    return JSON.parse(ran.stdout)
  }
  const startHere = async (command: string, env: Env): Promise<InProcessRun> => {
    const [stdout, stderr] = [new Collector(), new Collector()]
    const stdin = () => Readable.from([])
    const [ready, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const untilStopped = () => {
      ready.resolve()
      return stopped.promise
    }
    const io = { ...unattended, stdin, stdout, stderr, cwd: dir, untilStopped }
    const ended = run(wordsOf(command), { ...io, env: { ...local, SAV_LOG_LEVEL: 'silent', ...settings, ...env } })
    const running = {
      url: '',
      stop() {
        stopped.resolve()
        return ended
      },
    }
    here.push(running)
    const failed = ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${stderr.text}`)))
    failed.catch(() => {})
    await Promise.race([ready.promise, failed])
    running.url = /^listening on (http:\S+)$/m.exec(stdout.text)?.[1] ?? ''
    return running
  }
  const start: Workplace['start'] = (command, env = {}) => {
    const child = new CommandProcess(wordsOf(command), { cwd: dir, env: { ...settings, ...env }, user })
    started.push(child)
    return child
  }
  return {
    dir,
    settings,
    sav,
    json,
    async shows(command, code, text, env, how) {
      const ran = await sav(command, env, how)
      expect([command, ran.code, ran.stdout]).toEqual([command, code, textThat(text)])
    },
    async fails(command, code, text, env, how) {
      const ran = await sav(command, env, how)
      expect([command, ran.code, ran.stderr]).toEqual([command, code, textThat(text)])
    },
    start,
    serve: (...more) => start(['serve', '--port', '0', ...more], local),
    serveHere: (env = {}) => startHere('serve --port 0', env),
    workHere: (env = {}) => startHere('worker', env),
    async newKey() {
      const permissions = 'sav:read,sav:write,directory:read,directory:write,planning:read,planning:write'
      return (await json<{ key: string }>(['keys', 'create', '--name', 'k', '--permissions', permissions])).key
    },
    newCase: (description = 'La porte du four ne ferme plus', ...options) =>
      json(['cases', 'create', '--client-id', '1', '--description', description, ...options]),
    async linkSav() {
      const script = `#!/bin/sh\nexec '${process.execPath}' ${nodeOptions.join(' ')} '${bin}' "$@"\n`
      await writeFile(join(dir, 'sav'), script, { mode: 0o755 })
    },
    async write(name, content) {
      await writeFile(join(dir, name), content)
      return join(dir, name)
    },
  }
}

/** A workplace with a store that has one client. */
export async function readyWorkplace(settings: Env = {}): Promise<Workplace> {
  const shop = await workplace(settings)
  const { SAV_DATABASE, SAV_SECRET_KEY, SAV_SECRET_KEY_FILE } = settings
  const isUsual = [SAV_DATABASE, SAV_SECRET_KEY, SAV_SECRET_KEY_FILE].every((setting) => setting === undefined)
  if (isUsual) await cp(await usualData(), join(shop.dir, 'sav-data'), { recursive: true })
  else await makeData(shop)
  return shop
}

async function makeData(shop: Workplace): Promise<void> {
  await shop.json('init')
  await shop.json('clients add --nom Durand --prenom Hélène')
}

let usual: Promise<string> | undefined

/** The data directory that tests copy, because making one is slow. */
function usualData(): Promise<string> {
  usual ??= (async () => {
    const shop = await workplace()
    await makeData(shop)
    const copy = await mkdtemp(join(dirname(process.env['SAV_TEST_TEMPLATE_FILE'] ?? ''), 'sav-data-'))
    await cp(join(shop.dir, 'sav-data'), copy, { recursive: true })
    return copy
  })()
  return usual
}

class Collector extends Writable {
  text = ''

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

export const bin = fileURLToPath(new URL('../bin.js', import.meta.url))
export const fromSource = fileURLToPath(new URL('../../../test/source.mjs', import.meta.url))

/**
 * Options of node that run `sav` from its sources, so that tests need no build. If `npm test` has just built, there are
 * none: the build starts in half the time.
 */
export const nodeOptions: readonly string[] = isBuilt ? [] : ['--import', fromSource]

/** The environment of a process of `sav` in tests. */
export const bare = { PATH: process.env['PATH'] ?? '', SAV_TEST_INSTALLED_SETTINGS: '' }

/** A process of `sav`, started as users start it. */
class CommandProcess {
  readonly process: ChildProcess
  stdout = ''
  stderr = ''
  readonly #closed: Promise<unknown>

  constructor(args: readonly string[], { cwd, env, user }: { cwd: string; env: Env; user: User }) {
    const options = { cwd, env: { ...bare, ...env }, ...user }
    this.process = spawn(process.execPath, [...nodeOptions, bin, ...args], options)
    this.process.stdout?.setEncoding('utf8').on('data', (chunk) => {
      this.stdout += chunk
    })
    this.process.stderr?.setEncoding('utf8').on('data', (chunk) => {
      this.stderr += chunk
    })
    this.#closed = once(this.process, 'close')
  }

  /** Resolves to the first match in the complete lines that the process printed. */
  async prints(pattern: RegExp, from: 'stdout' | 'stderr' = 'stdout'): Promise<RegExpExecArray> {
    for (;;) {
      const printed = this[from]
      const match = pattern.exec(printed.slice(0, printed.lastIndexOf('\n') + 1))
      if (match !== null) return match
      const stream = this.process[from]
      if (stream === null || stream.readableEnded) throw new Error(`ended without ${pattern}: ${this.stderr}`)
      const heard = new AbortController()
      await Promise.race(['data', 'end'].map((event) => once(stream, event, { signal: heard.signal })))
      heard.abort()
    }
  }

  /** The address of a `sav serve`. */
  async url(): Promise<string> {
    const [, url = ''] = await this.prints(/^listening on (http:\S+)$/m)
    return url
  }

  async ended(): Promise<RunResult> {
    await this.#closed
    return { code: this.process.exitCode ?? -1, stdout: this.stdout, stderr: this.stderr }
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<RunResult> {
    this.process.kill(signal)
    return this.ended()
  }
}

/** Calls the API of a running service. */
export async function call(url: string, key: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'x-request-timestamp': String(Math.floor(Date.now() / 1000)),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}
