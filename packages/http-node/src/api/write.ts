import type { AuditCall, IdempotentAnswer, KeepAnswer } from '@sav/core/adapter'
import type { ApiRequest, ApiResponse } from '../http/exchange.js'
import type { ApiCore, Caller, ReadCall, WriteRoute } from '../routes/declaration/route.js'
import { canonicalPath } from './router.js'

export interface KeyedWrite<S> {
  readonly route: Pick<WriteRoute, 'method' | 'path' | 'secret'>
  readonly call: ReadCall<S>
  readonly caller: Caller
  /** The owner of kept answers: a key, or one of the host's own callers. */
  readonly callerId: string
  readonly request: ApiRequest
  /** The path's parameters in order, decoded. */
  readonly texts: readonly string[]
  /** The audit row of the call, with this answer. */
  readonly audited: (answer: Pick<ApiResponse, 'status' | 'made'>) => AuditCall
}

/**
 * Performs a write in one transaction, with its audit row, and its answer if there is an Idempotency-Key. `recorded` is
 * false if the answer was kept from an earlier call: this call then has no audit row yet.
 */
export async function write<S>(
  sav: S & Pick<ApiCore, 'perform' | 'audit' | 'idempotency'>,
  { route, call, caller, callerId, request, texts, audited }: KeyedWrite<S>,
): Promise<{ readonly answer: ApiResponse; readonly recorded: boolean }> {
  const run = (keep?: KeepAnswer): Promise<ApiResponse> =>
    sav.perform(call.write(sav, caller), async (tx, answer) => {
      if (keep) await keep(tx, inText(answer))
      await sav.audit.record(tx, audited(answer))
    })

  const key = route.method === 'POST' ? request.header('idempotency-key') : undefined
  if (key === undefined) return { answer: await run(), recorded: true }

  const { account_id } = caller.actor
  const { method, secret } = route
  const path = canonicalPath(route.path, texts)
  const identity = { account_id, key_id: callerId, method, path, key, body: call.body, secret }
  const { replayed, answer } = await sav.idempotency.once(identity, async (keep) => inText(await run(keep)))
  const { status, body } = answer
  const headers = [...answer.headers, ...(replayed ? ['Idempotency-Replayed', 'true'] : [])]
  return { answer: { status, headers, body }, recorded: !replayed }
}

const inText = ({ status, headers, body, about }: ApiResponse): IdempotentAnswer => ({
  status,
  about,
  headers,
  body: typeof body === 'string' ? body : Buffer.from(body).toString(),
})
