import type { AnswerSubject } from '@sav/core/adapter'

/** The limits of a body. All bodies share one memory budget. */
export interface BodyBudget {
  /** A longer body is refused. */
  readonly maxBytes: number
  /** How long the body may take to arrive. Infinity: only the server's limits apply. */
  readonly maxMs: number
  /** Sets how much memory this body holds from now on; returns false, and changes nothing, if that is too much. */
  hold(bytes: number): boolean
}

/** One call as the API sees it, from any adapter. */
export interface ApiRequest<Context = unknown> {
  readonly method: string
  /** Path and query as sent, undecoded: `/api/v1/sav?page=2`. */
  readonly target: string
  /** The part of the path that a framework has already matched, if the adapter knows it: `/sav`. */
  readonly mount?: string
  /** The adapter's own request: an `IncomingMessage`, a `Request`, or a framework's. */
  readonly original?: object
  /** The context that the host passed; undefined if the adapter takes none. */
  readonly context: Context
  /** The peer's address, which may be a proxy; empty if the adapter does not know it. */
  readonly ip: string
  /** Aborted when the client disconnects before the answer, if the adapter can detect that. For long work. */
  readonly signal?: AbortSignal
  /** By lowercase name. Several headers of one name are joined by `, `. */
  header(name: string): string | undefined
  /**
   * The whole body. Nothing of it is read before this is called, which happens at most once. Null as soon as it exceeds
   * `maxBytes` of its budget.
   * @param budget is asked before memory is allocated
   * @throws Refusal when the body is incomplete, arrives too slowly, or the budget is used up
   */
  readBody(budget: BodyBudget): Promise<Uint8Array | null>
}

/** Where a stream is written. Nothing is written after its end. */
export interface StreamSink {
  /** Returns the number of bytes that wait for the client. */
  write(text: string): number
  end(): void
  /** Ends the stream at once, and discards the waiting bytes. */
  cut(): void
}

/**
 * Begins to write. The adapter calls the returned function when the client disconnects. It may also call it after the
 * stream has ended.
 */
export type Stream = (sink: StreamSink) => () => void

/** An answer, independent of any server, which adapters write unchanged. */
export interface ApiResponse {
  readonly status: number
  /** Name, value, name, value …: the form in which node:http writes headers fastest. */
  readonly headers: string[]
  readonly body: string | Uint8Array
  /** A stream for as long as the client stays connected; `body` is empty then. An adapter calls it at most once. */
  readonly stream?: Stream
  /** The pieces of a body produced while it is sent; `body` is empty then. An adapter that stops calls `return`. */
  readonly pieces?: AsyncGenerator<Uint8Array, void, void>
  /** The subject of an answer that may be kept for repetitions. */
  readonly about?: AnswerSubject
  /** The id of the created or changed thing. */
  readonly made?: unknown
  /** The error behind a refusal, for callers in this process. It is never sent. */
  readonly cause?: unknown
}

/** The API itself. It answers every request, and never rejects. */
export type Api<Context = undefined> = (request: ApiRequest<Context>) => Promise<ApiResponse>

/** An answer that caches must not keep. */
export function json(
  status: number,
  body: { readonly success: boolean; readonly [field: string]: unknown },
  headers: readonly string[] = [],
): ApiResponse {
  return {
    status,
    headers: ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store', ...headers],
    body: JSON.stringify(body),
  }
}

/** The value of an answer's header, by its name as written. */
export function headerOf({ headers }: Pick<ApiResponse, 'headers'>, name: string): string | undefined {
  for (let i = 0; i < headers.length; i += 2) if (headers[i] === name) return headers[i + 1]
  return undefined
}
