import {
  type AddressPolicy,
  type ApiKeyView,
  type AuditCall,
  isAllowed,
  type Permission,
  type RateLimitState,
} from '@sav/core'
import type { Clock, Random } from '@sav/core/ports'
import { openApiOf } from '../contract/openapi.js'
import { routes } from '../routes/all.js'
import type { Route } from '../routes/route.js'
import { wantsProblem } from './accept.js'
import { type BodyReservation, bodyBudget } from './body-budget.js'
import { callerIp, type ForwardedHeader } from './caller-ip.js'
import { corsHeaders } from './cors.js'
import type { Api, ApiRequest, ApiResponse } from './exchange.js'
import { answerTo, BeyondLimit, failures, Refusal, refusalOf, refuseBeyond } from './failures.js'
import { holdsSecret, loggedPath } from './logged-path.js'
import { ranged } from './ranges.js'
import { coded, validated } from './representation.js'
import { createRouter } from './router.js'
import { timestampProblem } from './timestamp.js'
import { type ApiCore, write } from './write.js'

export interface ApiDeps {
  readonly sav: ApiCore
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  /** What `/readyz` asks: resolves when the service can work, rejects with UnavailableError otherwise. */
  readonly ready: () => Promise<void>
  /**
   * Called after each answer, but once a minute for those that one address, or one IPv6 network (/64), is refused beyond
   * what it may ask for without a key; it must neither throw nor wait.
   */
  readonly onCall: (call: ApiCall) => void
  /** Called when a call failed for a reason that its caller is not told; it must neither throw nor wait. */
  readonly log: (failure: ApiFailure) => void
  readonly options?: ApiOptions
}

export interface ApiOptions {
  /** Addresses and CIDRs of the proxies whose word on a caller's address is believed. None by default. */
  readonly trustedProxies?: readonly string[]
  /** Where these proxies say it; the other header is ignored, since anybody may have sent it. X-Forwarded-For by default. */
  readonly forwardedHeader?: ForwardedHeader
  /** Origins, such as `https://app.example`, whose pages may call from a browser. None by default. */
  readonly corsOrigins?: readonly string[]
  /**
   * Bytes of memory that bodies hold at once; a body beyond them, or beyond its key's or its account's share, is answered
   * by 503. 256 MiB by default.
   */
  readonly maxBodyBytesAtOnce?: number
}

/**
 * One answered call, as the audit has it: `ip` is the caller's as far as our own proxies tell, `endpoint` the route's path
 * or where there is none the path as sent, cut after 200 characters; never the query.
 */
export type ApiCall = AuditCall

/** An answer of 500 or 503. */
export interface ApiFailure {
  readonly request_id: string
  readonly endpoint: string
  readonly status: number
  readonly error: unknown
}

/** What is known of a call so far. */
interface Trace {
  readonly time: number
  readonly request_id: string
  readonly ip: string
  endpoint: string
  /** Value of the Allow header of its path. */
  allow: string | undefined
  route: Route | undefined
  key: (ApiKeyView & { readonly account_id: string }) | null
  limit: RateLimitState | null
  /** What its body holds. */
  body: BodyReservation | null
  /** Which limit of its address it was refused by. */
  beyond: AddressPolicy | null
  /** Whether the audit has it already, from the transaction of its effect. */
  recorded: boolean
}

const MiB = 1024 * 1024

/** What `OPTIONS *` asks for (RFC 9110 §9.3.7). */
const everyMethod = 'DELETE, GET, HEAD, OPTIONS, POST, PUT'

const writes = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** The whole API, free of any server: each door turns its requests into `ApiRequest` and writes what comes back. */
export function createApi({ sav, clock, random, ready, onCall, log, options = {} }: ApiDeps): Api {
  const { trustedProxies = [], forwardedHeader, corsOrigins = [], maxBodyBytesAtOnce = 256 * MiB } = options
  const ipOf = callerIp(trustedProxies, forwardedHeader)
  const corsFor = corsHeaders(corsOrigins)
  const vary = `Accept, Accept-Encoding${corsOrigins.length === 0 ? '' : ', Origin'}`
  const reserve = bodyBudget(maxBodyBytesAtOnce)
  const find = createRouter(routes)
  const newRequestId = requestIds(random)
  let written: Uint8Array | undefined
  const contract = () => {
    written ??= Buffer.from(JSON.stringify(openApiOf(routes)))
    return written
  }

  /** The checks, in their order; each of them ends the call by throwing. */
  async function decide(request: ApiRequest, trace: Trace): Promise<ApiResponse> {
    const { ip } = trace
    const { path, search } = split(request.target)
    const match = find(path)
    trace.endpoint = match?.resource.path ?? loggedPath(path)
    trace.allow = match?.resource.allow
    // Without a key: a browser's preflight has none, and the contract tells the methods to everybody.
    if (request.method === 'OPTIONS') return methodsOf(path === '*' ? everyMethod : match?.resource.allow)
    const route = match?.resource.routes.get(request.method)
    trace.route = route
    const texts = match?.texts ?? []
    if (match?.resource.isPublic && !route) throw notAllowed(match.resource.allow)
    if (route?.permission === null) return route.answer({ request, texts, search, ready, contract, sav, ip })

    const key = await authenticate(request, trace)
    trace.key = key
    const isWrite = writes.has(request.method)
    if (isWrite) {
      const detail = timestampProblem(request.header('x-request-timestamp'), clock.now())
      if (detail !== null) throw new Refusal('replay_suspected', { fields: { detail } })
    }
    trace.limit = await sav.limits.take(key.id, isWrite ? 'writes' : 'reads')
    refuseBeyond(trace.limit)
    if (!match) throw new Refusal('not_found')
    if (!route) throw notAllowed(match.resource.allow)
    const required = route.permission
    if (!isAllowed(key.permissions, required)) throw new Refusal('permission_denied', { fields: { required } })

    const actor = { account_id: key.account_id, type: 'cle', id: key.id, nom: key.nom } as const
    const caller = { actor, may: (permission: Permission) => isAllowed(key.permissions, permission) }
    if (route.method === 'GET') return route.answer({ request, texts, search, sav, ...caller })
    trace.body = reserve(actor)
    const call = await route.read({ request, budget: trace.body, texts, search })
    const audited = (status: number) => auditedAs(trace, request, status)
    const { answer, recorded } = await write(sav, { route, call, caller, request, texts, audited })
    trace.recorded = recorded
    return answer
  }

  async function authenticate(request: ApiRequest, trace: Trace) {
    const header = request.header('authorization')
    // The scheme's name is case-insensitive (RFC 9110 §11.1).
    const isBearer = header?.slice(0, 7).toLowerCase() === 'bearer '
    const key = isBearer ? await sav.keys.authenticate(header.slice(7).trim(), trace.ip) : null
    if (key !== null) return key
    const limit = sav.limits.failedAuthentication(trace.ip)
    if (limit?.allowed === false) trace.limit = limit
    refuseBeyond(limit)
    throw new Refusal('unauthorized')
  }

  const auditedAs = (
    { time, ip, endpoint, request_id, key }: Trace,
    { method }: ApiRequest,
    status: number,
  ): ApiCall => ({
    time,
    ip,
    method,
    endpoint,
    status,
    duration_ms: clock.now() - time,
    request_id,
    key_id: key?.id ?? null,
    account_id: key?.account_id ?? null,
  })

  /** The answer as it goes out: with its tag or without its body, in the caller's coding. */
  async function represented(request: ApiRequest, { route }: Trace, response: ApiResponse): Promise<ApiResponse> {
    const isRead = response.status === 200 && (request.method === 'GET' || request.method === 'HEAD')
    const answer = isRead ? ranged(request, validated(request, response)) : response
    // A secret beside something that a stranger chose could be guessed from the length of both, compressed (BREACH).
    return route?.permission !== null && route?.secret ? answer : coded(request, answer)
  }

  return async (request) => {
    const request_id = requestIdOf(request) ?? newRequestId()
    const trace: Trace = {
      time: clock.now(),
      request_id,
      ip: ipOf(request),
      endpoint: '',
      allow: undefined,
      route: undefined,
      key: null,
      limit: null,
      body: null,
      beyond: null,
      recorded: false,
    }
    let response: ApiResponse
    try {
      response = await represented(request, trace, await decide(request, trace))
    } catch (error) {
      const refusal = refusalOf(error)
      trace.beyond = policyBeyond(refusal)
      const { status } = failures[refusal.kind]
      if (status >= 500) log({ request_id, endpoint: trace.endpoint, status, error })
      response = answerTo(refusal, wantsProblem(request.header('accept')))
    } finally {
      trace.body?.release()
    }

    const { status, headers, body } = response
    headers.push('X-Request-Id', request_id, 'X-Content-Type-Options', 'nosniff', 'Vary', vary)
    headers.push(...limitHeaders(trace.limit), ...expiryHeader(trace.key), ...corsFor(request, trace.allow))
    if (status !== 204 && status !== 304) headers.push('Content-Length', String(Buffer.byteLength(body)))
    const call = auditedAs(trace, request, status)
    // Whoever asks without need of a key wants nothing of anybody's: health checks would drown all that is worth reading.
    const isAudited = trace.route?.permission !== null && request.method !== 'OPTIONS'
    // Refusals cost nothing to cause: neither the store nor the log may grow with them.
    const isRepeated = trace.beyond !== null && !sav.audit.count(call, trace.beyond)
    if (isAudited && !trace.recorded && trace.beyond === null) sav.audit.note(call)
    if (!isRepeated) onCall(call)
    return request.method === 'HEAD' ? { status, headers, body: '' } : response
  }
}

/** Of a key's limits each refusal is noted: it tells its holder. */
function policyBeyond(refusal: Refusal): AddressPolicy | null {
  if (!(refusal instanceof BeyondLimit) || refusal.policy === 'reads' || refusal.policy === 'writes') return null
  return refusal.policy
}

const notAllowed = (allow: string) => new Refusal('method_not_allowed', { headers: ['Allow', allow] })

/** @throws Refusal where there is no such path */
function methodsOf(allow: string | undefined): ApiResponse {
  if (allow === undefined) throw new Refusal('not_found')
  return { status: 204, headers: ['Allow', allow, 'Cache-Control', 'no-store'], body: '' }
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
  const isOne = given !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(given) && !holdsSecret(given)
  return isOne ? given : undefined
}

/** As draft-ietf-httpapi-ratelimit-headers has it. */
function limitHeaders(limit: RateLimitState | null): string[] {
  if (limit === null) return []
  const { policy, quota, windowSeconds, remaining, resetSeconds } = limit
  return [
    'RateLimit-Policy',
    `"${policy}";q=${quota};w=${windowSeconds}`,
    'RateLimit',
    `"${policy}";r=${remaining};t=${resetSeconds}`,
  ]
}

/** While there are 30 days left, or less, to make a new one. */
const expiryHeader = (key: Pick<ApiKeyView, 'expires_soon' | 'expires_at'> | null) =>
  key?.expires_soon ? ['X-Key-Expires-At', key.expires_at] : []

/** Ids that are unique in the world by their first part, and in the process by their second. */
function requestIds(random: Random): () => string {
  const process = Buffer.from(random(9)).toString('base64url')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}
