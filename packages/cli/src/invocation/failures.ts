import { type FieldProblem, SavError, type SavErrorCode, ValidationError } from '@sav/core'
import { CommandError } from './command-error.js'
import { type ExitCode, exitCodes } from './exit-codes.js'

/** What went wrong, for a person and for a script. */
export interface Failure {
  readonly exitCode: ExitCode
  /** Stable. */
  readonly code: string
  readonly message: string
  readonly details?: readonly FieldProblem[] | undefined
}

export function failureOf(error: unknown): Failure {
  if (error instanceof CommandError) return error
  if (error instanceof ValidationError) {
    const message = error.details.map(({ field, message }) => `${flagOf(field)}: ${message}`).join('\n')
    return { exitCode: exitCodes.usage, code: error.code, message, details: error.details }
  }
  if (error instanceof SavError) {
    return { exitCode: exitCodeOf(error.code), code: error.code, message: error.message }
  }
  const { code, message, stack } = error instanceof Error ? asSystemError(error) : { message: String(error) }
  if (code === 'EROFS')
    return { exitCode: exitCodes.unavailable, code: 'read_only', message: `Nothing can be written there: ${message}` }
  if (code === 'EACCES' || code === 'EPERM')
    return { exitCode: exitCodes.notAllowed, code: 'not_allowed', message: `Not allowed: ${message}` }
  if (code !== undefined) return { exitCode: exitCodes.failed, code: 'failed', message }
  return { exitCode: exitCodes.failed, code: 'internal', message: `A fault of sav itself: ${stack ?? message}` }
}

function exitCodeOf(code: SavErrorCode): ExitCode {
  switch (code) {
    case 'validation_failed':
      return exitCodes.usage
    case 'not_found':
    case 'case_not_found':
      return exitCodes.notFound
    case 'unavailable':
      return exitCodes.unavailable
    case 'case_already_closed':
    case 'conflict':
    case 'version_mismatch':
    case 'idempotency_mismatch':
    case 'idempotency_in_progress':
    case 'answer_erased':
      return exitCodes.failed
  }
}

/** Flags that are not spelled like the field that they fill. */
const flags: Readonly<Record<string, string>> = {
  expire: '--expires',
  ips: '--allow-ip',
  photos: '--photo',
  reserves: '--reserve',
  signature_client: '--signature',
  endpoint_id: '--endpoint',
  headers: '--header',
  chevauchement_secondes: '--overlap',
}

function flagOf(field: string): string {
  return flags[field.replace(/[.[].*/, '')] ?? field
}

/** Errors of the operating system carry a code, as `ENOSPC`. */
function asSystemError(error: Error): { code?: string | undefined; message: string; stack?: string | undefined } {
  const code =
    'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code) ? error.code : undefined
  return { code, message: error.message, stack: error.stack }
}
