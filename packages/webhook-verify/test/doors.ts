import { createServer, type RequestListener, type Server } from 'node:http'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { WebhookEvent } from '../src/events.js'
import type { DoorOptions, WebhookHandler } from '../src/receive.js'
import { createdEvent, delivery, now, otherSecret, secret } from './deliveries.js'

export interface Door {
  readonly url: string
  close(): Promise<void>
}

/** A receiver behind one framework, listening on a loopback port. */
export type OpenDoor = (
  secrets: string | string[],
  handler: WebhookHandler,
  options: DoorOptions,
) => Door | Promise<Door>

/** What a receiver does behind every framework, seen from the sender's side of a real connection. */
export function doorContract(open: OpenDoor): void {
  async function withDoor(
    work: (post: (sent: Delivery) => Promise<{ status: number; body: string }>, received: WebhookEvent[]) => unknown,
    { handler, ...options }: DoorOptions & { handler?: WebhookHandler } = {},
  ) {
    const received: WebhookEvent[] = []
    const door = await open(secret, handler ?? ((event) => void received.push(event)), {
      now,
      onRefused: () => {},
      ...options,
    })
    const post = async ({ body, headers }: Delivery) => {
      const response = await fetch(door.url, { method: 'POST', body: Uint8Array.from(body), headers })
      return { status: response.status, body: await response.text() }
    }
    try {
      await work(post, received)
    } finally {
      await door.close()
    }
  }

  test('a valid delivery reaches the handler, and then the sender gets 200', async () => {
    await withDoor(async (post, received) => {
      expect(await post(await delivery())).toEqual({ status: 200, body: '{"received":true}' })
      expect(received).toEqual([createdEvent])
    })
  })

  test('the handler is awaited before the answer', async () => {
    const order: string[] = []
    const handler = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      order.push('handled')
    }
    await withDoor(
      async (post) => {
        await post(await delivery())
        order.push('answered')
      },
      { handler },
    )
    expect(order).toEqual(['handled', 'answered'])
  })

  test('an invalid signature is answered 401 with the reason, and reaches no handler', async () => {
    await withDoor(async (post, received) => {
      const { body, headers } = await delivery()
      const tampered = Uint8Array.from(body).fill(0x31, 80, 81)
      expect(await post({ body: tampered, headers })).toEqual({ status: 401, body: '{"error":"signature_mismatch"}' })
      expect(await post({ body: new Uint8Array(), headers })).toMatchObject({ status: 401 })
      expect(await post({ body, headers: {} })).toEqual({ status: 401, body: '{"error":"missing_header"}' })
      const old = await delivery({ timestamp: now / 1000 - 301 })
      expect(await post(old)).toEqual({ status: 401, body: '{"error":"timestamp_too_old"}' })
      expect(received).toEqual([])
    })
  })

  test('bytes are verified as received, with their white space, newlines and accents', async () => {
    await withDoor(async (post, received) => {
      const body = ` ${JSON.stringify({ ...createdEvent, note: 'Façade ✅' }, null, 2)}\r\n`
      expect(await post(await delivery({ body }))).toMatchObject({ status: 200 })
      expect(received).toEqual([{ ...createdEvent, note: 'Façade ✅' }])
    })
  })

  test('a signed body that is not an event is answered 400', async () => {
    await withDoor(async (post) => {
      for (const body of ['', 'no JSON', Uint8Array.of(0xff, 0xfe)]) {
        expect(await post(await delivery({ body }))).toEqual({ status: 400, body: '{"error":"malformed_body"}' })
      }
    })
  })

  test('a handler that throws is answered 500, so that the sender tries again', async () => {
    const handler = () => Promise.reject(new Error('the queue is away'))
    await withDoor(async (post) => expect((await post(await delivery())).status).toBe(500), { handler })
  })

  test('a body of exactly maxBodyBytes is accepted, and one byte more is answered 413', async () => {
    const sent = await delivery()
    const longer = await delivery({ body: `${JSON.stringify(createdEvent)} ` })
    await withDoor(
      async (post) => {
        expect(await post(sent)).toMatchObject({ status: 200 })
        expect(await post(longer)).toEqual({ status: 413, body: '{"error":"body_too_large"}' })
      },
      { maxBodyBytes: sent.body.length },
    )
  })

  test('the scheme of the specification is accepted only if the option scheme names it', async () => {
    const { body, headers } = await delivery()
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) delete headers[name]
    await withDoor(async (post) => expect(await post({ body, headers })).toMatchObject({ status: 401 }))
    await withDoor(async (post) => expect(await post({ body, headers })).toMatchObject({ status: 200 }), {
      scheme: 'specification',
    })
  })

  test('onRefused gets the reason of each refusal, and nothing else', async () => {
    const refused: string[] = []
    await withDoor(
      async (post) => {
        const { body, headers } = await delivery()
        expect(await post({ body, headers: { ...headers, 'webhook-id': 'evt_2' } })).toMatchObject({ status: 401 })
        expect(refused).toEqual(['signature_mismatch'])
        await post({ body, headers })
        expect(refused).toHaveLength(1)
      },
      { onRefused: ({ reason }) => void refused.push(reason) },
    )
  })

  test('an event that was seen before is answered 200 and not handled again', async () => {
    await withDoor(
      async (post, received) => {
        expect(await post(await delivery())).toEqual({ status: 200, body: '{"received":true}' })
        expect(await post(await delivery())).toEqual({ status: 200, body: '{"received":true,"duplicate":true}' })
        expect(received).toHaveLength(1)
      },
      { seen: new Set() },
    )
  })

  test('an event whose handler failed does not count as seen', async () => {
    const seen = new Set<string>()
    let attempts = 0
    const handler = () => {
      attempts += 1
      if (attempts === 1) throw new Error('the queue is away')
    }
    await withDoor(
      async (post) => {
        expect((await post(await delivery())).status).toBe(500)
        expect(seen.size).toBe(0)
        expect(await post(await delivery())).toEqual({ status: 200, body: '{"received":true}' })
        expect([...seen]).toEqual(['evt_1'])
      },
      { seen, handler },
    )
  })

  test('a delivery signed with either of two secrets is accepted during a rotation', async () => {
    const door = await open([otherSecret, secret], () => undefined, { now })
    const { body, headers } = await delivery()
    expect((await fetch(door.url, { method: 'POST', body, headers })).status).toBe(200)
    await door.close()
  })
}

/** Mistakes in the configuration of a receiver, which must be found before the first request. */
export function earlyMistakes(make: (secret: string, options: DoorOptions) => unknown): void {
  test.each<[string, DoorOptions]>([
    ['whsec_', {}],
    [secret, { toleranceSeconds: 0 }],
    [secret, { maxBodyBytes: 0 }],
    [secret, { maxBodyBytes: Number.NaN }],
  ])('a mistake in the configuration throws at once (%#)', async (badSecret, options) => {
    await expect(async () => make(badSecret, options)).rejects.toThrow(TypeError)
  })
}

interface Delivery {
  readonly body: Uint8Array
  readonly headers: Record<string, string>
}

export async function listen(listener: RequestListener): Promise<Door> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${portOf(server)}/webhooks/sav`, close: () => closed(server) }
}

/** A host for `(Request) => Response`, which answers 500 when it rejects, as Deno, Bun and workers do. */
export function listenFetch(handle: (request: Request) => Response | Promise<Response>): Promise<Door> {
  return listen(async (incoming, outgoing) => {
    const body = Readable.toWeb(incoming)
    const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    const request = new Request(`http://localhost${incoming.url}`, { method: 'POST', headers, body, duplex: 'half' })
    const response = await Promise.resolve(request)
      .then(handle)
      .catch(() => new Response('', { status: 500 }))
    outgoing.writeHead(response.status).end(await response.text())
  })
}

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen')
  return address.port
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
