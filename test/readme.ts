import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A running program, with its output line by line. */
export interface RunningExample extends AsyncDisposable {
  /** The next line that it prints; undefined once it has ended. */
  line(): Promise<string | undefined>
  /** Resolves with its exit code. */
  readonly ended: Promise<number>
}

/**
 * Runs the first TypeScript block of a package's README, unchanged, on the sources.
 * @param name the folder's name: `packages/<name>`
 */
export async function runReadmeExample(name: string, env: Record<string, string> = {}): Promise<RunningExample> {
  const text = await readFile(join(import.meta.dirname, '../packages', name, 'README.md'), 'utf8')
  const [, example] = /^```ts\n(.*?)^```$/ms.exec(text) ?? []
  if (example === undefined) throw new Error(`the README of ${name} has no TypeScript example`)
  const folder = await mkdtemp(join(tmpdir(), `sav-readme-${name}-`))
  const file = join(folder, 'example.mts')
  await writeFile(file, example)
  const child = spawn(process.execPath, ['--import', join(import.meta.dirname, 'source.mjs'), file], {
    cwd: folder,
    env: { SAV_TEST_INSTALLED_SETTINGS: '', PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'close').then(([code]) => Number(code))
  return {
    ended,
    line: async () => (await lines.next()).value,
    async [Symbol.asyncDispose]() {
      if (isRunning(child)) child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null
