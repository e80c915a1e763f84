import type { WebhookEvent } from './events.js'
import {
  createReceiver,
  type DoorOptions,
  failed,
  headersOf,
  type ReceiverOptions,
  verifyStream,
  type WebhookHandler,
} from './receive.js'
import type { Secrets } from './verify.js'

export type { DoorOptions, ReceiverOptions, SeenEvents, WebhookHandler } from './receive.js'

/** The used part of `http.IncomingMessage`. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** For a Node stream: whether its body was read. */
  readonly readableDidRead?: boolean
  /** Anything but a POST is answered 405. */
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The used part of `http.ServerResponse`. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): { end(body: string): unknown }
}

/** The options of `createWebhookListener`. */
export interface ListenerOptions extends DoorOptions {
  /** Called with the handler's errors, and broken connections. Default `console.error`. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/**
 * `http.createServer(createWebhookListener(secret, handler))`: answers 200 once the handler is done, 401 for an invalid
 * signature, 500 when the handler throws.
 *
 * @throws {TypeError} at once, when a secret or an option is wrong.
 */
export function createWebhookListener(secrets: Secrets, handler: WebhookHandler, options: ListenerOptions = {}) {
  const receive = createReceiver(secrets, handler, options)
  const { onError = console.error } = options
  return async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const answer = await receive(bytesOf(request), request).catch((error: unknown) => {
      onError(error)
      return failed
    })
    const { status, body } = answer
    // The rest of a body that is too long would be read as the next request.
    const closing = status === 413 ? { connection: 'close' } : {}
    const headers = { 'content-type': 'application/json', ...headersOf(answer), ...closing }
    response.writeHead(status, headers).end(body)
  }
}

/**
 * Reads the raw body of a request and verifies it, for your own listener.
 *
 * @throws {WebhookVerificationError}
 * @throws {TypeError} when the receiver is misconfigured.
 */
export function verifyRequest(
  request: NodeRequest,
  secrets: Secrets,
  options: ReceiverOptions = {},
): Promise<WebhookEvent> {
  return verifyStream(bytesOf(request), request.headers, secrets, options)
}

/** @throws TypeError to its reader, if nothing is left to read */
async function* bytesOf(request: NodeRequest): AsyncGenerator<Uint8Array> {
  if (request.readableDidRead)
    throw new TypeError('The body of the request was already read: mount this listener before any body parser.')
  yield* request
}
