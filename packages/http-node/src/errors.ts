import { CaseAlreadyClosedError, SavError, UnavailableError, ValidationError } from '@sav/core'
import { type ApiResponse, json } from './exchange.js'

/** What HTTP itself refuses, before the core is asked. `error` is a stable sentence. */
export class Refusal extends Error {
  readonly answer: ApiResponse

  constructor(
    status: number,
    error: string,
    { fields, headers }: { readonly fields?: Record<string, unknown>; readonly headers?: readonly string[] } = {},
  ) {
    super(error)
    this.name = 'Refusal'
    this.answer = failure(status, { error, ...fields }, headers)
  }
}

export const unauthorized = () => new Refusal(401, 'Missing or invalid API key', { headers: challenge })

/** @param detail what is wrong with the timestamp, and what to do about it */
export const replaySuspected = (detail: string) =>
  new Refusal(401, 'Replay attack suspected', { fields: { detail }, headers: challenge })

export const permissionDenied = (required: string) => new Refusal(403, 'Permission denied', { fields: { required } })

export const notFound = () => new Refusal(404, 'Not found')

/** @param allow the methods that the path does know */
export const methodNotAllowed = (allow: string) => new Refusal(405, 'Method not allowed', { headers: ['Allow', allow] })

const challenge = ['WWW-Authenticate', 'Bearer']

/** The answer to anything thrown on the way; of what nobody foresaw, it tells nothing. */
export function answerTo(error: unknown): ApiResponse {
  if (error instanceof Refusal) return error.answer
  if (error instanceof SavError) return answerToSavError(error)
  return failure(500, { error: 'Internal server error' })
}

function answerToSavError(error: SavError): ApiResponse {
  switch (error.code) {
    case 'validation_failed':
      return failure(422, {
        error: 'Validation failed',
        details: error instanceof ValidationError ? error.details : [],
      })
    case 'case_not_found':
      return failure(404, { error: 'Case not found' })
    case 'not_found':
      return failure(404, { error: 'Not found' })
    case 'case_already_closed':
      return failure(409, {
        error: 'Case is already closed',
        ...(error instanceof CaseAlreadyClosedError && { hash_sha256: error.hash_sha256 }),
      })
    case 'conflict':
      return failure(409, { error: 'Conflict', detail: error.message })
    case 'version_mismatch':
      return failure(412, { error: 'Precondition failed', detail: error.message })
    case 'unavailable': {
      const seconds = error instanceof UnavailableError ? error.retryAfterSeconds : 1
      return failure(503, { error: 'Service unavailable' }, ['Retry-After', String(Math.max(1, Math.ceil(seconds)))])
    }
  }
}

function failure(
  status: number,
  fields: { readonly error: string; readonly [field: string]: unknown },
  headers: readonly string[] = [],
): ApiResponse {
  return json(status, { success: false, ...fields }, headers)
}
