import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach } from 'vitest'

const children: ChildProcess[] = []

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'close')
  }
})

/** A folder that is removed after the tests of the file. */
export function exampleFolder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sav-examples-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export interface RunningExample {
  /** Resolves to the next line that the example prints. */
  next(): Promise<{ readonly value?: string | undefined }>
  /** Sends SIGTERM. Resolves to the exit code and the signal. */
  stop(): Promise<unknown[]>
}

/** Runs an example on the built packages, as a reader would; it ends with the test. */
export const start = (name: string, env: Record<string, string>): RunningExample =>
  startFile(join(import.meta.dirname, name, 'main.ts'), env)

/** Like `start`, for the given file. */
export function startFile(file: string, env: Record<string, string>): RunningExample {
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    next: () => lines.next(),
    stop() {
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      return closed
    },
  }
}
