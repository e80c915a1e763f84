import type { Permission, SignInRefusedError, Write } from '@sav/core'
import { firstMissing, isAllowed, namedAs, type RateLimitState, timestampProblem } from '@sav/core/adapter'
import type { Feature } from '@sav/core/feature'
import { type Holder, holderOfHost, holderOfKey } from '../callers/holder.js'
import { wantsProblem } from '../http/accept.js'
import { basePathOf, withoutBase } from '../http/base-path.js'
import { type BodyReservation, bodyBudget, strangersBodies } from '../http/body-budget.js'
import { callerIp } from '../http/caller-ip.js'
import { corsHeaders } from '../http/cors.js'
import type { Api, ApiRequest, ApiResponse } from '../http/exchange.js'
import { answerTo, failures, Refusal, refusalOf, refuseBeyond } from '../http/failures.js'
import { readForm } from '../http/form-body.js'
import { loggedPath } from '../http/logged-path.js'
import { watched, wholeWhenShort, zippedOnTheWay } from '../http/pieces.js'
import { ranged } from '../http/ranges.js'
import { coded, validated } from '../http/representation.js'
import { requestIdOf, requestIds } from '../http/request-ids.js'
import { refuseCondition } from '../routes/declaration/declare.js'
import type { AnyRoute, KeyedRoute, Route, RouteSav } from '../routes/declaration/route.js'
import type { SignedInUser, SignInRoute } from '../routes/declaration/sign-in.js'
import { secureRandom, systemClock } from '../runtime.js'
import { type ApiCall, type ApiDeps, consoleLogger } from './api-deps.js'
import { checkedRoutes } from './checked-routes.js'
import type { openApiOf as OpenApiOf } from './openapi.js'
import { localOf, split } from './request-target.js'
import { createRouter } from './router.js'
import { targetOf } from './target.js'
import { write } from './write.js'

/** What is known about a call so far. */
interface Trace {
  readonly time: number
  readonly request_id: string
  readonly ip: string
  /** The prefix of every address in the answer. */
  readonly base: string
  endpoint: string
  /** The path of the call's route in the contract. */
  path: string | null
  /** Value of the Allow header for the call's path. */
  allow: string | undefined
  route: AnyRoute | undefined
  /** The path's parameters in order, decoded. */
  texts: readonly string[]
  /** The id of the created or changed thing. */
  made: unknown
  holder: Holder | null
  /** The user who signed in by this call, or whose address was given in a refused sign-in. */
  user: SignedInUser | null
  limit: RateLimitState | null
  /** The reason for a refused sign-in, to be shown on a page. */
  refusal: SignInRefusedError | null
  /** The memory budget for the call's body. */
  body: BodyReservation | null
  /** Whether the write's transaction has already recorded the call in the audit. */
  recorded: boolean
}

const MiB = 1024 * 1024

/** The methods for `OPTIONS *` (RFC 9110 §9.3.7). */
const everyMethod = 'DELETE, GET, HEAD, OPTIONS, POST, PUT'

const writes = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

/** An API of these operations: see createApi. */
export function apiOf<Context = undefined, F extends Feature = never>(
  routes: readonly Route<RouteSav<F>>[],
  { sav, clock = systemClock, random = secureRandom, ...deps }: ApiDeps<Context, F>,
): Api<Context> {
  const { ready = sav.ready ?? (async () => {}), logger = consoleLogger, onAnswer } = deps
  const { onCall = (call) => logger.info(call, 'call') } = deps
  const { log = ({ error: err, ...call }) => logger.error({ ...call, err }, 'call failed') } = deps
  const { trustedProxies = [], forwardedHeader, corsOrigins = [], maxBodyBytesAtOnce = 256 * MiB } = deps
  const { requireTimestamp = true, authenticate, securitySchemes = {}, features = [] } = deps
  const takesKeys = authenticate === undefined
  const fonctions = features.map(({ name }) => name)
  const alternatives = features.flatMap((feature) => feature.alternatives ?? [])
  const { events } = sav
  const permissions = Object.keys(sav.permissions)
  const schemes = !takesKeys && { securitySchemes }
  const told = { requireTimestamp, takesKeys, events, permissions: sav.permissions, alternatives, ...schemes }
  const basePath = deps.basePath === undefined ? undefined : basePathOf(deps.basePath)
  const publicUrl = deps.publicUrl?.replace(/\/{1,9}$/, '') ?? null
  const ipOf = callerIp(trustedProxies, forwardedHeader)
  const corsFor = corsHeaders(corsOrigins)
  const vary = `Accept, Accept-Encoding${corsOrigins.length === 0 ? '' : ', Origin'}`
  const reserve = bodyBudget(maxBodyBytesAtOnce)
  const readFromStranger = strangersBodies()
  const find = createRouter(checkedRoutes(routes, permissions))
  const standingInFor = ({ method, path }: KeyedRoute<RouteSav<F>>) =>
    alternatives.filter((each) => each.method === method && each.path === path)
  const words = new Set(routes.flatMap(({ path }) => path.split('/')))
  // With `authenticate`, the host signs its callers in, so our own sign-in is not served.
  const signIn = features.find((each) => takesKeys && each.signIn)?.signIn?.({ sav, fonctions, publicUrl })
  const newRequestId = requestIds(random)
  let written: { readonly base: string; readonly contract: Promise<Uint8Array> } | undefined
  const contractAt = (base: string) => {
    if (written?.base !== base) written = { base, contract: contractOf(routes, { base, ...told }) }
    return written.contract
  }

  /** The checks of a call, in order. Each may end it by throwing. */
  async function decide(request: ApiRequest<Context>, trace: Trace): Promise<ApiResponse> {
    const { ip, base } = trace
    const { path, search } = split(withoutBase(localOf(request.target), [base, request.mount ?? '']))
    const match = find(path)
    trace.path = match?.resource.path ?? null
    trace.endpoint = trace.path ?? loggedPath(path, words)
    trace.allow = match?.resource.allow
    // OPTIONS needs no key, since a browser's preflight has none.
    if (request.method === 'OPTIONS') return methodsOf(path === '*' ? everyMethod : match?.resource.allow)
    const announced = match?.resource.routes.get(request.method)
    trace.route = announced
    const texts = match?.texts ?? []
    trace.texts = texts
    if (match?.resource.isPublic && !announced) throw notAllowed(match.resource.allow)
    if (announced?.permission === null) {
      const contract = () => contractAt(base)
      const form = () => readFromStranger(ip, (budget) => readForm(request, budget))
      const perform = async (write: Write<{ readonly account_id: string }>) => {
        await sav.perform(write, (tx, { account_id }) =>
          sav.audit.record(tx, { ...auditedAs(trace, request, announced.answers.status), account_id }),
        )
      }
      return announced.answer({ request, texts, search, ready, contract, sav, ip, form, perform, base })
    }

    const signing = match === null ? signIn?.routes.get(path) : undefined
    if (signing !== undefined) return signInAnswer(signing, { request, path, search, trace })

    const holder = await identify(request, trace)
    const { actor, id, permissions } = holder
    const isWrite = writes.has(request.method)
    if (isWrite && requireTimestamp) {
      const because = timestampProblem(request.header('x-request-timestamp'), clock.now())
      if (because !== null) throw new Refusal('replay_suspected', { because })
    }
    trace.limit = sav.limits.take({ account_id: actor.account_id, id }, isWrite ? 'writes' : 'reads')
    refuseBeyond(trace.limit)
    if (!match) throw new Refusal('not_found')
    if (!announced) throw notAllowed(match.resource.allow)
    const missingFor = ({ alsoTerrain, permission }: KeyedRoute<RouteSav<F>>) =>
      alsoTerrain === true && isAllowed(permissions, 'terrain')
        ? undefined
        : firstMissing(permissions, [permission].flat())
    const missing = missingFor(announced)
    const route =
      missing === undefined ? announced : standingInFor(announced).find((each) => missingFor(each) === undefined)
    if (route === undefined)
      throw new Refusal('permission_denied', { fields: { required: namedAs(missing ?? 'admin') } })

    const caller = {
      ...{ actor, holder, fonctions, base },
      may: (permission: Permission) => isAllowed(permissions, permission),
      again: async () => holderIn(request, ip, 'holderStill'),
    }
    if (route.method === 'GET') return route.answer({ request, texts, search, sav, ...caller })
    if (!route.conditional) refuseCondition(request)
    trace.body = reserve({ account_id: actor.account_id, id })
    const call = await route.read({ request, budget: trace.body, texts, search })
    const audited = ({ status, made }: Pick<ApiResponse, 'status' | 'made'>) => {
      trace.made = made
      return auditedAs(trace, request, status)
    }
    const { answer, recorded } = await write(sav, { route, call, caller, callerId: id, request, texts, audited })
    trace.recorded = recorded
    return answer
  }

  const holderIn = (request: ApiRequest<Context>, ip: string, way: 'holderOf' | 'holderStill') => {
    if (authenticate !== undefined) return holderOfHost(request, authenticate, permissions)
    // A key takes precedence over a cookie.
    const header = request.header('authorization')
    return header === undefined ? (signIn?.[way](request) ?? null) : holderOfKey(sav, header, ip)
  }

  /** The caller: identified by the host, or else by a key, or else by a session. @throws Refusal */
  async function identify(request: ApiRequest<Context>, trace: Trace): Promise<Holder> {
    trace.holder = await holderIn(request, trace.ip, 'holderOf')
    if (trace.holder !== null) return trace.holder
    const limit = sav.limits.failedAuthentication(trace.ip)
    if (limit?.allowed === false) trace.limit = limit
    refuseBeyond(limit)
    throw new Refusal(takesKeys ? 'unauthorized' : 'not_signed_in')
  }

  function signInAnswer(
    { answer, allow }: SignInRoute,
    {
      request,
      path,
      search,
      trace,
    }: { readonly request: ApiRequest<Context>; readonly path: string; readonly search: string; readonly trace: Trace },
  ): Promise<ApiResponse> {
    trace.endpoint = path
    const call = answer.get(request.method)
    if (call === undefined) throw notAllowed(allow)
    return call({
      request,
      search,
      ip: trace.ip,
      readBody(read) {
        if (trace.holder === null) return readFromStranger(trace.ip, read)
        trace.body = reserve({ account_id: trace.holder.actor.account_id, id: trace.holder.id })
        return read(trace.body)
      },
      holder: () => identify(request, trace),
      refused(error) {
        const [first, ...others] = error.claimed
        trace.refusal = error
        trace.user = first ?? null
        // Each account that has a user with this address gets its own audit row.
        for (const { account_id, id } of others)
          sav.audit.note({ ...auditedAs(trace, request, 302), account_id, user_id: id })
      },
      recognised(user, status) {
        trace.user = user
        trace.recorded = true
        return auditedAs(trace, request, status)
      },
    })
  }

  const auditedAs = (
    { time, ip, endpoint, request_id, holder, user, path, texts, made, refusal }: Trace,
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
    key_id: holder?.actor.type === 'cle' ? holder.actor.id : null,
    user_id: user?.id ?? (holder?.actor.type === 'utilisateur' ? holder.actor.id : null),
    // The address of a public page is a secret, so the audit does not contain it.
    target:
      refusal !== null
        ? `sign_in:${refusal.reason}`
        : holder === null || path === null
          ? null
          : targetOf(path, texts, made),
    account_id: user?.account_id ?? holder?.actor.account_id ?? null,
  })

  /** The answer to send: with its ETag, or as a 304, and in the encoding that the caller prefers. */
  async function represented(request: ApiRequest, { route }: Trace, made: ApiResponse): Promise<ApiResponse> {
    if (made.stream !== undefined) return made
    const response = await wholeWhenShort(request, made)
    if (response.pieces !== undefined) return zippedOnTheWay(request, response)
    const isRead = response.status === 200 && (request.method === 'GET' || request.method === 'HEAD')
    const answer = isRead ? ranged(request, validated(request, response)) : response
    // When a secret and text chosen by an attacker are compressed together, the length reveals the secret (BREACH).
    return route?.permission !== null && route?.secret ? answer : coded(request, answer)
  }

  /**
   * The only place where calls are audited and logged. A call with a key or a session gets its own record. Other calls
   * are only counted, since anybody can send any number of them.
   * @returns whether the call has its own record, or is the first of its kind since the last log line
   */
  function noted(
    request: ApiRequest,
    trace: Trace,
    {
      status,
      refused,
      hasFailed,
    }: { readonly status: number; readonly refused: string | null; readonly hasFailed: boolean },
  ): boolean {
    const call = auditedAs(trace, request, status)
    // A call without a fresh timestamp is refused before the limit applies, so these are counted even for callers with
    // a key.
    const isCounted = refused === 'replay_suspected'
    if ((trace.holder !== null || trace.user !== null) && !isCounted) {
      if (!trace.recorded) sav.audit.note(call)
      onCall(call)
      return true
    }
    // A successful public call is not recorded: health checks would hide everything else.
    const isPublic = request.method === 'OPTIONS' || (trace.route?.permission === null && refused === null)
    const kind =
      trace.refusal !== null
        ? `sign_in:${trace.refusal.reason}`
        : hasFailed
          ? 'failed'
          : (refused ?? `answered ${trace.route?.path}`)
    return sav.audit.count(call, { kind, isKept: !isPublic, tell: onCall })
  }

  return async (request) => {
    const startedAt = performance.now()
    const request_id = requestIdOf(request) ?? newRequestId()
    const trace: Trace = {
      time: clock.now(),
      request_id,
      ip: ipOf(request),
      base: basePath ?? request.mount ?? '',
      endpoint: '',
      path: null,
      allow: undefined,
      route: undefined,
      texts: [],
      made: null,
      holder: null,
      user: null,
      limit: null,
      refusal: null,
      body: null,
      recorded: false,
    }
    let response: ApiResponse
    let refused: string | null = null
    let failure: { readonly error: unknown } | null = null
    try {
      response = await represented(request, trace, await decide(request, trace))
      // The provider's reason is only for the administrator.
      if (trace.refusal?.cause !== undefined) failure = { error: trace.refusal }
    } catch (error) {
      const refusal = refusalOf(error)
      refused = refusal.kind
      // A refusal is expected, so it is not logged as a failure.
      if (failures[refusal.kind].status >= 500 && !(error instanceof Refusal)) failure = { error }
      response = {
        ...answerTo(refusal, { asProblem: wantsProblem(request.header('accept')), takesKeys }),
        cause: error,
      }
    } finally {
      trace.body?.release()
    }

    const { status, headers, body } = response
    locate(headers, trace.base)
    headers.push('X-Request-Id', request_id, 'X-Content-Type-Options', 'nosniff', 'Vary', vary)
    headers.push(...limitHeaders(trace.limit), ...expiryHeader(trace.holder), ...corsFor(request, trace.allow))
    const length = Buffer.byteLength(body)
    if (status !== 204 && status !== 304 && response.stream === undefined && response.pieces === undefined)
      headers.push('Content-Length', String(length))
    const isFirst = noted(request, trace, { status, refused, hasFailed: failure !== null })
    if (failure !== null && isFirst) log({ request_id, endpoint: trace.endpoint, status, ...failure })
    const answered = (bytes: number) =>
      onAnswer?.({
        method: writes.has(request.method) || reads.has(request.method) ? request.method : 'OTHER',
        route: trace.path,
        status,
        refusal: refused,
        account_id: trace.holder?.actor.account_id ?? null,
        durationMs: performance.now() - startedAt,
        bytes,
      })
    if (response.pieces !== undefined && request.method !== 'HEAD') {
      const failed = (error: unknown) => log({ request_id, endpoint: trace.endpoint, status, error })
      return { ...response, pieces: watched(response.pieces, { answered, failed }) }
    }
    answered(request.method === 'HEAD' ? 0 : length)
    return request.method === 'HEAD' ? { status, headers, body: '' } : response
  }
}

/** Loaded at the first request: few processes need it. */
async function contractOf(...served: Parameters<typeof OpenApiOf>): Promise<Uint8Array> {
  const { openApiOf } = await import('./openapi.js')
  return Buffer.from(JSON.stringify(openApiOf(...served)))
}

const notAllowed = (allow: string) => new Refusal('method_not_allowed', { headers: ['Allow', allow] })

/** @throws Refusal if there is no such path */
function methodsOf(allow: string | undefined): ApiResponse {
  if (allow === undefined) throw new Refusal('not_found')
  return { status: 204, headers: ['Allow', allow, 'Cache-Control', 'no-store'], body: '' }
}

/** Adds the base path to addresses in the answer. */
function locate(headers: string[], base: string): void {
  const at = base === '' ? -1 : headers.indexOf('Location')
  if (at >= 0) headers[at + 1] = `${base}${headers[at + 1]}`
}

/** See draft-ietf-httpapi-ratelimit-headers. */
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

/** The header with the key's expiry, in its last 30 days. */
const expiryHeader = (holder: Holder | null) =>
  holder?.key?.expires_soon ? ['X-Key-Expires-At', holder.key.expires_at] : []
