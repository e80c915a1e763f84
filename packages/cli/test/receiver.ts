import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { verify, type WebhookEvent } from '@sav/webhook-verify'
import { onLoopback } from './on-loopback.js'
import { local, type Workplace } from './workplace.js'

/** A receiver as a customer would write it, which accepts only deliveries with a valid signature. */
export async function receiver() {
  const events: WebhookEvent[] = []
  const headers: IncomingHttpHeaders[] = []
  let secret = ''
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    try {
      events.push(await verify(Buffer.concat(chunks), request.headers, secret))
      headers.push(request.headers)
      response.writeHead(200).end()
    } catch {
      response.writeHead(401).end()
    }
    server.emit('received')
  })
  const origin = await onLoopback(server)
  return {
    url: `${origin}/hook`,
    /** The events verified so far. */
    events: () => events,
    /** The headers of each verified event. */
    headers: () => headers,
    trust(given: string) {
      secret = given
    },
    /** Resolves once `count` events were verified. */
    async received(count: number): Promise<WebhookEvent[]> {
      while (events.length < count) await once(server, 'received')
      return events
    },
  }
}

/** A receiver, with an endpoint of the shop that sends it every event. */
export async function receiverOf(shop: Workplace, ...options: readonly string[]) {
  const atelier = await receiver()
  const add = ['webhooks', 'add', atelier.url, '--all-events', ...options]
  const { id, secret } = await shop.json<{ id: string; secret: string }>(add, local)
  atelier.trust(secret)
  return { ...atelier, id, secret }
}
