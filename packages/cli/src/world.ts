import type { Writable } from 'node:stream'
import type { ExitCode } from './exit-codes.js'

/** What surrounds a run of the command: handed in, so that tests own it. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute path. */
  readonly cwd: string
  readonly stdout: Writable
  readonly stderr: Writable
  /** Resolves when the command that runs until it is stopped shall stop. */
  readonly untilStopped: () => Promise<void>
  /** Asks the person at the terminal, yes or no; null where there is none. */
  readonly ask: ((question: string) => Promise<boolean>) | null
}

/** Options that every command takes. */
export interface GlobalOptions {
  readonly json?: boolean
  readonly account: string
  readonly database?: string
}

/** What a command gives back to be printed. */
export interface Output {
  /** Printed as JSON with `--json`. */
  readonly json: unknown
  /** Printed without it; lines end with `\n` between them only. */
  readonly text: string
  /** Default: done. */
  readonly exitCode?: ExitCode
}
