import type { AnswerSubject } from '@sav/core/adapter'

/** The limits of a body. All bodies share one memory budget. */
export interface BodyBudget {
  /** A longer one is refused. */
  readonly maxBytes: number
  /** How long it may take to come, however fast; Infinity: its door alone decides. */
  readonly maxMs: number
  /** Sets how much memory this body holds from now on; false, and nothing changed, if that is too much. */
  hold(bytes: number): boolean
}

/** One call as the API sees it, from any door. */
export interface ApiRequest<Context = unknown> {
  readonly method: string
  /** Path and query as they were sent, undecoded: `/api/v1/sav?page=2`. */
  readonly target: string
  /** The part of the path that a framework has already matched, if the door knows it: `/sav`. */
  readonly mount?: string
  /** The door's own request: an `IncomingMessage`, a `Request`, or a framework's. */
  readonly original?: object
  /** The context that the host passed to its door; undefined if the door takes none. */
  readonly context: Context
  /** Address of the peer, which may be a proxy; an empty string if the door does not know it. */
  readonly ip: string
  /** Aborted when the client leaves before the answer, if the door can know that. For long work. */
  readonly signal?: AbortSignal
  /** By lowercase name. Several headers of one name are joined by `, `. */
  header(name: string): string | undefined
  /**
   * The whole body. Nothing of it is read before this is called, which happens at most once. Null as soon as it turns
   * out to be longer than `maxBytes` of its budget.
   * @param budget is asked before memory is taken
   * @throws Refusal when it ends before its end, comes too slowly, or the budget is used up
   */
  readBody(budget: BodyBudget): Promise<Uint8Array | null>
}

/** Where a stream is written to. Nothing is written after its end. */
export interface StreamSink {
  /** The number of bytes that wait for the client. */
  write(text: string): number
  end(): void
  /** Ends it at once, without the waiting bytes. */
  cut(): void
}

/** Begins to write; the returned function is called when the client has left, at the latest when all has ended. */
export type Stream = (sink: StreamSink) => () => void

/** An answer, independent of any server: a door writes it unchanged. */
export interface ApiResponse {
  readonly status: number
  /** Name, value, name, value …: the form in which node:http writes headers fastest. */
  readonly headers: string[]
  readonly body: string | Uint8Array
  /** A stream for as long as the client stays; `body` is empty then. A door calls it once, or never. */
  readonly stream?: Stream
  /** The pieces of a body that is made while it is sent; `body` is empty then. A door that stops ends it by `return`. */
  readonly pieces?: AsyncGenerator<Uint8Array, void, void>
  /** The subject of an answer that may be kept for a repetition. */
  readonly about?: AnswerSubject
  /** The id of the thing in a write's answer. */
  readonly made?: unknown
  /** The error behind a refusal, for a caller in this process. It is never sent. */
  readonly cause?: unknown
}

/** The API itself. It answers every request, and never rejects. */
export type Api<Context = undefined> = (request: ApiRequest<Context>) => Promise<ApiResponse>

/** An answer that no cache keeps. */
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

/** The value of a header of an answer, by the name as it was written. */
export function headerOf({ headers }: Pick<ApiResponse, 'headers'>, name: string): string | undefined {
  for (let i = 0; i < headers.length; i += 2) if (headers[i] === name) return headers[i + 1]
  return undefined
}
