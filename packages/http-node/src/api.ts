import { isAllowed, replayProblem, type Sav } from '@sav/core'
import type { Clock, Random } from '@sav/core/ports'
import { answerTo, methodNotAllowed, notFound, permissionDenied, replaySuspected, unauthorized } from './errors.js'
import type { Api, ApiRequest, ApiResponse } from './exchange.js'
import { createRouter } from './router.js'
import { caseRoutes } from './routes/cases.js'
import { clientRoutes } from './routes/clients.js'
import { deliveryRoutes } from './routes/deliveries.js'
import { evidenceRoutes } from './routes/evidence.js'
import { fileRoutes } from './routes/files.js'
import { healthRoutes } from './routes/health.js'
import { poseurRoutes } from './routes/poseurs.js'
import { webhookRoutes } from './routes/webhooks.js'

export interface ApiDeps {
  readonly sav: Pick<Sav, 'keys' | 'cases' | 'directory' | 'webhooks'>
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  /** What `/readyz` asks: resolves when the service can work, rejects with UnavailableError otherwise. */
  readonly ready: () => Promise<void>
  /** Called after each answer; it must neither throw nor wait. */
  readonly onCall: (call: ApiCall) => void
  /** Called when a call failed for a reason that its caller is not told; it must neither throw nor wait. */
  readonly log: (failure: ApiFailure) => void
}

/** One answered call, for logs and audit. */
export interface ApiCall {
  /** When it came, in milliseconds since the Unix epoch. */
  readonly time: number
  readonly ip: string
  readonly method: string
  /** The route's pattern, or where there is none the path as sent, cut after 200 characters; never the query. */
  readonly endpoint: string
  readonly status: number
  readonly duration_ms: number
  readonly request_id: string
  /** Null before a key was accepted. */
  readonly key_id: string | null
  readonly account_id: string | null
}

/** An answer of 500 or 503. */
export interface ApiFailure {
  readonly request_id: string
  readonly endpoint: string
  readonly status: number
  readonly error: unknown
}

/** What is known of a call so far. */
interface Trace {
  endpoint: string
  key: { readonly id: string; readonly account_id: string } | null
}

const writes = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** The whole API, free of any server: each door turns its requests into `ApiRequest` and writes what comes back. */
export function createApi({ sav, clock, random, ready, onCall, log }: ApiDeps): Api {
  const find = createRouter([
    ...healthRoutes(ready),
    ...caseRoutes(sav.cases),
    ...evidenceRoutes(sav.cases),
    ...fileRoutes(sav.cases),
    ...clientRoutes(sav.directory.clients),
    ...poseurRoutes(sav.directory.poseurs),
    ...webhookRoutes(sav.webhooks),
    ...deliveryRoutes(sav.webhooks),
  ])
  const newRequestId = requestIds(random)

  /** The checks, in their order; each of them ends the call by throwing. */
  async function decide(request: ApiRequest, trace: Trace): Promise<ApiResponse> {
    const { path, search } = split(request.target)
    const match = find(path)
    trace.endpoint = match?.resource.pattern ?? path.slice(0, 200)
    const route = match?.resource.routes.get(request.method)
    if (route?.permission === null) return route.answer()

    const key = await authenticate(request)
    trace.key = key
    if (writes.has(request.method)) {
      const problem = replayProblem(request.header('x-request-timestamp'), clock.now())
      if (problem !== null) throw replaySuspected(problem)
    }
    if (!match) throw notFound()
    if (!route) throw methodNotAllowed(match.resource.allow)
    if (!isAllowed(key.permissions, route.permission)) throw permissionDenied(route.permission)

    const actor = { account_id: key.account_id, type: 'cle', id: key.id, nom: key.nom } as const
    return route.answer({ actor, request, params: match.params, search })
  }

  async function authenticate(request: ApiRequest) {
    const header = request.header('authorization')
    // The scheme's name is case-insensitive (RFC 9110 §11.1).
    if (header?.slice(0, 7).toLowerCase() !== 'bearer ') throw unauthorized()
    const key = await sav.keys.authenticate(header.slice(7).trim(), request.ip)
    if (key === null) throw unauthorized()
    return key
  }

  return async (request) => {
    const time = clock.now()
    const request_id = requestIdOf(request) ?? newRequestId()
    const trace: Trace = { endpoint: '', key: null }
    let response: ApiResponse
    try {
      response = await decide(request, trace)
    } catch (error) {
      response = answerTo(error)
      if (response.status >= 500) log({ request_id, endpoint: trace.endpoint, status: response.status, error })
    }

    const { status, headers, body } = response
    headers.push('X-Request-Id', request_id, 'X-Content-Type-Options', 'nosniff')
    headers.push('Content-Length', String(Buffer.byteLength(body)))
    onCall({
      time,
      ip: request.ip,
      method: request.method,
      endpoint: trace.endpoint,
      status,
      duration_ms: clock.now() - time,
      request_id,
      key_id: trace.key?.id ?? null,
      account_id: trace.key?.account_id ?? null,
    })
    return request.method === 'HEAD' ? { status, headers, body: '' } : response
  }
}

/** Path and query of a request target, which may be a whole URL (RFC 9112 §3.2.2). */
function split(target: string): { path: string; search: string } {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')
  const [whole = ''] = local.split('#', 1)
  const mark = whole.indexOf('?')
  return mark < 0 ? { path: whole, search: '' } : { path: whole.slice(0, mark), search: whole.slice(mark + 1) }
}

/** The caller's own id of the request, if it is one that can stand in a log line. */
function requestIdOf(request: ApiRequest): string | undefined {
  const given = request.header('x-request-id')
  return given !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : undefined
}

/** Ids that are unique in the world by their first part, and in the process by their second. */
function requestIds(random: Random): () => string {
  const process = Buffer.from(random(9)).toString('base64url')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}
