import { type ClientRequest, type ClientResponse, createClient, type SavClient } from '@sav/client'
import { createApi } from './api/api.js'
import type { ApiDeps } from './api/api-deps.js'
import type { Authenticate } from './api/authentication.js'
import type { Api, ApiResponse } from './api/exchange.js'
import { Refusal } from './api/failures.js'

/** On whose behalf a client in this process calls, and the service that it calls. */
export interface LocalClientOptions extends Pick<ApiDeps, 'sav'> {
  readonly authenticate: Authenticate
}

/**
 * A client whose calls are answered in this process: by the same API, over no network. What the service refuses is thrown
 * as it threw it; a SavApiError is what the API itself refuses.
 */
export function createLocalClient(options: LocalClientOptions): SavClient {
  const api = createApi({ ...options, requireTimestamp: false, onCall() {}, log() {} })
  return createClient({ baseUrl: '', fetch: (target, call) => answerOf(api, { target, ...call }), attempts: 1 })
}

async function answerOf(
  api: Api,
  { method, target, headers, body, signal }: ClientRequest & { readonly target: string },
): Promise<ClientResponse> {
  const answer = await api({
    method,
    target,
    ip: '',
    ...(signal !== null && { signal }),
    // Nothing gets lost on the way, so nothing is repeated: no answer is kept for that.
    header: (name) => (name === 'idempotency-key' ? undefined : headers[name]),
    readBody: async () => Buffer.from(body ?? ''),
  })
  if (answer.cause !== undefined && !(answer.cause instanceof Refusal)) throw answer.cause
  return readable(answer)
}

/** What the platform calls a Response, without loading what it brings: 35 ms. */
function readable({ status, headers, body }: ApiResponse): ClientResponse {
  const values = new Map<string, string>()
  for (let i = 0; i < headers.length; i += 2) values.set(headers[i]?.toLowerCase() ?? '', headers[i + 1] ?? '')
  return {
    status,
    ok: status < 400,
    headers: { get: (name) => values.get(name.toLowerCase()) ?? null, has: (name) => values.has(name.toLowerCase()) },
    body: null,
    text: async () => (typeof body === 'string' ? body : Buffer.from(body).toString()),
    arrayBuffer: async () => new Uint8Array(Buffer.from(body)).buffer,
  }
}
