import { type ExitCode, exitCodes } from './outcome.js'

/** What is wrong with one option or setting. It has a `code` if the core or a service refused the value. */
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

/** The exit codes of errors, by the error's code. Any other error has `failed`. */
const exitCodeOf: Readonly<Record<string, ExitCode>> = {
  usage: exitCodes.usage,
  bad_address: exitCodes.usage,
  bad_csv: exitCodes.usage,
  invalid_setting: exitCodes.usage,
  no_metrics: exitCodes.usage,
  not_found: exitCodes.notFound,
  account_not_found: exitCodes.notFound,
  not_allowed: exitCodes.notAllowed,
  not_drawn_yet: exitCodes.unavailable,
  not_initialised: exitCodes.unavailable,
  pending_migrations: exitCodes.unavailable,
  read_only: exitCodes.unavailable,
  unavailable: exitCodes.unavailable,
}

/**
 * An error with which a command ends. `code` never changes; `message` says what is wrong, with which value, and what to
 * do.
 */
export class CommandError extends Error {
  readonly code: string
  readonly exitCode: ExitCode
  readonly details: Extras['details']
  /** Further fields of the JSON that scripts read. */
  readonly more: Extras['more']

  constructor(
    code: string,
    message: string,
    { exitCode = exitCodeOf[code] ?? exitCodes.failed, details, more, cause }: Extras = {},
  ) {
    super(message, { cause })
    this.name = 'CommandError'
    this.code = code
    this.exitCode = exitCode
    this.details = details
    this.more = more
  }
}

/** The error for wrong usage of a command. */
export function usageError(message: string): CommandError {
  return new CommandError('usage', message)
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Why `fetch` failed: its own message only says that it failed. */
export function fetchProblem(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
  return cause === '' ? messageOf(error) : cause
}
