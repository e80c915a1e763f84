import type { NodeRequest } from './node.js'
import { createReceiver, type DoorOptions, headersOf, type WebhookHandler } from './receive.js'
import type { Secrets } from './verify.js'

export type { DoorOptions, SeenEvents, WebhookHandler } from './receive.js'

/** The used part of a Fastify instance. */
export interface FastifyScope {
  removeAllContentTypeParsers(): void
  addContentTypeParser(contentType: string, parser: () => Promise<unknown>): unknown
  all(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown
}

/** The used part of Fastify's request. */
export interface FastifyRequest {
  readonly raw: NodeRequest
}

/** The used part of Fastify's reply. */
export interface FastifyReply {
  code(status: number): {
    headers(headers: Record<string, string>): { type(type: string): { send(body: string): unknown } }
  }
}

/** The options of `webhookPlugin`. */
export interface WebhookPluginOptions extends DoorOptions {
  /** The path of the route, such as `/webhooks/sav`. */
  readonly path: string
  /** The secret of the endpoint; several during a rotation. */
  readonly secret: Secrets
  /** Called with each verified event. */
  readonly handler: WebhookHandler
}

/**
 * `app.register(webhookPlugin, { path, secret, handler })`: one route that answers 200 once the handler is done, 401
 * for an invalid signature, and 405 for methods other than POST. Fastify answers the handler's errors with a 500.
 *
 * Registered in its own scope, it leaves the body to the receiver, and does not affect parsers elsewhere.
 */
export async function webhookPlugin(scope: FastifyScope, options: WebhookPluginOptions): Promise<void> {
  const receive = createReceiver(options.secret, options.handler, options)
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', async () => undefined)
  scope.all(options.path, async ({ raw }, reply) => {
    const answer = await receive(raw, raw)
    return reply.code(answer.status).headers(headersOf(answer)).type('application/json').send(answer.body)
  })
}
