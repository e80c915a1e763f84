import type { Sealer } from '../crypto/sealing.js'
import { Secret } from '../crypto/secret.js'
import {
  AnswerErasedError,
  fieldProblem,
  IdempotencyInProgressError,
  IdempotencyMismatchError,
  ValidationError,
} from '../errors.js'
import { sha256Of } from '../node-crypto.js'
import type { Storage, Transaction } from '../storage.js'
import type { Clock } from '../time/clock.js'
import { dayMs, toInstant } from '../time/time.js'
import type { AnswerSubject, KeptAnswer } from './kept-answer.js'

/** A request that its caller may repeat without a second effect. */
export interface IdempotentRequest {
  readonly account_id: string
  /** The id of the API key; without a key, that of the user. */
  readonly key_id: string
  readonly method: string
  /** The canonical path, so that all spellings of one path are the same request. */
  readonly path: string
  /** The `Idempotency-Key` header. */
  readonly key: string
  /** The body as received. */
  readonly body: Uint8Array
  /** Whether the answer contains a secret. If so, it is stored sealed. */
  readonly secret: boolean
}

/** The part of an answer that is kept and repeated byte for byte. */
export interface IdempotentAnswer {
  readonly status: number
  /** Name, value, name, value …, without headers that belong to one exchange (`X-Request-Id`, `Date`). */
  readonly headers: readonly string[]
  readonly body: string
  /** The client or case that the answer is about. Only needed if the answer is kept. */
  readonly about?: AnswerSubject | undefined
}

/** Keeps the answer in the transaction of its effect; rejects if another process was first. */
export type KeepAnswer = (tx: Transaction, answer: IdempotentAnswer) => Promise<void>

/** Requests that callers may repeat: a repetition has no second effect, in any process. */
export interface Idempotency {
  /**
   * Performs a request once. `run` performs it and resolves to its answer. In the transaction of the effect, `run`
   * passes that answer to `keep`. A 2xx answer that was not passed to `keep` is kept in a transaction of its own. Other
   * answers are not kept: a repeated request is then performed again. A kept answer is repeated for 24 hours.
   * @throws ValidationError for a key that is not 1 to 255 printable ASCII characters
   * @throws IdempotencyMismatchError when the same key came with another body
   * @throws AnswerErasedError when the client that the kept answer was about has been erased
   * @throws IdempotencyInProgressError while the first request is running
   * @throws the error of `run`, unless another process answered the same request meanwhile: then that answer is
   *   returned
   */
  once<Answer extends IdempotentAnswer>(
    request: IdempotentRequest,
    run: (keep: KeepAnswer) => Promise<Answer>,
  ): Promise<
    | { readonly replayed: false; readonly answer: Answer }
    | { readonly replayed: true; readonly answer: IdempotentAnswer }
  >
}

const keptMs = dayMs

export interface IdempotencyDeps {
  readonly storage: Storage
  readonly clock: Clock
  readonly sealer: Sealer
}

export function createIdempotency({ storage, clock, sealer }: IdempotencyDeps): Idempotency {
  /** SHA-256 of the bodies of the requests that are running in this process, by `ownerOf` the request. */
  const running = new Map<string, string>()
  const notBefore = () => toInstant(clock.now() - keptMs)

  async function find({ account_id, key_id, request, body }: Identity): Promise<IdempotentAnswer | null> {
    const kept = await storage.reads.idempotency.find(account_id, key_id, request)
    if (kept === null || kept.created_at < notBefore()) return null
    if (kept.answer === '') throw new AnswerErasedError()
    if (kept.body !== body) throw new IdempotencyMismatchError()
    const text = isSealed(kept.answer) ? sealer.open(kept.answer, ownerOf(kept)).reveal() : kept.answer
    return { status: kept.status, ...JSON.parse(text) }
  }

  async function keep(tx: Transaction, identity: Identity, { status, headers, body, about }: IdempotentAnswer) {
    const { secret, ...request } = identity
    const text = JSON.stringify({ headers, body })
    const answer = secret ? sealer.seal(new Secret(text), ownerOf(identity)) : text
    const { client_id = null, case_id = null } = about ?? {}
    const kept = { ...request, status, answer, created_at: toInstant(clock.now()), client_id, case_id }
    if (!(await tx.idempotency.add(kept, notBefore()))) throw new IdempotencyInProgressError()
  }

  return {
    async once(request, run) {
      const identity = identityOf(request)
      const owner = ownerOf(identity)
      const runningBody = running.get(owner)
      if (runningBody !== undefined)
        throw runningBody === identity.body ? new IdempotencyInProgressError() : new IdempotencyMismatchError()
      running.set(owner, identity.body)
      try {
        const earlier = await find(identity)
        if (earlier !== null) return { replayed: true, answer: earlier }

        let kept = false
        const answer = await run(async (tx, answer) => {
          await keep(tx, identity, answer)
          kept = true
        })
        if (!kept && answer.status >= 200 && answer.status < 300)
          await storage.transaction((tx) => keep(tx, identity, answer))
        return { replayed: false, answer }
      } catch (error) {
        // If another process answered this request first, that may have caused the error.
        const first =
          error instanceof IdempotencyMismatchError || error instanceof AnswerErasedError ? null : await find(identity)
        if (first === null) throw error
        return { replayed: true, answer: first }
      } finally {
        running.delete(owner)
      }
    },
  }
}

type Identity = Pick<KeptAnswer, 'account_id' | 'key_id' | 'request' | 'body'> & Pick<IdempotentRequest, 'secret'>

function identityOf({ account_id, key_id, method, path, key, body, secret }: IdempotentRequest): Identity {
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new ValidationError([fieldProblem('Idempotency-Key', 'not_an_idempotency_key')])
  const request = sha256Of(JSON.stringify([method, path, key]))
  return { account_id, key_id, request, body: sha256Of(body), secret }
}

/**
 * The owner that a sealed answer is bound to, so that it opens for no other request. It also identifies a running
 * request.
 */
const ownerOf = ({ account_id, key_id, request }: Omit<Identity, 'body' | 'secret'>) =>
  `${account_id}/${key_id}/${request}`

/** An unsealed answer begins with a brace. */
const isSealed = (answer: string) => !answer.startsWith('{')
