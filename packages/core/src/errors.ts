/** One bad field of an input: `field` is its path as the caller wrote it (`photos[3]`), `message` what to do about it. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** Stable, for callers to branch on: each has one class, whose docstring says when it comes. */
export type SavErrorCode =
  | 'validation_failed'
  | 'not_found'
  | 'case_not_found'
  | 'case_already_closed'
  | 'conflict'
  | 'client_erased'
  | 'slot_taken'
  | 'version_mismatch'
  | 'idempotency_mismatch'
  | 'idempotency_in_progress'
  | 'answer_erased'
  | 'sign_in_refused'
  | 'too_many_waiting'
  | 'unavailable'

/** Everything that the core refuses. `code` is stable; `message` is a sentence for the person who must act. */
export class SavError extends Error {
  readonly code: SavErrorCode

  constructor(code: SavErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/** The input was refused and nothing written; `details` names its bad fields together, not the first alone. */
export class ValidationError extends SavError {
  readonly details: readonly FieldProblem[]

  constructor(details: readonly FieldProblem[]) {
    super('validation_failed', `Validation failed: ${details.map((d) => `${d.field}: ${d.message}`).join('; ')}`)
    this.details = details
  }
}

/** The account holds no such case; that another one does is not told. */
export class CaseNotFoundError extends SavError {
  constructor(id: number | string) {
    super('case_not_found', `No case ${id} in this account.`)
  }
}

/** Anything but a case that the account does not hold: a client, an endpoint, a delivery, a key, a file. */
export class NotFoundError extends SavError {
  constructor(kind: string, id: number | string) {
    super('not_found', `No ${kind} ${id} in this account.`)
  }
}

/** What was looked up, for who cannot go on without it. @throws NotFoundError when there is none */
export function found<Row>(row: Row | null, kind: string, id: number | string): Row {
  if (row === null) throw new NotFoundError(kind, id)
  return row
}

/** Carries the evidence hash of the close that stands, so that a caller who lost the first answer has it. */
export class CaseAlreadyClosedError extends SavError {
  readonly hash_sha256: string

  constructor(reference: string, hash_sha256: string) {
    super('case_already_closed', `Case ${reference} is already closed.`)
    this.hash_sha256 = hash_sha256
  }
}

/** The state of what was found forbids the operation; `message` names the state and the operation that is allowed. */
export class ConflictError extends SavError {
  constructor(message: string) {
    super('conflict', message)
  }
}

/** It would write again about a client who was erased; nothing was written. */
export class ClientErasedError extends SavError {
  /** @param remedy what is possible instead, as the end of a sentence */
  constructor(client_id: number, remedy: string) {
    super('client_erased', `Client ${client_id} was erased: ${remedy}`)
  }
}

/** Somebody else was faster: it changed since the caller read it, and nothing was written. */
export class VersionMismatchError extends SavError {
  /** @param what begins the sentence: `Case SAV-2026-00042`, `Rdv 7` */
  constructor(what: string, version: number) {
    super('version_mismatch', `${what} has changed since it was read: it is at version ${version}. Read it again.`)
  }
}

/** Somebody is taken at that time by another appointment. */
export class SlotTakenError extends SavError {
  readonly conflit: TakenTime
  readonly alternatives: readonly Slot[]

  constructor({ conflit, alternatives }: Pick<SlotTakenError, 'conflit' | 'alternatives'>) {
    const { id, debut, fin, poseur } = conflit
    super('slot_taken', `Rdv ${id} of poseur ${poseur.id} is in the way, from ${debut} to ${fin}.`)
    this.conflit = conflit
    this.alternatives = alternatives
  }
}

/** The appointment that is in the way. */
export interface TakenTime {
  readonly id: number
  readonly debut: string
  readonly fin: string
  readonly poseur: { readonly id: number }
}

/** A time at which somebody can be sent, and the token that books it at once. */
export interface Slot {
  readonly debut: string
  readonly fin: string
  readonly poseur: { readonly id: number; readonly nom: string }
  readonly trajet_avant_minutes: number
  readonly trajet_ajoute_minutes: number
  readonly jeton: string
}

/** The same Idempotency-Key came before with another body. */
export class IdempotencyMismatchError extends SavError {
  constructor() {
    super(
      'idempotency_mismatch',
      'This Idempotency-Key was used with another body: repeat that very request, or send this one with a key of its own.',
    )
  }
}

/** The first request with this Idempotency-Key has not been answered yet; nothing was done for this one. */
export class IdempotencyInProgressError extends SavError {
  constructor() {
    super('idempotency_in_progress', 'A request with this Idempotency-Key is still running: ask again in a moment.')
  }
}

/** What this Idempotency-Key was answered told of somebody who was erased since; nothing was done again. */
export class AnswerErasedError extends SavError {
  constructor() {
    super('answer_erased', 'The answer to this Idempotency-Key told of somebody who was erased since.')
  }
}

/** Nobody was signed in. Its `reason` is for whom a provider has verified: whoever guesses learns nothing of it. */
export class SignInRefusedError extends SavError {
  readonly reason: 'refused' | 'expired' | 'unknown_person'

  constructor(reason: SignInRefusedError['reason'] = 'refused', options?: ErrorOptions) {
    super('sign_in_refused', 'Nobody was signed in: what was sent is unknown, used, or expired.', options)
    this.reason = reason
  }
}

/** As many calls of this caller wait for their turn as may: nothing was done. */
export class TooManyWaitingError extends SavError {
  /** About as long as one turn takes. */
  readonly retryAfterSeconds = 5

  constructor() {
    super('too_many_waiting', 'Too many of your calls wait for their turn: send the next one when one is answered.')
  }
}

/** The store is busy, full or away: nothing was written, and the same call may succeed later. */
export class UnavailableError extends SavError {
  readonly retryAfterSeconds: number

  constructor(message: string, options: ErrorOptions & { retryAfterSeconds: number }) {
    super('unavailable', message, options)
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
