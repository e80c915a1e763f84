import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { tasks } from './child.js'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A process that runs one of the tasks of `child.ts`. */
export class Child {
  /** What it has printed so far. */
  readonly lines: string[] = []
  readonly #process: ChildProcessByStdio<Writable, Readable, null>
  readonly #output: Interface

  constructor(task: keyof typeof tasks, file = '') {
    this.#process = spawn(
      process.execPath,
      ['--import', here('../../../test/source.mjs'), here('child.ts'), task, file],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    )
    this.#output = createInterface(this.#process.stdout)
    this.#output.on('line', (line) => this.lines.push(line))
  }

  async printed(count: number): Promise<void> {
    while (this.lines.length < count) await once(this.#output, 'line')
  }

  tell(line: string): void {
    this.#process.stdin.write(`${line}\n`)
  }

  /** Resolves when the process and its connections are gone. */
  async kill(): Promise<void> {
    const gone = [once(this.#output, 'close'), once(this.#process, 'close')]
    this.#process.kill('SIGKILL')
    await Promise.all(gone)
  }

  /** Resolves to the printed lines once the process has ended. */
  async end(): Promise<string[]> {
    const closed = once(this.#output, 'close')
    const exited = once(this.#process, 'exit')
    this.#process.stdin.end()
    await closed
    const [code] = await exited
    if (code !== 0) throw new Error(`The child process ended with ${code}.`)
    return this.lines
  }
}

/** Another process that writes to the latest store that it got. */
export class OtherWriter {
  readonly #child = new Child('writeElsewhere')
  #told = 0

  /** Resolves when it has begun. */
  async writeTo(place: string, options: object = {}): Promise<void> {
    this.#child.tell(JSON.stringify([place, options]))
    this.#told += 1
    await this.#child.printed(this.#told)
  }

  async end(): Promise<void> {
    await this.#child.end()
  }
}
