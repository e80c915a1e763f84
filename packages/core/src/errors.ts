import { issueOf, type ParamsArgument, type Reason, reason, reasonsOf, type Sentences } from './refusals/reason.js'
import { sentences } from './refusals/sentences.js'
import type { Shape, slot, takenTime } from './values/shape.js'

/** One bad field of an input: `field` is its path as the caller wrote it (`photos[3]`), `message` what to do about it. */
export interface FieldProblem extends Reason {
  readonly field: string
}

/** The kind of a refusal. Each has one class, whose docstring says when it comes. */
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
 * The refusals of the core. `code` is stable, for callers to branch on, and `params` fills its sentence. `message` is
 * that sentence, for the person who must act.
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

/** The input was refused and nothing written. `details` names all bad fields, not only the first. */
export class ValidationError extends SavError {
  readonly details: readonly FieldProblem[]

  constructor(details: readonly FieldProblem[]) {
    const problems = details.map(({ field, message }) => `${field}: ${message}`).join('; ')
    super('validation_failed', reason('validation_failed', { problems }))
    this.details = details
  }
}

/** The account holds no such case. It does not say whether another account does. */
export class CaseNotFoundError extends SavError {
  constructor(id: number | string) {
    super('case_not_found', reason('case_not_found', { id }))
  }
}

/** The account has no such thing other than a case: a client, an endpoint, a delivery, a key, a file. */
export class NotFoundError extends SavError {
  /** @param why a reason beyond its absence */
  constructor(what: string, id: number | string, why: Reason = reason('not_found', { what, id })) {
    super('not_found', why)
  }
}

/** The row, for a caller that needs it. @throws NotFoundError when there is none */
export function found<Row>(row: Row | null, what: string, id: number | string): Row {
  if (row === null) throw new NotFoundError(what, id)
  return row
}

/** The case is closed already. It carries the evidence hash of that close, for a caller who lost the first answer. */
export class CaseAlreadyClosedError extends SavError {
  readonly hash_sha256: string

  constructor(reference: string, hash_sha256: string) {
    super('case_already_closed', reason('case_already_closed', { reference }))
    this.hash_sha256 = hash_sha256
  }
}

/** The present state forbids the operation. `message` names the state and the operation that is allowed. */
export class ConflictError extends SavError {
  constructor(why: Reason) {
    super('conflict', why)
  }
}

/** How a feature, or the core, refuses by the codes of its own sentences. */
export function refusalsOf<const S extends Sentences>(sentences: S) {
  type Params<Code extends keyof S & string> = ParamsArgument<S[Code]>
  const reason = reasonsOf(sentences)
  return {
    reason,
    /** As the message of an issue of zod's, which is a text. */
    issue: <Code extends keyof S & string>(code: Code, ...params: Params<Code>): string =>
      issueOf(reason(code, ...params)),
    /** A bad field, by the code of its refusal and what fills the sentence. */
    fieldProblem: <Code extends keyof S & string>(
      field: string,
      code: Code,
      ...params: Params<Code>
    ): FieldProblem => ({ field, ...reason(code, ...params) }),
    /** A conflict with the present state, by its code. */
    conflict: <Code extends keyof S & string>(code: Code, ...params: Params<Code>): ConflictError =>
      new ConflictError(reason(code, ...params)),
  }
}

const ofTheCore = refusalsOf(sentences)

/** A bad field, by a code of the core. */
export const fieldProblem = ofTheCore.fieldProblem

/** A conflict with the present state, by a code of the core. */
export const conflict = ofTheCore.conflict

/** A change would write about an erased client. Nothing was written. */
export class ClientErasedError extends ConflictError {
  /** @param remedy what is possible instead, as the end of a sentence */
  constructor(id: number, remedy: string) {
    super(reason('client_erased', { id, remedy }))
  }
}

/** It changed since the caller read it. Nothing was written. */
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

/** A time at which an installer can be sent, and the token that books it at once. */
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

/** The kept answer to this Idempotency-Key was about a client who was erased since. Nothing was done again. */
export class AnswerErasedError extends SavError {
  constructor() {
    super('answer_erased', reason('answer_erased'))
  }
}

/**
 * Why a provider's answer signs nobody in: it was refused there or is not valid, has no address, says that the address is
 * not verified, or says nothing about that.
 */
export type ProviderRefusal = 'provider_refused' | 'email_missing' | 'email_unverified' | 'email_unvouched'

/**
 * The sign-in failed. Its `reason` is only for a person whom a provider has verified, so that a guesser learns nothing.
 */
export class SignInRefusedError extends SavError {
  readonly reason: 'refused' | 'expired' | 'unknown_person' | ProviderRefusal
  /** The people with the address that the provider did not verify: for their administrators' journal, not for the caller. */
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

/** The caller has too many calls waiting for their turn. Nothing was done. */
export class TooManyWaitingError extends SavError {
  /** About as long as one turn takes. */
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
