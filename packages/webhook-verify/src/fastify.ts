import type { NodeRequest } from './node.js'
import { createReceiver, type DoorOptions, headersOf, type WebhookHandler } from './receive.js'
import type { Secrets } from './verify.js'

export type { DoorOptions, SeenEvents, WebhookHandler } from './receive.js'

/** What is needed of a Fastify instance. */
export interface FastifyScope {
  removeAllContentTypeParsers(): void
  addContentTypeParser(contentType: string, parser: () => Promise<unknown>): unknown
  all(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown
}

/** What is needed of Fastify's request. */
export interface FastifyRequest {
  readonly raw: NodeRequest
}

/** What is needed of Fastify's reply. */
export interface FastifyReply {
  code(status: number): {
    headers(headers: Record<string, string>): { type(type: string): { send(body: string): unknown } }
  }
}

/** What `webhookPlugin` takes. */
export interface WebhookPluginOptions extends DoorOptions {
  /** Path of the route, such as `/webhooks/sav`. */
  readonly path: string
  readonly secret: Secrets
  readonly handler: WebhookHandler
}

/**
 * `app.register(webhookPlugin, { path, secret, handler })`: one route that answers 200 once the handler is done,
 * 401 to what must not be believed, and 405 to what is no POST. What the handler throws is Fastify's to answer, with a 500.
 *
 * Registered, and so in a scope of its own, it leaves the body to the receiver here and parsers elsewhere as they are.
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
