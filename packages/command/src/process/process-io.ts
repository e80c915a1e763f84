import type { Readable, Writable } from 'node:stream'

/** The process around a command, passed in so that tests can control it. */
export interface ProcessIO {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute path. */
  readonly cwd: string
  /** The settings file of this machine, read if there is no nearer one; null: none is read. */
  readonly installedSettings: string | null
  /** Opened at its first use: for a file, that loads a large part of Node. */
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
