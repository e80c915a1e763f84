import type { AnswerSubject } from '@sav/core/internal'

/** What a body may take. The memory is what the bodies of all calls share, as one of them sees it. */
export interface BodyBudget {
  /** A longer one is refused. */
  readonly maxBytes: number
  /** How long it may take to come, however fast; Infinity: its door alone decides. */
  readonly maxMs: number
  /** Says how much memory this body holds from now on; false, and nothing changed, when it may not. */
  hold(bytes: number): boolean
}

/** One call as the API sees it, whichever door it came through. */
export interface ApiRequest<Context = unknown> {
  readonly method: string
  /** Path and query as they were sent, undecoded: `/api/v1/sav?page=2`. */
  readonly target: string
  /** What of the path a framework has matched already, where the door knows of it: `/sav`. */
  readonly mount?: string
  /** What the door was given: an `IncomingMessage`, a `Request`, or what a framework made of it. */
  readonly original?: object
  /** What the host told its door of the call; undefined at a door that takes nothing. */
  readonly context: Context
  /** Address of the peer, which may be a proxy; an empty string where the door does not know it. */
  readonly ip: string
  /** Aborted when the client has left before it was answered, where the door knows of that. For what takes long. */
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
  /** Gives how many bytes wait for the client to take them. */
  write(text: string): number
  end(): void
  /** Ends it at once, without what waits. */
  cut(): void
}

/** Begins to write; the returned function is called when the client has left, at the latest when all has ended. */
export type Stream = (sink: StreamSink) => () => void

/** An answer, free of any server: a door writes it as it is. */
export interface ApiResponse {
  readonly status: number
  /** Name, value, name, value …: the form in which node:http writes headers fastest. */
  readonly headers: string[]
  readonly body: string | Uint8Array
  /** What the body goes on with for as long as the client stays; `body` is empty then. A door calls it once, or never. */
  readonly stream?: Stream
  /** What the body is made of while it is sent; `body` is empty then. A door that stops ends it by `return`. */
  readonly pieces?: AsyncGenerator<Uint8Array, void, void>
  /** The subject of an answer that may be kept for a repetition. */
  readonly about?: AnswerSubject
  /** The id of what a write answers with. */
  readonly made?: unknown
  /** The error behind a refusal, for a caller in this process. It is never sent. */
  readonly cause?: unknown
}

/** The API itself. It answers every request, and rejects none. */
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
