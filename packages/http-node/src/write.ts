import type { Actor, AuditCall, IdempotentAnswer, KeepAnswer, Sav } from '@sav/core'
import type { ApiRequest, ApiResponse } from './exchange.js'
import type { ApiSav, KeyedRoute, ReadCall } from './routes/route.js'

/** What the API needs of the core. */
export type ApiCore = ApiSav & Pick<Sav, 'alongside' | 'idempotency' | 'limits'>

export interface Write {
  readonly route: KeyedRoute
  readonly call: ReadCall
  readonly actor: Actor & { readonly id: string }
  readonly request: ApiRequest
  readonly path: string
  /** The call's row in the audit, with this status. */
  readonly audited: (status: number) => AuditCall
}

/**
 * Does a write. Its row in the audit, and its answer if an Idempotency-Key names it, go into the transaction of its
 * effect: `recorded` says whether there was one.
 */
export async function write(
  sav: ApiCore,
  { route, call, actor, request, path, audited }: Write,
): Promise<{ readonly answer: ApiResponse; readonly recorded: boolean }> {
  let recorded = false

  async function run(keep?: KeepAnswer): Promise<ApiResponse> {
    let finished = false
    let written: ApiResponse | undefined
    const alongside = sav.alongside(async (tx, result) => {
      // Only a POST resolves to what its transaction does; the others succeed in one way only.
      written = route.method === 'POST' ? call.answerTo(result) : undefined
      if (keep && written) await keep(tx, inText(written))
      await sav.audit.record(tx, audited(written?.status ?? route.answers.status))
      finished = true
    })
    const result = await call.run({ ...alongside, audit: sav.audit }, actor)
    recorded = finished
    return written ?? call.answerTo(result)
  }

  const key = route.method === 'POST' ? request.header('idempotency-key') : undefined
  if (key === undefined) return { answer: await run(), recorded }

  const { account_id, id: key_id } = actor
  const { method, secret } = route
  const identity = { account_id, key_id, method, path, key, body: call.body, secret }
  const { replayed, answer } = await sav.idempotency.once(identity, async (keep) => inText(await run(keep)))
  const headers = [...answer.headers, ...(replayed ? ['Idempotency-Replayed', 'true'] : [])]
  return { answer: { ...answer, headers }, recorded: recorded && !replayed }
}

const inText = ({ status, headers, body }: ApiResponse): IdempotentAnswer => ({
  status,
  headers,
  body: typeof body === 'string' ? body : Buffer.from(body).toString(),
})
