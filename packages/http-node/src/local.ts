import { type ClientRequest, type ClientResponse, createClient, type SavClient } from '@sav/client'
import type { Feature } from '@sav/core/feature'
import { apiOf } from './api/api.js'
import type { ApiDeps, FeatureRoutes } from './api/api-deps.js'
import type { Authenticate } from './callers/authentication.js'
import type { Api, ApiResponse } from './http/exchange.js'
import { Refusal } from './http/failures.js'
import type { Route, RouteSav } from './routes/declaration/route.js'

/** The service of a client in this process, and its caller. */
export interface LocalClientOptions<F extends Feature = never> extends Pick<ApiDeps<undefined, F>, 'sav'> {
  /** Identifies the caller, at each call. */
  readonly authenticate: Authenticate
  /** The operations of features, loaded for a path that the core does not have. */
  readonly features?: () => Promise<readonly FeatureRoutes<F>[]>
}

/**
 * A client whose calls are answered in this process, by the same API, without a network. A refusal of the service is
 * thrown unchanged; a refusal of the API itself is a SavApiError.
 */
export function createLocalClient<F extends Feature = never>({
  features = async () => [],
  ...options
}: LocalClientOptions<F>): SavClient {
  const apis = new Map<string, Promise<Api>>()
  const apiFor = (target: string) => {
    const resource = resourceOf(target)
    const open = async () =>
      apiOf<undefined, F>(await operationsOf(resource, features), {
        ...options,
        requireTimestamp: false,
        onCall() {},
        log() {},
      })
    const api = apis.get(resource) ?? open()
    apis.set(resource, api)
    return api
  }
  return createClient({
    baseUrl: '',
    fetch: async (target, call) => answerOf(await apiFor(target), { target, ...call }),
    attempts: 1,
    timeoutMs: Infinity,
  })
}

/** `sav` of `/api/v1/sav/42`. */
const resourceOf = (target: string): string => /^(?:\/api)?\/v1\/(\w+)/.exec(target)?.[1] ?? ''

/**
 * Modules of operations by the first word of their paths: loading all of them takes 15 ms, as much as the rest of a
 * call.
 */
const modules: Readonly<Record<string, () => Promise<Readonly<Record<string, readonly Route[]>>>[]>> = {
  sav: () => [
    import('./routes/cases/cases.js'),
    import('./routes/cases/evidence.js'),
    import('./routes/files/files.js'),
  ],
  clients: () => [import('./routes/directory/clients.js')],
  poseurs: () => [import('./routes/directory/poseurs.js')],
  webhooks: () => [import('./routes/webhooks/webhooks.js'), import('./routes/webhooks/deliveries.js')],
  cles: () => [import('./routes/access/keys.js')],
  compte: () => [import('./routes/access/account.js'), import('./routes/files/files.js')],
}

/** The operations for a path of the resource; all of them for a rarely called resource. */
export async function operationsOf<F extends Feature>(
  resource: string,
  features: () => Promise<readonly FeatureRoutes<F>[]>,
): Promise<readonly Route<RouteSav<F>>[]> {
  const added = (await features()).flatMap((feature) => feature.routes)
  const found = modules[resource]?.()
  if (found === undefined) return [...(await import('./routes/all.js')).routes, ...added]
  const loaded = (await Promise.all(found)).flatMap((module) => Object.values(module).flat())
  return [...loaded, ...added.filter(({ path }) => resourceOf(path) === resource)]
}

async function answerOf(
  api: Api,
  { method, target, headers, body, signal }: ClientRequest & { readonly target: string },
): Promise<ClientResponse> {
  const answer = await api({
    method,
    target,
    ip: '',
    context: undefined,
    ...(signal !== null && { signal }),
    // A call in this process cannot get lost, so no answer is kept for a repetition.
    header: (name) => (name === 'idempotency-key' ? undefined : headers[name]),
    readBody: async () =>
      Buffer.from(typeof body === 'string' ? body : new Uint8Array((await body?.arrayBuffer()) ?? [])),
  })
  if (answer.cause !== undefined && !(answer.cause instanceof Refusal)) throw answer.cause
  if (answer.pieces === undefined) return readable(answer)
  const taken: Uint8Array[] = []
  for await (const piece of answer.pieces) taken.push(piece)
  return readable({ ...answer, body: Buffer.concat(taken) })
}

/** A Response without loading the platform's, which takes 35 ms. */
function readable({ status, headers, body }: ApiResponse): ClientResponse {
  const values = new Map<string, string>()
  for (let i = 0; i < headers.length; i += 2) values.set(headers[i]?.toLowerCase() ?? '', headers[i + 1] ?? '')
  return {
    status,
    ok: status < 400,
    headers: { get: (name) => values.get(name.toLowerCase()) ?? null, has: (name) => values.has(name.toLowerCase()) },
    text: async () => (typeof body === 'string' ? body : Buffer.from(body).toString()),
    arrayBuffer: async () => new Uint8Array(Buffer.from(body)).buffer,
  }
}
