import { issueOf, type ParamsArgument, type Reason, reason, reasonsOf, type Sentences } from './refusals/reason.js'
import { sentences } from './refusals/sentences.js'
import type { Shape, slot, takenTime } from './values/shape.js'

/** One bad field of an input: `field` is its path as the caller wrote it (`photos[3]`), `message` says what to do. */
export interface FieldProblem extends Reason {
  readonly field: string
}

/** The kind of a refusal. Each kind has one class, whose docstring says when it occurs. */
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
 * The refusals of the core. `code` is stable, so that callers can branch on it, and `params` fill its sentence.
 * `message` is that sentence, for the person who must act.
 */
export class SavError extends Error {
  readonly kind: RefusalKind
  readonly code: Reason['code']
  readonly params: Reason['params']

  constructor(kind: RefusalKind, { code, params, message }: Reason, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.kind = kind
    this.code = code
    this.params = params
  }
}

/** The input was refused and nothing written. `details` lists all bad fields. */
export class ValidationError extends SavError {
  readonly details: readonly FieldProblem[]

  constructor(details: readonly FieldProblem[]) {
    const problems = details.map(({ field, message }) => `${field}: ${message}`).join('; ')
    super('validation_failed', reason('validation_failed', { problems }))
    this.details = details
  }
}

/** The account has no such case. It does not reveal whether another account does. */
export class CaseNotFoundError extends SavError {
  constructor(id: number | string) {
    super('case_not_found', reason('case_not_found', { id }))
  }
}

/** The account has no such client, endpoint, delivery, key, file or other thing. */
export class NotFoundError extends SavError {
  /** @param why a more precise reason */
  constructor(what: string, id: number | string, why: Reason = reason('not_found', { what, id })) {
    super('not_found', why)
  }
}

/** The row. @throws NotFoundError when there is none */
export function found<Row>(row: Row | null, what: string, id: number | string): Row {
  if (row === null) throw new NotFoundError(what, id)
  return row
}

/**
 * The case is already closed. The error has the evidence hash of that close, for a caller who lost the first answer.
 */
export class CaseAlreadyClosedError extends SavError {
  readonly hash_sha256: string

  constructor(reference: string, hash_sha256: string) {
    super('case_already_closed', reason('case_already_closed', { reference }))
    this.hash_sha256 = hash_sha256
  }
}

/** The current state forbids the operation. `message` names the state and what is possible. */
export class ConflictError extends SavError {
  constructor(why: Reason) {
    super('conflict', why)
  }
}

/** The refusals of a feature, or of the core, by the codes of its sentences. */
export function refusalsOf<const S extends Sentences>(sentences: S) {
  type Params<Code extends keyof S & string> = ParamsArgument<S[Code]>
  const reason = reasonsOf(sentences)
  return {
    reason,
    /** The refusal as the message of a zod issue, which must be a text. */
    issue: <Code extends keyof S & string>(code: Code, ...params: Params<Code>): string =>
      issueOf(reason(code, ...params)),
    /** A bad field, by the refusal's code and parameters. */
    fieldProblem: <Code extends keyof S & string>(
      field: string,
      code: Code,
      ...params: Params<Code>
    ): FieldProblem => ({ field, ...reason(code, ...params) }),
    /** A conflict with the current state, by its code. */
    conflict: <Code extends keyof S & string>(code: Code, ...params: Params<Code>): ConflictError =>
      new ConflictError(reason(code, ...params)),
  }
}

const ofTheCore = refusalsOf(sentences)

/** A bad field, by a code of the core. */
export const fieldProblem = ofTheCore.fieldProblem

/** A conflict with the current state, by a code of the core. */
export const conflict = ofTheCore.conflict

/** A change would write about an erased client. Nothing was written. */
export class ClientErasedError extends ConflictError {
  /** @param remedy what is possible instead, as the end of a sentence */
  constructor(id: number, remedy: string) {
    super(reason('client_erased', { id, remedy }))
  }
}

/** The record changed since the caller read it. Nothing was written. */
export class VersionMismatchError extends SavError {
  constructor(why: Reason) {
    super('version_mismatch', why)
  }
}

/** A person has another appointment at that time. */
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

/** The conflicting appointment. */
export type TakenTime = Shape<typeof takenTime>

/** A time at which an installer is free, and the token that books it. */
export type Slot = Shape<typeof slot>

/** The same Idempotency-Key was used with another body. */
export class IdempotencyMismatchError extends SavError {
  constructor() {
    super('idempotency_mismatch', reason('idempotency_mismatch'))
  }
}

/** The first request with this Idempotency-Key has not been answered yet; this one did nothing. */
export class IdempotencyInProgressError extends SavError {
  constructor() {
    super('idempotency_in_progress', reason('idempotency_in_progress'))
  }
}

/** The kept answer to this Idempotency-Key was about a client who has been erased since. Nothing was done again. */
export class AnswerErasedError extends SavError {
  constructor() {
    super('answer_erased', reason('answer_erased'))
  }
}

/**
 * Why a sign-in through a provider fails: it refused or answered something invalid, the e-mail address is missing, or
 * the address is not verified.
 */
export type ProviderRefusal = 'provider_refused' | 'email_missing' | 'email_unverified' | 'email_unvouched'

/**
 * The sign-in failed. Show `reason` only to a person whom a provider has verified. Otherwise it would help people who
 * guess addresses.
 */
export class SignInRefusedError extends SavError {
  readonly reason: 'refused' | 'expired' | 'unknown_person' | ProviderRefusal
  /**
   * The users with the address that the provider did not verify. Their administrators may see them, in the journal; the
   * caller must not.
   */
  readonly claimed: readonly { readonly account_id: string; readonly id: string }[]

  constructor(
    why: SignInRefusedError['reason'] = 'refused',
    { claimed = [], ...options }: ErrorOptions & Partial<Pick<SignInRefusedError, 'claimed'>> = {},
  ) {
    super('sign_in_refused', reason('sign_in_refused'), options)
    this.reason = why
    this.claimed = claimed
  }
}

/** The caller has too many waiting calls. Nothing was done. */
export class TooManyWaitingError extends SavError {
  /** How long the caller should wait before the next attempt: about the duration of one turn. */
  readonly retryAfterSeconds = 5

  constructor() {
    super('too_many_waiting', reason('too_many_waiting'))
  }
}

/** The store is busy, full, unreachable or damaged. Nothing was written, and the same call may succeed later. */
export class UnavailableError extends SavError {
  readonly retryAfterSeconds: number
  /** The store is damaged: an operator must restore a backup. */
  readonly damaged: boolean

  constructor(problem: string, options: ErrorOptions & { retryAfterSeconds: number; damaged?: boolean }) {
    super('unavailable', reason('unavailable', { problem }), options)
    this.retryAfterSeconds = options.retryAfterSeconds
    this.damaged = options.damaged ?? false
  }
}
