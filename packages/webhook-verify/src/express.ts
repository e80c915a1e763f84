import type { NodeRequest } from './node.js'
import { createReceiver, type DoorOptions, headersOf, type WebhookHandler } from './receive.js'
import type { Secrets } from './verify.js'

export type { DoorOptions, SeenEvents, WebhookHandler } from './receive.js'

/** The used part of Express's request. */
export interface ExpressRequest extends NodeRequest {
  /** What a body parser left: the bytes from `express.raw()`, or an unusable object from `express.json()`. */
  readonly body?: unknown
  /** Where a parser's `verify` hook, and some hosts, keep the bytes. */
  readonly rawBody?: unknown
}

/** The used part of Express's response. */
export interface ExpressResponse {
  status(status: number): {
    set(headers: Record<string, string>): { type(type: string): { send(body: string): unknown } }
  }
}

/**
 * `app.all('/webhooks/sav', webhook(secret, handler))`, mounted before `express.json()`: answers 200 once the handler
 * is done, 401 for an invalid signature. The handler's errors go to `next`, which answers it with a 500.
 *
 * @throws {TypeError} at once, when a secret or an option is wrong.
 */
export function webhook(secrets: Secrets, handler: WebhookHandler, options: DoorOptions = {}) {
  const receive = createReceiver(secrets, handler, options)
  return async (request: ExpressRequest, response: ExpressResponse, next: (error: unknown) => void): Promise<void> => {
    try {
      const answer = await receive(rawBodyOf(request), request)
      response.status(answer.status).set(headersOf(answer)).type('application/json').send(answer.body)
    } catch (error) {
      next(error)
    }
  }
}

function rawBodyOf(request: ExpressRequest): string | Uint8Array | AsyncIterable<Uint8Array> {
  const kept = request.rawBody ?? request.body
  if (typeof kept === 'string' || kept instanceof Uint8Array) return kept
  if (kept === undefined) return request
  throw new TypeError(
    'A body parser ran before the webhook handler: mount the handler first, or keep the bytes in request.rawBody.',
  )
}
