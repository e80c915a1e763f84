import {
  CaseAlreadyClosedError,
  type Reason,
  SavError,
  SlotTakenError,
  TooManyWaitingError,
  UnavailableError,
  ValidationError,
} from '@sav/core'
import { type RateLimitState, shapes } from '@sav/core/adapter'
import * as z from 'zod'
import { type ApiResponse, json } from './exchange.js'

/** A kind of refusal: `error` is its stable sentence, in the body beside `success: false`. */
interface Failure {
  readonly status: number
  readonly error: string
  /** Further fields of the body. */
  readonly fields: () => z.ZodRawShape
  readonly example: Readonly<Record<string, unknown>>
}

const failure = <S extends z.ZodRawShape>(
  status: number,
  error: string,
  fields: () => S,
  example: z.input<z.ZodObject<S>>,
): Failure => ({ status, error, fields: shapes.lazily(fields), example })

const plain = (status: number, error: string) => failure(status, error, () => ({}), {})

const detail = () => z.string().meta({ description: 'What is wrong, and what to do about it.' })
const code = () =>
  z.string().meta({ description: 'The reason, for programs. Codes never change.', examples: ['client_erased'] })
const params = () =>
  z
    .record(z.string(), z.union([z.string(), z.number()]))
    .meta({ description: 'The values that fill the placeholders of the message for this code.' })
const detailed = () => ({ detail: detail() })

/** Every refusal of the API: answers and contract both follow from this list. */
export const failures = {
  malformed_json: failure(400, 'Malformed JSON', () => ({ detail: detail().optional() }), {}),
  incomplete_body: plain(400, 'Incomplete body'),
  bad_request: plain(400, 'Bad request'),
  unauthorized: plain(401, 'Missing or invalid API key'),
  /** With the host's `authenticate`, the refusal must not mention keys. */
  not_signed_in: plain(401, 'Not signed in'),
  sign_in_refused: plain(401, 'Sign-in refused'),
  replay_suspected: failure(401, 'Replay attack suspected', detailed, {
    detail: 'X-Request-Timestamp is missing: send the Unix time in seconds with every write.',
  }),
  cross_site: failure(403, 'Cross-site request refused', detailed, {
    detail: 'A session may write only from pages of this service.',
  }),
  permission_denied: failure(403, 'Permission denied', () => ({ required: z.string() }), { required: 'sav:write' }),
  case_not_found: plain(404, 'Case not found'),
  not_found: plain(404, 'Not found'),
  method_not_allowed: plain(405, 'Method not allowed'),
  request_timeout: plain(408, 'Request timeout'),
  case_already_closed: failure(409, 'Case is already closed', () => ({ hash_sha256: z.hash('sha256') }), {
    hash_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  }),
  conflict: failure(409, 'Conflict', detailed, {
    detail: 'Case SAV-2026-00042 is ouvert: only a closed case can be reopened.',
  }),
  idempotency_in_progress: failure(409, 'Request in progress', detailed, {
    detail: 'A request with this Idempotency-Key is still running: ask again in a moment.',
  }),
  slot_taken: failure(
    409,
    'Time slot is already taken',
    () => ({
      conflit: shapes.takenTime(),
      alternatives: z
        .array(z.looseObject({ debut: z.iso.datetime({ precision: 3 }), fin: z.iso.datetime({ precision: 3 }) }))
        .meta({ description: 'At most three free slots. Each can be booked directly with its `jeton`.' }),
    }),
    {
      conflit: {
        id: 5,
        debut: '2026-03-16T08:00:00.000Z',
        fin: '2026-03-16T10:00:00.000Z',
        poseur: { id: 3 },
      },
      alternatives: [],
    },
  ),
  answer_erased: plain(409, 'The answer to this key was erased'),
  version_mismatch: failure(412, 'Precondition failed', detailed, {
    detail: 'Case SAV-2026-00042 has changed since it was read: it is at version 4. Read it again.',
  }),
  payload_too_large: failure(
    413,
    'Payload too large',
    () => ({ max_bytes: z.int().describe('The maximum size of a body, in bytes.') }),
    { max_bytes: 75_497_472 },
  ),
  unsupported_media_type: failure(415, 'Unsupported media type', detailed, {
    detail: 'Send Content-Type: application/json, in UTF-8, without a Content-Encoding.',
  }),
  range_not_satisfiable: plain(416, 'Range not satisfiable'),
  validation_failed: failure(
    422,
    'Validation failed',
    () => ({
      details: z.array(z.object({ field: z.string(), code: code(), params: params(), message: z.string() })),
    }),
    {
      details: [
        {
          field: 'description',
          code: 'description_too_short',
          params: { min: 10, max: 2000, found: 5 },
          message: 'must be 10 to 2000 characters (found 5)',
        },
      ],
    },
  ),
  too_many_requests: plain(429, 'Too many requests'),
  headers_too_large: plain(431, 'Request header fields too large'),
  client_left: plain(499, 'Client closed request'),
  internal: plain(500, 'Internal server error'),
  unavailable: plain(503, 'Service unavailable'),
} as const satisfies Record<string, Failure>

export type FailureKind = keyof typeof failures

/** Every value of `ApiAnswer.refusal`. */
export const failureKinds: readonly string[] = Object.keys(failures)

/** The refusals whose bodies the specification prescribes. */
const fixed: readonly FailureKind[] = ['unauthorized', 'replay_suspected', 'permission_denied']

/** The whole body of a refusal. */
export const failureSchema = (kind: FailureKind) =>
  z.object({
    success: z.literal(false),
    error: z.literal(failures[kind].error),
    ...(!fixed.includes(kind) && { code: code(), params: params() }),
    ...failures[kind].fields(),
  })

export const failureExample = (kind: FailureKind) => ({
  success: false,
  error: failures[kind].error,
  ...(!fixed.includes(kind) && { code: kind, params: {} }),
  ...failures[kind].example,
})

/** Ends a call before, or instead of, its use case. */
export class Refusal extends Error {
  readonly kind: FailureKind
  /** Further fields of its body, besides `success` and `error`. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly headers: readonly string[]

  constructor(
    kind: FailureKind,
    {
      because,
      fields = {},
      headers = [],
    }: Partial<Pick<Refusal, 'fields' | 'headers'>> & { readonly because?: Reason } = {},
    options?: ErrorOptions,
  ) {
    super(failures[kind].error, options)
    this.name = 'Refusal'
    this.kind = kind
    const { code = kind, params = {} } = because ?? {}
    this.fields = {
      ...(!fixed.includes(kind) && { code, params }),
      ...('detail' in failures[kind].fields() && because !== undefined && { detail: because.message }),
      ...fields,
    }
    this.headers = headers
  }
}

const retryAfter = (seconds: number) => ['Retry-After', String(Math.max(1, Math.ceil(seconds)))]

const unavailable = (retryAfterSeconds: number) =>
  new Refusal('unavailable', { headers: retryAfter(retryAfterSeconds) })

/** @throws Refusal when the limit was reached */
export function refuseBeyond(limit: RateLimitState | null): void {
  if (limit?.allowed === false) throw new Refusal('too_many_requests', { headers: retryAfter(limit.retryAfterSeconds) })
}

/** Ends the work for a client that has disconnected. This refusal is not sent, but the audit has its status. */
export const clientLeft = () => new Refusal('client_left')

/** Refuses a body while others use all the memory. */
export const beyondBudget = () => unavailable(1)

/** The error if a body parser ran first. It is for the host's log; callers do not see it. */
export const bodyWasTaken = () =>
  new Error(
    'The body has already been read: mount this handler before any body parser (express.json(), the one of ' +
      'NestFactory.create unless bodyParser is false, those of Fastify), or exclude its path from the parser.',
  )

/** The refusal for any thrown error. An unexpected error shows its caller no details. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof SavError) return fromCore(error)
  return new Refusal('internal')
}

function fromCore(error: SavError): Refusal {
  const { kind } = error
  switch (kind) {
    case 'validation_failed':
      return new Refusal(kind, { fields: { details: error instanceof ValidationError ? error.details : [] } })
    // No further fields: the answer must be the same if the thing belongs to another account.
    case 'case_not_found':
    case 'not_found':
      return new Refusal(kind)
    case 'case_already_closed':
      return new Refusal(kind, {
        because: error,
        fields: { hash_sha256: error instanceof CaseAlreadyClosedError ? error.hash_sha256 : '' },
      })
    case 'idempotency_mismatch': {
      const { code, params, message } = error
      return new Refusal('validation_failed', {
        fields: { details: [{ field: 'Idempotency-Key', code, params, message }] },
      })
    }
    case 'idempotency_in_progress':
      return new Refusal(kind, { because: error, headers: retryAfter(1) })
    case 'slot_taken':
      return new Refusal(kind, { because: error, fields: error instanceof SlotTakenError ? takenFields(error) : {} })
    case 'too_many_waiting':
      return new Refusal('too_many_requests', {
        because: error,
        headers: retryAfter(error instanceof TooManyWaitingError ? error.retryAfterSeconds : 1),
      })
    case 'unavailable':
      return unavailable(error instanceof UnavailableError ? error.retryAfterSeconds : 1)
    default:
      return new Refusal(kind, { because: error })
  }
}

const takenFields = ({ conflit, alternatives }: SlotTakenError) => ({ conflit, alternatives })

export interface RefusalAnswer {
  /** Whether to answer with problem details (RFC 9457), which contain the usual fields as well. */
  readonly asProblem?: boolean
  /** Whether callers use keys: a 401 then says so in WWW-Authenticate. */
  readonly takesKeys?: boolean
}

export function answerTo(refusal: Refusal, { asProblem = false, takesKeys = true }: RefusalAnswer = {}): ApiResponse {
  const { status, error } = failures[refusal.kind]
  const body = { success: false, error, ...refusal.fields }
  const challenge = status === 401 && takesKeys ? ['WWW-Authenticate', 'Bearer'] : []
  const own = [...challenge, ...refusal.headers]
  if (!asProblem) return json(status, body, own)
  // Importing node:http takes 25 ms, and few callers want problem details.
  const title = process.getBuiltinModule('node:http').STATUS_CODES[status]
  const problem = { type: 'about:blank', title, status, detail: error, ...body }
  const { headers, body: text } = json(status, problem, own)
  headers[1] = 'application/problem+json'
  return { status, headers, body: text }
}
