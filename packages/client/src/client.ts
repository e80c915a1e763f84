import type { Operations, RefusalCode } from './operations.gen.js'

/**
 * A client of the API, typed by its operations. It imports only types, so it runs in a browser.
 *
 *     const sav = createClient({ baseUrl: 'https://sav.example', key: 'sav_live_…' })
 *     const { data } = await sav.post('/api/v1/sav', { body: { client_id: 7, description: 'La porte ne ferme plus.' } })
 *     for await (const found of sav.each('/api/v1/sav', { query: { statut: 'ouvert' } })) console.log(found.reference)
 */
export interface SavClient {
  /** Reads a path. */
  get<P extends PathOf<'GET'>>(path: P, ...call: Options<'GET', P>): Promise<Reply<AnswerOf<'GET', P>>>
  /** Creates or does something, only once even if the call is repeated: it sends an `Idempotency-Key`. */
  post<P extends PathOf<'POST'>>(path: P, ...call: Options<'POST', P>): Promise<Reply<AnswerOf<'POST', P>>>
  /** Replaces the thing at a path. */
  put<P extends PathOf<'PUT'>>(path: P, ...call: Options<'PUT', P>): Promise<Reply<AnswerOf<'PUT', P>>>
  /** Changes a part of the thing at a path. */
  patch<P extends PathOf<'PATCH'>>(path: P, ...call: Options<'PATCH', P>): Promise<Reply<AnswerOf<'PATCH', P>>>
  /** Removes or ends the thing at a path. */
  delete<P extends PathOf<'DELETE'>>(path: P, ...call: Options<'DELETE', P>): Promise<Reply<AnswerOf<'DELETE', P>>>
  /**
   * Every item of a list, page after page, each fetched when the previous one is used up. If items change meanwhile, no
   * other item is repeated or missing.
   */
  each<P extends ListPath>(path: P, ...call: Options<'GET', P>): Each<P>
}

/** The options of a client. */
export interface ClientOptions {
  /** The address of the service: `https://sav.example`. */
  readonly baseUrl: string
  /** The API key. Omit it on a page of the service's own origin: the signed-in user's session is used there. */
  readonly key?: string
  /** Default: the platform's. */
  readonly fetch?: (url: string, init: ClientRequest) => Promise<ClientResponse>
  /** The clock for timestamps and waits. Default for missing members: the machine's. */
  readonly clock?: Partial<ClientClock>
  /** The most attempts for one call, including the first. Default: 4. */
  readonly attempts?: number
  /** Milliseconds for one attempt, including the body of its answer. Default: 30,000; `Infinity`: no limit. */
  readonly timeoutMs?: number
  /** Called and awaited before a call is repeated. If it throws, the call ends with that error. */
  readonly onRetry?: (retry: ClientRetry) => void | Promise<void>
}

/** A call about to be repeated. */
export interface ClientRetry {
  readonly method: string
  readonly url: string
  /** The failed attempt, counted from 1. */
  readonly attempt: number
  /** The wait before the next attempt. */
  readonly waitMs: number
  /** The error of the failed attempt: a SavApiError, a `TimeoutError`, or fetch's own. */
  readonly error: unknown
}

/** A call as sent. */
export interface ClientRequest {
  readonly method: string
  /** By lowercase name. */
  readonly headers: Record<string, string>
  /** JSON, or a file if the path takes one. */
  readonly body: string | Blob | null
  readonly signal: AbortSignal | null
}

/** The used part of an answer: of a `Response`, or of its replacement without a network. */
export interface ClientResponse extends Pick<Response, 'ok' | 'status' | 'text' | 'arrayBuffer'> {
  readonly headers: Pick<Headers, 'get' | 'has'>
}

/** The time, and waiting: the machine's, or a test's. */
export interface ClientClock {
  /** Milliseconds since the Unix epoch, within 5 minutes of the server's. */
  now(): number
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

/** What is wrong with one field: `message` in English, `code` and `params` for programs. */
export interface FieldRefusal {
  readonly field: string
  readonly code: string
  readonly params: Readonly<Record<string, string | number>>
  readonly message: string
}

/** The fields of a refusal, as the service sends them. Another server's may have any type. */
interface RefusedBody extends Readonly<Record<string, unknown>> {
  readonly code?: RefusalCode
}

/**
 * A refusal, or an answer that did not come from the service. If the connection fails, a call rejects with fetch's own
 * error; if an attempt takes too long, with a `TimeoutError`.
 */
export class SavApiError extends Error {
  /** HTTP status. */
  readonly status: number
  /**
   * The code of the refusal, which never changes: `case_not_closed`. Empty if the answer has none, as the specification
   * prescribes for some, or if another server answered.
   */
  readonly code: RefusalCode | ''
  /** The values in the sentence of the refusal, by name. */
  readonly params: Readonly<Record<string, string | number>>
  /** The stable sentence of the refusal: `Case not found`. Empty if another server answered. */
  readonly error: string
  /** For a 422: what is wrong, by field. */
  readonly details: readonly FieldRefusal[]
  readonly requestId: string | null
  /** The whole answer: `required` of a 403, `hash_sha256` of a second close … */
  readonly body: Readonly<Record<string, unknown>>

  constructor(response: ClientResponse, body: RefusedBody) {
    const { error, code, params, detail, details } = body
    const list: SavApiError['details'] = Array.isArray(details) ? details : []
    const said = [error, detail, ...list.map(({ field, message }) => `${field}: ${message}`)]
    super(`${response.status} ${said.filter((text) => typeof text === 'string' && text !== '').join('; ')}`.trim())
    this.name = 'SavApiError'
    this.status = response.status
    this.code = typeof code === 'string' ? code : ''
    this.params = Object(params)
    this.error = typeof error === 'string' ? error : ''
    this.details = list
    this.requestId = response.headers.get('x-request-id')
    this.body = body
  }
}

type Method = keyof Operations
type PathOf<M extends Method> = keyof Operations[M] & string
type Part<M extends Method, P, Name extends string> = P extends keyof Operations[M]
  ? Operations[M][P] extends { readonly [N in Name]: infer T }
    ? T
    : never
  : never
type AnswerOf<M extends Method, P> = Part<M, P, 'answer'>

type ListPath = {
  [P in PathOf<'GET'>]: AnswerOf<'GET', P> extends { pagination: unknown } ? P : never
}[PathOf<'GET'>]
type ItemOf<P> = AnswerOf<'GET', P> extends { data: (infer Item)[] } ? Item : never

/** A success: the fields of the answer, or the bytes of a file, together with its headers. */
type Reply<Answer> = (Answer extends Uint8Array ? { readonly data: Answer } : Answer) & {
  readonly headers: ClientResponse['headers']
}

/** An object without members. */
type Empty = Record<never, never>

/** A member that is optional if an empty object would be valid. */
type Member<Name extends string, T> = Empty extends T ? { readonly [N in Name]?: T } : { readonly [N in Name]: T }

/** The options of every call. */
export interface CallOptions {
  /** More headers: `If-Match`, `X-Request-Id` … */
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the call and its repetitions. */
  readonly signal?: AbortSignal
  /** The time limit of one attempt, instead of the client's. */
  readonly timeoutMs?: number
}

type CallOf<M extends Method, P extends string> = CallOptions &
  Member<'params', Part<M, P, 'params'>> &
  Member<'query', Part<M, P, 'query'>> &
  Member<'body', Part<M, P, 'body'>>

type Options<M extends Method, P extends string> =
  Empty extends CallOf<M, P> ? [call?: CallOf<M, P>] : [call: CallOf<M, P>]

/** The answer of a method by name. */
export type Answer<M extends Method, P extends PathOf<M>> = Reply<AnswerOf<M, P>>

/** Every item of a list. */
export type Each<P extends ListPath> = AsyncGenerator<ItemOf<P>, void, undefined>

/** The arguments of a method by name, after the parameters of its path. */
export type InputArguments<M extends Method, P extends PathOf<M>, Name extends 'query' | 'body'> =
  Empty extends Part<M, P, Name>
    ? [input?: Part<M, P, Name>, options?: CallOptions]
    : [input: Part<M, P, Name>, options?: CallOptions]

interface AnyCall extends CallOptions {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

const firstWaitMs = 250
const maxWaitMs = 30_000

const systemClock: ClientClock = {
  now: Date.now,
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        if (signal?.aborted) reject(signal.reason)
        else resolve()
      }
      const timer = setTimeout(end, ms)
      signal?.addEventListener('abort', end)
    }),
}

/**
 * A client of one account, with the permissions of its key. It makes no call before the first method.
 * @throws TypeError for a `baseUrl` that is not an HTTP address, unless the caller passes a `fetch`
 */
export function createClient(options: ClientOptions): SavClient {
  const { baseUrl, key, attempts = 4, timeoutMs = 30_000, onRetry } = options
  if (options.fetch === undefined && !/^https?:\/\/[^/]/i.test(baseUrl))
    throw new TypeError(`baseUrl must be an address such as https://sav.example, not ${JSON.stringify(baseUrl)}.`)
  const clock = { ...systemClock, ...options.clock }
  // With a key, redirects are not followed: a POST would become a GET, or go to another server. Calls without a key
  // come from our own pages, whose service never redirects: its 308 says how much of a file has arrived.
  const redirect = key === undefined ? 'follow' : 'manual'
  const send = options.fetch ?? ((url, init) => fetch(url, { ...init, redirect }))

  async function call(method: Method, path: string, given: AnyCall = {}) {
    const url = baseUrl.replace(/\/$/, '') + addressOf(path, given)
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(given.headers ?? {})) headers[name.toLowerCase()] = value
    if (key !== undefined) headers['authorization'] = `Bearer ${key}`
    // A form on another site's page cannot send this header: only our own script does.
    else headers['x-sav-console'] = '1'
    // fetch adds the type of a file.
    if (given.body !== undefined && !isFile(given.body)) headers['content-type'] = 'application/json'
    if (method === 'POST') headers['idempotency-key'] ??= crypto.randomUUID()
    const init: ClientRequest = {
      method,
      headers,
      body: given.body === undefined ? null : isFile(given.body) ? given.body : JSON.stringify(given.body),
      signal: null,
    }
    // A repeated GET or POST gets the same answer. A repeated PUT or DELETE may get another answer.
    const mayRepeat = method === 'GET' || method === 'POST'

    for (let attempt = 1; ; attempt += 1) {
      if (method !== 'GET') headers['x-request-timestamp'] = String(Math.floor(clock.now() / 1000))
      const backOffMs = Math.min(maxWaitMs, firstWaitMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
      const signal = within(given.timeoutMs ?? timeoutMs, given.signal)
      let waitMs: number | undefined
      let failed: unknown
      try {
        const response = await send(url, { ...init, signal })
        if (isSuccess(response)) return await replyOf(response)
        failed = new SavApiError(response, await fieldsOf(response))
        waitMs = waitAfter(response, backOffMs, mayRepeat)
      } catch (error) {
        failed = error
        waitMs = mayRepeat && !given.signal?.aborted ? backOffMs : undefined
      }
      if (waitMs === undefined || attempt >= attempts) throw failed
      await onRetry?.({ method, url, attempt, waitMs, error: failed })
      await clock.wait(waitMs, given.signal)
    }
  }

  async function* each(path: string, given: AnyCall = {}) {
    let query = { ...Object(given.query) }
    for (;;) {
      const { data, pagination } = await call('GET', path, { ...given, query })
      yield* data
      if (!pagination.curseur) return
      query = { ...query, page: undefined, curseur: pagination.curseur }
    }
  }

  return {
    get: (path, ...[given]) => call('GET', path, given),
    post: (path, ...[given]) => call('POST', path, given),
    put: (path, ...[given]) => call('PUT', path, given),
    patch: (path, ...[given]) => call('PATCH', path, given),
    delete: (path, ...[given]) => call('DELETE', path, given),
    each: (path, ...[given]) => each(path, given),
  }
}

/** A signal that aborts when the time is over, or when the caller aborts. */
function within(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal | null {
  if (timeoutMs === Infinity) return signal ?? null
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout])
}

/** Whether a body is a file. Unlike `instanceof`, this check does not load Node's Blob. */
const isFile = (body: unknown): body is Blob => typeof Object(body).arrayBuffer === 'function'

/** The path with its parameters, and the query. */
function addressOf(path: string, { params = {}, query = {} }: AnyCall): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(Object(params)[name]))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(Object(query))) if (value !== undefined) search.append(name, String(value))
  return search.size === 0 ? filled : `${filled}?${search}`
}

/**
 * The wait before the call is repeated; undefined: it is not repeated. Any call may be repeated after a 429, a 503, or
 * a 409 while its first attempt is still running, since the repeated attempt did nothing. A 408, 502 or 504 leaves open
 * whether anything was done.
 */
function waitAfter(response: ClientResponse, backOffMs: number, mayRepeat: boolean): number | undefined {
  const { status } = response
  const isPromise = status === 429 || status === 503 || (status === 409 && response.headers.has('retry-after'))
  if (!isPromise && !(mayRepeat && (status === 408 || status === 502 || status === 504))) return undefined
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  const askedMs = Number.isFinite(seconds) ? seconds * 1000 : 0
  return askedMs > maxWaitMs ? undefined : Math.max(askedMs, backOffMs)
}

/**
 * Whether the service answered with success. All its answers have a request id, which a proxy's page lacks. A 308 says
 * how much of a file has arrived, unless it has a `Location`: then it is a redirect.
 */
function isSuccess({ ok, status, headers }: ClientResponse): boolean {
  return (ok || (status === 308 && !headers.has('location'))) && headers.has('x-request-id')
}

async function replyOf(response: ClientResponse) {
  const { headers } = response
  if (headers.get('content-type')?.startsWith('application/json'))
    return { ...JSON.parse(await response.text()), headers }
  return { data: new Uint8Array(await response.arrayBuffer()), headers }
}

/** The fields of a JSON answer; none if it is not JSON. */
async function fieldsOf(response: ClientResponse): Promise<RefusedBody> {
  try {
    return Object(JSON.parse(await response.text()))
  } catch {
    return {}
  }
}
