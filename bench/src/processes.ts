import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Delay } from '#bench'

const sav = fileURLToPath(new URL('../../node_modules/.bin/sav', import.meta.url))
const watch = new URL('event-loop.ts', import.meta.url).href
const entry = fileURLToPath(new URL('part.ts', import.meta.url))

/**
 * The folder for all files of a bench. It is on the disk of the checkout, since in memory a durable write would cost
 * nothing.
 */
export const onDisk = fileURLToPath(new URL('../node_modules/', import.meta.url))

const children = new Set<ChildProcess>()
const folders = new Set<string>()

/** Kills all processes that are still running and removes their files, at once. */
export function endEverything(): void {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/** Creates an empty folder. Disposing removes it. */
export function scratch(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(onDisk, '.bench-'))
  folders.add(path)
  return {
    path,
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true })
      folders.delete(path)
    },
  }
}

/** A child process. Disposing ends it, and waits until it has ended. */
export interface RunningProcess extends AsyncDisposable {
  readonly pid: number
  readonly ended: Promise<unknown>
}

/** The memory of a process, in MB. */
export function residentMb(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}

export interface Part<T> extends RunningProcess {
  /** The function's result, transferred as JSON. */
  readonly value: T
}

/**
 * Calls an exported function of a module in a separate process, with options that JSON can represent, and resolves with
 * its result. The process lives on, with any server that the function has started, until it is disposed of.
 */
export async function startPart<O, T>(module: string, part: (options: O) => Promise<T>, options: O): Promise<Part<T>> {
  const child = fork(entry, [module, part.name], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const running = keep(child, 'SIGKILL')
  // The options are sent as a message, since the length of arguments is limited.
  child.send(JSON.stringify(options))
  const value = await new Promise<T>((resolve, reject) => {
    child.once('message', (message) => resolve(JSON.parse(String(message))))
    child.once('exit', (code, signal) => reject(new Error(`${part.name} ended with ${signal ?? code}`)))
  })
  return { ...running, value }
}

/** Like `startPart`, but ends the process when the function has resolved. */
export async function runPart<O, T>(module: string, part: (options: O) => Promise<T>, options: O): Promise<T> {
  await using running = await startPart(module, part, options)
  return running.value
}

export interface SavOptions {
  /** The working directory of `sav`, which also gets its log. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

/** The environment of `sav`: without the `SAV_` settings of this machine's shell. */
function environment(env: SavOptions['env']): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SAV_') && name !== 'NODE_OPTIONS')
  return { ...Object.fromEntries(inherited), NODE_OPTIONS: `--import=${watch}`, ...env }
}

export interface RunningSav extends RunningProcess {
  readonly child: ChildProcess
  /** The delays of its event loop since the last call. */
  delay(): Promise<Delay>
  /** The longest time for which it blocked everything else since the last call, in milliseconds of processor time. */
  hold(): Promise<number>
}

/** Starts `sav` as a process manager would, with its log in a file. */
export function startSav(args: readonly string[], { folder, env }: SavOptions): RunningSav {
  const log = openSync(join(folder, 'sav.log'), 'a')
  const child = spawn(sav, args, { cwd: folder, env: environment(env), stdio: ['ignore', 'pipe', log, 'ipc'] })
  closeSync(log)
  const ask = async <T>(question: string): Promise<T> => {
    const answer: Promise<T[]> = once(child, 'message')
    child.send(question)
    const [value] = await answer
    if (value === undefined) throw new Error(`sav did not report its ${question}`)
    return value
  }
  return {
    ...keep(child, 'SIGTERM'),
    child,
    delay: () => ask<Delay>('delay'),
    hold: () => ask<number>('hold'),
  }
}

/** Runs a command of `sav` until it ends. @throws Error if it fails */
export async function runSav(args: readonly string[], options: SavOptions): Promise<void> {
  const { child } = startSav(args, options)
  child.stdout?.resume()
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`sav ${args.join(' ')} ended with ${code}\n${logOf(options.folder)}`)
}

/** Starts `sav serve` on a free port. Resolves when it answers. */
export async function startServer(
  args: readonly string[],
  options: SavOptions,
): Promise<Omit<RunningSav, 'child'> & { readonly port: number }> {
  const { child, ...running } = startSav(['serve', '--port', '0', ...args], options)
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`sav serve ended with ${code}\n${logOf(options.folder)}`)))
    if (child.stdout === null) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1]
      if (found !== undefined) resolve(Number(found))
    })
  })
  return { ...running, port }
}

/** The last lines that `sav` wrote on standard error in this folder. */
export function logOf(folder: string): string {
  return readFileSync(join(folder, 'sav.log'), 'utf8').split('\n').slice(-20).join('\n')
}

function keep(child: ChildProcess, ending: 'SIGTERM' | 'SIGKILL'): RunningProcess {
  children.add(child)
  const ended = once(child, 'exit').finally(() => children.delete(child))
  return {
    pid: child.pid ?? 0,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill(ending)
      const overdue = setTimeout(() => child.kill('SIGKILL'), 15_000)
      await ended
      clearTimeout(overdue)
    },
  }
}
