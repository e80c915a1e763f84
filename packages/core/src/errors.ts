import { type ParamsGiven, type Reason, type RefusalCode, reason } from './refusals/reason.js'
import type { Shape, slot, takenTime } from './values/shape.js'

/** One bad field of an input: `field` is its path as the caller wrote it (`photos[3]`), `message` what to do about it. */
export interface FieldProblem extends Reason {
  readonly field: string
}

export const fieldProblem = <Code extends RefusalCode>(
  field: string,
  code: Code,
  ...params: ParamsGiven<Code>
): FieldProblem => ({ field, ...reason(code, ...params) })

/** Which kind of refusal it is; each has one class, whose docstring says when it comes. */
export type RefusalKind =
  | 'validation_failed'
  | 'not_found'
  | 'case_not_found'
  | 'case_already_closed'
  | 'conflict'
  | 'slot_taken'
  | 'version_mismatch'
  | 'idempotency_mismatch'
  | 'idempotency_in_progress'
  | 'answer_erased'
  | 'sign_in_refused'
  | 'too_many_waiting'
  | 'unavailable'

/**
 * Everything that the core refuses. `code` is stable, for callers to branch on, and `params` is what its sentence is filled
 * with; `message` is that sentence, for the person who must act.
 */
export class SavError extends Error {
  readonly kind: RefusalKind
  readonly code: RefusalCode
  readonly params: Reason['params']

  constructor(kind: RefusalKind, { code, params, message }: Reason, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.kind = kind
    this.code = code
    this.params = params
  }
}

/** The input was refused and nothing written; `details` names its bad fields together, not the first alone. */
export class ValidationError extends SavError {
  readonly details: readonly FieldProblem[]

  constructor(details: readonly FieldProblem[]) {
    const problems = details.map(({ field, message }) => `${field}: ${message}`).join('; ')
    super('validation_failed', reason('validation_failed', { problems }))
    this.details = details
  }
}

/** The account holds no such case; that another one does is not told. */
export class CaseNotFoundError extends SavError {
  constructor(id: number | string) {
    super('case_not_found', reason('case_not_found', { id }))
  }
}

/** Anything but a case that the account does not hold: a client, an endpoint, a delivery, a key, a file. */
export class NotFoundError extends SavError {
  constructor(what: string, id: number | string) {
    super('not_found', reason('not_found', { what, id }))
  }
}

/** What was looked up, for who cannot go on without it. @throws NotFoundError when there is none */
export function found<Row>(row: Row | null, what: string, id: number | string): Row {
  if (row === null) throw new NotFoundError(what, id)
  return row
}

/** Carries the evidence hash of the close that stands, so that a caller who lost the first answer has it. */
export class CaseAlreadyClosedError extends SavError {
  readonly hash_sha256: string

  constructor(reference: string, hash_sha256: string) {
    super('case_already_closed', reason('case_already_closed', { reference }))
    this.hash_sha256 = hash_sha256
  }
}

/** The state of what was found forbids the operation; `message` names the state and the operation that is allowed. */
export class ConflictError extends SavError {
  constructor(why: Reason) {
    super('conflict', why)
  }
}

/** What the state of something forbids, by its code. */
export const conflict = <Code extends RefusalCode>(code: Code, ...params: ParamsGiven<Code>): ConflictError =>
  new ConflictError(reason(code, ...params))

/** It would write again about a client who was erased; nothing was written. */
export class ClientErasedError extends ConflictError {
  /** @param remedy what is possible instead, as the end of a sentence */
  constructor(id: number, remedy: string) {
    super(reason('client_erased', { id, remedy }))
  }
}

/** Somebody else was faster: it changed since the caller read it, and nothing was written. */
export class VersionMismatchError extends SavError {
  constructor(why: Reason) {
    super('version_mismatch', why)
  }
}

/** Somebody is taken at that time by another appointment. */
export class SlotTakenError extends SavError {
  readonly conflit: TakenTime
  readonly alternatives: readonly Slot[]

  constructor({ conflit, alternatives }: Pick<SlotTakenError, 'conflit' | 'alternatives'>) {
    const { id, debut, fin, poseur } = conflit
    super('slot_taken', reason('slot_taken', { id, poseur_id: poseur.id, debut, fin }))
    this.conflit = conflit
    this.alternatives = alternatives
  }
}

/** The appointment that is in the way. */
export type TakenTime = Shape<typeof takenTime>

/** A time at which somebody can be sent, and the token that books it at once. */
export type Slot = Shape<typeof slot>

/** The same Idempotency-Key came before with another body. */
export class IdempotencyMismatchError extends SavError {
  constructor() {
    super('idempotency_mismatch', reason('idempotency_mismatch'))
  }
}

/** The first request with this Idempotency-Key has not been answered yet; nothing was done for this one. */
export class IdempotencyInProgressError extends SavError {
  constructor() {
    super('idempotency_in_progress', reason('idempotency_in_progress'))
  }
}

/** What this Idempotency-Key was answered told of somebody who was erased since; nothing was done again. */
export class AnswerErasedError extends SavError {
  constructor() {
    super('answer_erased', reason('answer_erased'))
  }
}

/** Nobody was signed in. Its `reason` is for whom a provider has verified: whoever guesses learns nothing of it. */
export class SignInRefusedError extends SavError {
  readonly reason: 'refused' | 'expired' | 'unknown_person'

  constructor(why: SignInRefusedError['reason'] = 'refused', options?: ErrorOptions) {
    super('sign_in_refused', reason('sign_in_refused'), options)
    this.reason = why
  }
}

/** As many calls of this caller wait for their turn as may: nothing was done. */
export class TooManyWaitingError extends SavError {
  /** About as long as one turn takes. */
  readonly retryAfterSeconds = 5

  constructor() {
    super('too_many_waiting', reason('too_many_waiting'))
  }
}

/** The store is busy, full, away or damaged: nothing was written, and the same call may succeed later. */
export class UnavailableError extends SavError {
  readonly retryAfterSeconds: number
  /** What was read is not what was written: somebody must restore a backup. */
  readonly damaged: boolean

  constructor(problem: string, options: ErrorOptions & { retryAfterSeconds: number; damaged?: boolean }) {
    super('unavailable', reason('unavailable', { problem }), options)
    this.retryAfterSeconds = options.retryAfterSeconds
    this.damaged = options.damaged ?? false
  }
}
