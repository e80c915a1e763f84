import type { Readable, Writable } from 'node:stream'

/** The process around a command: passed in, so that tests own it. */
export interface ProcessIO {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute path. */
  readonly cwd: string
  /** The settings file of this machine, read where nothing nearer is; null: none counts. */
  readonly installedSettings: string | null
  /** Opened at its first use: for a file, that loads much of Node. */
  readonly stdin: () => Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** Resolves when a long-running command must stop. */
  readonly untilStopped: (drainMs?: number) => Promise<void>
  /** Asks the person at the terminal, yes or no; null if there is none. */
  readonly ask: ((question: string) => Promise<boolean>) | null
  /** Asks the person at the terminal for a line, which may be empty; null if there is none. */
  readonly askFor: ((question: string) => Promise<string>) | null
  /** Asks the person at the terminal for a secret, which is not shown; without a terminal, the first line of standard input. */
  readonly readSecret: (question: string) => Promise<string>
}
