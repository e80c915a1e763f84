import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook } from 'svix'
import { expect, it } from 'vitest'
import { type Delivery, deliveries, secret } from './receivers.js'

const body = JSON.stringify({ type: 'invoice.paid', amount: 1842 })

/** A delivery as Svix sends it. */
function fromSvix(by = secret, sentAt = new Date()): Delivery {
  const headers = {
    'svix-id': 'msg_2Hx',
    'svix-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'svix-signature': new Webhook(by).sign('msg_2Hx', sentAt, body),
  }
  return { body, headers }
}

it('one receiver accepts webhooks of the old sender and of this service, and nothing else', async () => {
  process.env['SAV_WEBHOOK_SECRET'] = secret
  const { POST } = await import('./both.js')
  const answer = async ({ body, headers }: Delivery) =>
    (await POST(new Request('https://shop.example/webhooks/sav', { method: 'POST', body, headers }))).status
  const { signed, tampered, stale } = await deliveries()
  expect(await answer(signed)).toBe(200)
  expect(await answer(fromSvix())).toBe(204)
  // Webhooks signed by the library of Standard Webhooks are accepted too.
  const at = new Date()
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new StandardWebhook(secret).sign('msg_1', at, signed.body),
  }
  expect(await answer({ body: signed.body, headers })).toBe(200)

  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
  const refused = [
    tampered,
    stale,
    { body, headers: {} },
    { ...fromSvix(), body: body.replace('1842', '1843') },
    fromSvix(other),
    fromSvix(secret, new Date(Date.now() - 6 * 60_000)),
    { ...signed, headers: { ...signed.headers, 'svix-id': 'msg_2Hx' } },
  ]
  expect(await Promise.all(refused.map(answer))).toEqual(refused.map(() => 401))
})

it("a receiver with Svix's library needs no change for our webhooks, and neither does one with standardwebhooks", async () => {
  const { signed, tampered } = await deliveries()
  for (const library of [new Webhook(secret), new StandardWebhook(secret)]) {
    expect(() => library.verify(signed.body, signed.headers)).not.toThrow()
    expect(() => library.verify(tampered.body, tampered.headers)).toThrow('signature')
  }
})
