/** A server chosen by the operator that answers in JSON. */
export interface ServerOptions {
  /** The base address of the server, http or https. A user and a password in it are sent as Basic authorization. */
  readonly url: string
  /** The time limit of a whole request in milliseconds, including connecting and the body. */
  readonly timeoutMs?: number
  /** How to open connections. Default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

/** The server gave an unusable answer. */
export class AnswerRefused extends Error {
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

export interface JsonServer {
  /** @param path what follows the base address, `/table/v1/…?a=b` */
  get(path: string, signal?: AbortSignal): Promise<unknown>
  post(path: string, body: unknown, signal?: AbortSignal): Promise<unknown>
}

/** The longest accepted answer. A table of 100 points has only some hundred kilobytes. */
const maxBytes = 16 * 1024 * 1024

/** @throws RangeError for a malformed `url`, without repeating it since it may contain a password */
export function jsonServer(
  { url, timeoutMs = 2000, fetch = (input, init) => globalThis.fetch(input, init) }: ServerOptions,
  name: string,
): JsonServer {
  const target = URL.parse(url)
  if (target === null || !/^https?:$/.test(target.protocol))
    throw new RangeError(`the address of ${name} must be http or https, such as http://localhost:5000`)
  const base = target.origin + target.pathname.replace(/\/{1,9}$/, '')
  const { username, password } = target
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  const authorization: Record<string, string> =
    username === '' ? {} : { Authorization: `Basic ${credentials.toString('base64')}` }

  async function ask(path: string, init: RequestInit, signal: AbortSignal | undefined): Promise<unknown> {
    const limit = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(base + path, {
      ...init,
      headers: { Accept: 'application/json', ...authorization, ...init.headers },
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    })
    const text = await textOf(answer)
    if (!answer.ok) throw new AnswerRefused(`${name} answered ${answer.status}`, answer.status)
    return JSON.parse(text)
  }

  return {
    get: (path, signal) => ask(path, {}, signal),
    post: (path, body, signal) =>
      ask(
        path,
        { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
        signal,
      ),
  }
}

/** Reads the whole answer, whatever its status, since a connection can only be reused after that. */
async function textOf({ body, status }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > maxBytes) throw new AnswerRefused(`it answered more than ${maxBytes} bytes`, status)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/**
 * Says why a request failed. The message of an error of `fetch` is no help to people: the reason is in its causes, and
 * a time limit appears as an aborted signal.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it took too long'
  if (error instanceof SyntaxError) return 'its answer is not JSON'
  const { cause } = error
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0])
  return cause instanceof Error ? cause.message : error.message
}
