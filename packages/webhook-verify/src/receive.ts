import { WebhookVerificationError } from './errors.js'
import type { WebhookEvent } from './events.js'
import type { WebhookHeaders } from './headers.js'
import { type RawBody, type Secrets, settle, type VerifyOptions, verify } from './verify.js'

/** The options for reading and verifying a body. */
export interface ReceiverOptions extends VerifyOptions {
  /** Longer bodies are refused. Default: 1 MiB; deliveries have a few KiB. */
  readonly maxBodyBytes?: number | undefined
}

/**
 * Remembers handled events by `data.event_id`. A `Set` is enough for the life of the process. Both methods may return a
 * promise; if they throw, the answer is 500 and the sender tries again.
 */
export interface SeenEvents {
  /** Whether any process has added the id. */
  has(id: string): boolean | Promise<boolean>
  /** Adds the id permanently. Adding it again is not an error: two processes may have handled the same event. */
  add(id: string): unknown
}

/** The options that all frameworks share. */
export interface DoorOptions extends ReceiverOptions {
  /**
   * Called for each refused webhook; the sender only gets the reason. Default: `console.warn` with its message, so that
   * a wrong secret is visible where the receiver runs.
   */
  readonly onRefused?: ((error: WebhookVerificationError) => void) | undefined
  /**
   * Events in it are answered 200 and not handled again. An event is added once its handler is done, so that none is
   * lost when the process dies meanwhile. For exactly once, write the id in the handler's own transaction instead.
   * Default: each delivery is handled.
   */
  readonly seen?: SeenEvents | undefined
}

/**
 * Handles one verified event. The sender waits 5 s in total: store or queue the event and return. When it throws, the
 * sender gets a 500 and tries again later.
 */
export type WebhookHandler = (event: WebhookEvent) => unknown

/** The answer to the sender, whose history shows `body` to the owner of the receiver. */
export interface Answer {
  readonly status: 200 | 400 | 401 | 405 | 413 | 500
  /** JSON. */
  readonly body: string
}

/** The headers of an answer. */
export const headersOf = ({ status }: Answer): Record<string, string> => (status === 405 ? { allow: 'POST' } : {})

const notPosted: Answer = { status: 405, body: '{"error":"method_not_allowed"}' }

export const failed: Answer = { status: 500, body: '{"error":"handler_failed"}' }

/**
 * Reads, verifies and handles a webhook, between a framework's request and response. The promise rejects with the
 * handler's error, or with a TypeError when the body was already parsed.
 *
 * @throws {TypeError} at once, when a secret or an option is wrong.
 */
export function createReceiver(secrets: Secrets, handler: WebhookHandler, options: DoorOptions) {
  settle(secrets, options)
  const { maxBodyBytes, onRefused = warn, seen } = options
  if (maxBodyBytes !== undefined && !(maxBodyBytes > 0)) {
    throw new TypeError(`maxBodyBytes must be positive, not ${maxBodyBytes}.`)
  }
  return async (
    body: RawBody | AsyncIterable<Uint8Array>,
    { method = 'POST', headers }: { readonly method?: string | undefined; readonly headers: WebhookHeaders },
  ): Promise<Answer> => {
    if (method !== 'POST') return notPosted
    let event: WebhookEvent
    try {
      event = await verifyStream(body, headers, secrets, options)
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error
      onRefused(error)
      return { status: statusOf(error), body: JSON.stringify({ error: error.reason }) }
    }
    if (await seen?.has(event.data.event_id)) return { status: 200, body: '{"received":true,"duplicate":true}' }
    await handler(event)
    await seen?.add(event.data.event_id)
    return { status: 200, body: '{"received":true}' }
  }
}

function warn({ reason, message }: WebhookVerificationError): void {
  console.warn(`webhook refused: ${reason}: ${message}`)
}

/**
 * `verify` for a body that is still arriving.
 *
 * @throws {WebhookVerificationError} also `body_too_large`.
 * @throws {TypeError}
 */
export async function verifyStream(
  body: RawBody | AsyncIterable<Uint8Array>,
  headers: WebhookHeaders,
  secrets: Secrets,
  options: ReceiverOptions,
): Promise<WebhookEvent> {
  const rawBody = isStream(body) ? await collect(body, options.maxBodyBytes ?? 1024 * 1024) : body
  return verify(rawBody, headers, secrets, options)
}

function isStream(body: RawBody | AsyncIterable<Uint8Array>): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && Symbol.asyncIterator in body
}

/**
 * A body that is too long is read to its end, within limits and without being kept, so that its sender can read the
 * answer instead of seeing a reset connection.
 */
async function collect(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.length
    if (length <= maxBytes) chunks.push(chunk)
    else if (length > 8 * maxBytes) break
  }
  if (length > maxBytes) {
    throw new WebhookVerificationError('body_too_large', `The body is longer than ${maxBytes} bytes.`)
  }
  const body = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    body.set(chunk, offset)
    offset += chunk.length
  }
  return body
}

function statusOf({ reason }: WebhookVerificationError): Answer['status'] {
  if (reason === 'body_too_large') return 413
  return reason === 'malformed_body' ? 400 : 401
}
