import type { WebhookEvent } from './events.js'
import {
  createReceiver,
  type DoorOptions,
  headersOf,
  type ReceiverOptions,
  verifyStream,
  type WebhookHandler,
} from './receive.js'
import type { Secrets } from './verify.js'

export type { DoorOptions, ReceiverOptions, SeenEvents, WebhookHandler } from './receive.js'

/**
 * The answer to a Web `Request`, for Hono, Deno, Bun, workers and route handlers: 200 once the handler is done, 401 for
 * an invalid signature. The handler's errors are passed on; all of these platforms answer them with a 500.
 *
 * @throws {TypeError} when the receiver is misconfigured, or the request's body was already read.
 */
export async function receiveWebhook(
  request: Request,
  secrets: Secrets,
  handler: WebhookHandler,
  options: DoorOptions = {},
): Promise<Response> {
  const answer = await createReceiver(secrets, handler, options)(bodyOf(request), request)
  const headers = { 'content-type': 'application/json', ...headersOf(answer) }
  return new Response(answer.body, { status: answer.status, headers })
}

/**
 * Reads the raw body of a request and verifies it, for your own route.
 *
 * @throws {WebhookVerificationError}
 * @throws {TypeError} when the receiver is misconfigured, or the request's body was already read.
 */
export async function verifyRequest(
  request: Request,
  secrets: Secrets,
  options: ReceiverOptions = {},
): Promise<WebhookEvent> {
  return verifyStream(bodyOf(request), request.headers, secrets, options)
}

function bodyOf(request: Request): AsyncIterable<Uint8Array> | '' {
  if (request.bodyUsed) throw new TypeError('The body of the request was already read; its raw bytes are gone.')
  return request.body ?? ''
}
