import type { Readable, Writable } from 'node:stream'

/** The process around a command, passed in so that tests can control it. */
export interface ProcessIO {
  readonly env: Readonly<Record<string, string | undefined>>
  /** An absolute path. */
  readonly cwd: string
  /**
   * The settings file of this machine, read if neither `--env-file` nor the working directory has one; null: never
   * read.
   */
  readonly installedSettings: string | null
  /** Standard input, opened at its first use: if it is a file, opening it loads a large part of Node. */
  readonly stdin: () => Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** Resolves when a long-running command must stop. */
  readonly untilStopped: (drainMs?: number) => Promise<void>
  /** Asks the person at the terminal, yes or no; null without a terminal. */
  readonly ask: ((question: string) => Promise<boolean>) | null
  /** Asks the person at the terminal for a line, which may be empty; null without a terminal. */
  readonly askFor: ((question: string) => Promise<string>) | null
  /**
   * Asks the person at the terminal for a secret, without showing it; without a terminal, reads the first line of
   * standard input.
   */
  readonly readSecret: (question: string) => Promise<string>
}
