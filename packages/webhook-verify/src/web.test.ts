import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { createdEvent, delivery, now, secret } from '../test/deliveries.js'
import { doorContract, earlyMistakes, listenFetch } from '../test/doors.js'
import { receiveWebhook, verifyRequest } from './web.js'

const address = 'https://receiver.example/webhooks/sav'

describe('a fetch handler', () => {
  doorContract((secrets, handler, options) =>
    listenFetch((request) => receiveWebhook(request, secrets, handler, options)),
  )
  earlyMistakes((badSecret, options) =>
    receiveWebhook(new Request(address, { method: 'POST' }), badSecret, () => undefined, options),
  )
})

describe('Hono', () => {
  doorContract((secrets, handler, options) => {
    const app = new Hono()
    app.onError((_error, context) => context.text('', 500))
    app.post('/webhooks/sav', (context) => receiveWebhook(context.req.raw, secrets, handler, options))
    return listenFetch((request) => app.fetch(request))
  })
})

test('verifyRequest returns the event to the application’s own route', async () => {
  const { body, headers } = await delivery()
  const request = new Request(address, { method: 'POST', body, headers })
  expect(await verifyRequest(request, secret, { now })).toEqual(createdEvent)
})

test('a request whose body was already read is refused with an error', async () => {
  const { body, headers } = await delivery()
  const request = new Request(address, { method: 'POST', body, headers })
  await request.json()
  await expect(receiveWebhook(request, secret, () => undefined, { now })).rejects.toThrow(/already read/)
  await expect(verifyRequest(request, secret, { now })).rejects.toThrow(/already read/)
})

test.each([
  ['GET', 405],
  ['PUT', 405],
  ['POST', 401],
])('a %s that is not a webhook is answered %i', async (method, status) => {
  const answer = await receiveWebhook(new Request(address, { method }), secret, () => undefined, { onRefused() {} })
  expect([answer.status, answer.headers.get('allow')]).toEqual([status, status === 405 ? 'POST' : null])
})
