import type { Api, ApiRequest, BodyBudget, Stream } from './http/exchange.js'
import { beyondBudget, bodyWasTaken, clientLeft, Refusal } from './http/failures.js'
import type { Pieces } from './http/pieces.js'
import { ReceivedBody } from './http/received-body.js'

interface FetchCaller {
  /** The caller's address, for the audit and for keys that are bound to one. Without it, such keys are refused. */
  readonly ip?: string
}

/** A Web-standard handler, for Deno, Bun, workers and frameworks with `Request` and `Response`. */
export type FetchHandler = (request: Request, caller?: FetchCaller) => Promise<Response>

/** The same for an API whose `authenticate` gets your own context, such as Hono's or the user that you identified. */
export type FetchHandlerWith<Context> = (
  request: Request,
  caller: FetchCaller & { readonly context: Context },
) => Promise<Response>

/** The adapter for `Request` and `Response`. */
export function createFetchHandler(api: Api): FetchHandler
export function createFetchHandler<Context>(api: Api<Context>): FetchHandlerWith<Context>
export function createFetchHandler<Context>(api: Api<Context | undefined>) {
  return async (request: Request, { ip = '', context }: FetchCaller & { readonly context?: Context } = {}) => {
    const { status, headers, body, stream, pieces } = await api(new WebRequest(request, { ip, context }))
    const pairs: [string, string][] = []
    for (let i = 0; i < headers.length; i += 2) pairs.push([headers[i] ?? '', headers[i + 1] ?? ''])
    if (stream !== undefined) return new Response(readable(stream), { status, headers: pairs })
    if (pieces !== undefined) return new Response(pulled(pieces), { status, headers: pairs })
    const content = typeof body === 'string' ? body : new Uint8Array(body)
    // A 204 or 304 Response must not have a body, even an empty one.
    return new Response(content.length === 0 ? null : content, { status, headers: pairs })
  }
}

/** A piece is produced when it is requested. */
function pulled(pieces: Pieces): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(new Uint8Array(value))
      },
      async cancel() {
        await pieces.return()
      },
    },
    { highWaterMark: 0 },
  )
}

function readable(stream: Stream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let leave = () => {}
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        leave = stream({
          write(text) {
            controller.enqueue(encoder.encode(text))
            return -(controller.desiredSize ?? 0)
          },
          end: () => controller.close(),
          cut: () => controller.error(new Error('The client reads too slowly.')),
        })
      },
      cancel: () => leave(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  )
}

class WebRequest<Context> implements ApiRequest<Context> {
  readonly method: string
  readonly target: string
  readonly ip: string
  readonly original: Request
  readonly context: Context

  constructor(request: Request, { ip, context }: { readonly ip: string; readonly context: Context }) {
    this.method = request.method
    this.target = request.url
    this.ip = ip
    this.original = request
    this.context = context
  }

  get signal(): AbortSignal {
    const leaving = new AbortController()
    const leave = () => leaving.abort(clientLeft())
    if (this.original.signal.aborted) leave()
    else this.original.signal.addEventListener('abort', leave, { once: true })
    return leaving.signal
  }

  header(name: string): string | undefined {
    return this.original.headers.get(name) ?? undefined
  }

  async readBody(budget: BodyBudget): Promise<Uint8Array | null> {
    if (this.original.bodyUsed) throw bodyWasTaken()
    const body = new ReceivedBody(budget, this.header('content-length'))
    const reader = this.original.body?.getReader()
    if (reader === undefined) return body.bytes
    // A stream that has ended or failed has nothing left to cancel.
    const leave = () => void reader.cancel().catch(() => {})
    let isLate = false
    const timer = Number.isFinite(budget.maxMs) ? setTimeout(endLate, budget.maxMs) : undefined
    function endLate() {
      isLate = true
      leave()
    }
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (isLate) throw new Refusal('request_timeout')
        if (done) return body.bytes
        const result = body.add(value)
        if (result === 'too_long') return null
        if (result === 'beyond_budget') throw beyondBudget()
      }
    } catch (cause) {
      throw cause instanceof Refusal ? cause : new Refusal('incomplete_body', {}, { cause })
    } finally {
      clearTimeout(timer)
      leave()
    }
  }
}
