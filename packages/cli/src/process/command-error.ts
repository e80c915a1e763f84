import { type ExitCode, exitCodes } from './outcome.js'

/** What is wrong with one option or setting; a `code` where the core or a service refused it. */
export interface NamedProblem {
  readonly field: string
  readonly message: string
  readonly code?: string
}

interface Extras {
  readonly exitCode?: ExitCode
  readonly details?: readonly NamedProblem[] | undefined
  readonly more?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** A refusal of the command line itself. `code` is stable; `message` says what, which value, and what to do. */
export class CommandError extends Error {
  readonly code: string
  readonly exitCode: ExitCode
  readonly details: Extras['details']
  /** What else a script is told. */
  readonly more: Extras['more']

  constructor(code: string, message: string, { exitCode = exitCodes.failed, details, more, cause }: Extras = {}) {
    super(message, { cause })
    this.name = 'CommandError'
    this.code = code
    this.exitCode = exitCode
    this.details = details
    this.more = more
  }
}

/** A command that was typed wrong. */
export function usageError(message: string): CommandError {
  return new CommandError('usage', message, { exitCode: exitCodes.usage })
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Why `fetch` failed: its own message says only that it did. */
export function fetchProblem(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
  return cause === '' ? messageOf(error) : cause
}
