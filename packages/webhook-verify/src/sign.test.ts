import { describe, expect, test } from 'vitest'
import { otherSecret, readVectors, secret, sentAt } from '../test/deliveries.js'
import { sign } from './sign.js'

describe('sign', () => {
  test.each(readVectors())('makes the headers of the vector "$name"', async (vector) => {
    const headers = await sign({
      id: vector.webhook_id,
      timestamp: vector.webhook_timestamp,
      body: vector.body,
      secret: vector.secret,
    })
    expect(headers).toEqual({
      'X-Webhook-Signature': vector.x_webhook_signature,
      'X-Webhook-Timestamp': String(vector.webhook_timestamp),
      'webhook-id': vector.webhook_id,
      'webhook-timestamp': String(vector.webhook_timestamp),
      'webhook-signature': vector.webhook_signature,
    })
  })

  test('encodes text as UTF-8', async () => {
    const text = '{"resolution":"Façade réglée ✅"}'
    const input = { id: 'evt_1', timestamp: sentAt, secret }
    expect(await sign({ ...input, body: text })).toEqual(await sign({ ...input, body: Buffer.from(text) }))
  })

  test('in a rotation also signs webhook-signature with the next secret, but not X-Webhook-Signature', async () => {
    const input = { id: 'evt_1', timestamp: sentAt, body: '{}' }
    const before = await sign({ ...input, secret })
    const after = await sign({ ...input, secret: otherSecret })
    const during = await sign({ ...input, secret, nextSecret: otherSecret })
    expect(during['webhook-signature']).toBe(`${before['webhook-signature']} ${after['webhook-signature']}`)
    expect(during['X-Webhook-Signature']).toBe(before['X-Webhook-Signature'])
  })

  test.each([0, 99_999_999_999])('accepts the timestamp %d', async (timestamp) => {
    const headers = await sign({ id: 'evt_1', timestamp, body: '', secret })
    expect(headers['webhook-timestamp']).toBe(String(timestamp))
  })

  test.each([-1, 0.5, Number.NaN, sentAt * 1000])('refuses the timestamp %d', async (timestamp) => {
    await expect(sign({ id: 'evt_1', timestamp, body: '', secret })).rejects.toThrow(/whole Unix seconds/)
  })

  test.each(['', 'secret', `${otherSecret}\n`])('refuses an invalid next secret: %j', async (nextSecret) => {
    await expect(sign({ id: 'evt_1', timestamp: sentAt, body: '', secret, nextSecret })).rejects.toThrow(TypeError)
  })
})
