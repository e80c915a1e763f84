import type { ExitCode } from './exit-codes.js'

/** What a command gives back to be printed. */
export interface Output {
  /** Printed as JSON with `--json`. */
  readonly json: unknown
  /** Printed without it; lines end with `\n` between them only. */
  readonly text: string
  /** Default: done. */
  readonly exitCode?: ExitCode
}
