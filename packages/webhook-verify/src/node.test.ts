import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { createdEvent, delivery, now, secret } from '../test/deliveries.js'
import { doorContract, earlyMistakes, listen } from '../test/doors.js'
import { createWebhookListener, verifyRequest } from './node.js'

describe('a node:http listener', () => {
  const silent = () => undefined
  doorContract((secrets, handler, options) =>
    listen(createWebhookListener(secrets, handler, { onError: silent, ...options })),
  )
  earlyMistakes((badSecret, options) => createWebhookListener(badSecret, silent, options))

  test('passes the handler’s error to onError', async () => {
    const heard = Promise.withResolvers<unknown>()
    const failure = new Error('the queue is away')
    const handler = () => Promise.reject(failure)
    const door = await listen(createWebhookListener(secret, handler, { now, onError: heard.resolve }))
    const { body, headers } = await delivery()
    await fetch(door.url, { method: 'POST', body, headers })
    expect(await heard.promise).toBe(failure)
    await door.close()
  })

  test('reports that a parser has already read the body', async () => {
    const heard = Promise.withResolvers<unknown>()
    const receive = createWebhookListener(secret, silent, { now, onError: heard.resolve })
    const door = await listen(async (incoming, response) => {
      await text(incoming)
      await receive(incoming, response)
    })
    const { body, headers } = await delivery()
    expect((await fetch(door.url, { method: 'POST', body, headers })).status).toBe(500)
    expect(String(await heard.promise)).toMatch(/was already read/)
    await door.close()
  })

  test('refuses a signed header that was sent twice', async () => {
    const door = await listen(createWebhookListener(secret, silent, { now }))
    const { body, headers } = await delivery()
    const id = headers['webhook-id'] ?? ''
    const call = request(door.url, { method: 'POST', headers: { ...headers, 'webhook-id': [id, id] } }).end(body)
    const [response] = await once(call, 'response')
    expect(response.statusCode).toBe(401)
    expect(await new Response(response).text()).toBe('{"error":"duplicate_header"}')
    await door.close()
  })

  test('cuts off a body far beyond the limit instead of reading it forever', async () => {
    const door = await listen(createWebhookListener(secret, silent, { now, maxBodyBytes: 1000 }))
    const socket = connect(Number(new URL(door.url).port), '127.0.0.1')
    socket.on('error', silent)
    const answer = text(socket)
    socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000000\r\n\r\n')
    socket.write(Buffer.alloc(8001))
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /)
    await door.close()
  })

  test('reports a sender that hangs up halfway, and goes on serving others', async () => {
    const failed = Promise.withResolvers<unknown>()
    const door = await listen(createWebhookListener(secret, silent, { now, onError: failed.resolve }))
    const { body, headers } = await delivery()
    const call = request(door.url, { method: 'POST', headers: { ...headers, 'content-length': body.length + 1 } })
    call.on('error', silent)
    call.write(body, () => call.destroy())
    expect(await failed.promise).toMatchObject({ code: 'ECONNRESET' })
    expect((await fetch(door.url, { method: 'POST', body, headers })).status).toBe(200)
    await door.close()
  })
})

test('verifyRequest reads and verifies a request in the application’s own listener', async () => {
  const door = await listen(async (incoming, outgoing) => {
    const event = await verifyRequest(incoming, secret, { now })
    outgoing.end(JSON.stringify(event))
  })
  const { body, headers } = await delivery()
  expect(await (await fetch(door.url, { method: 'POST', body, headers })).json()).toEqual(createdEvent)
  await door.close()
})
