import { expect, test } from 'vitest'
import { freePort } from '../../../test/free-port.js'
import { runReadmeExample } from '../../../test/readme.js'
import { delivery, secret } from '../test/deliveries.js'

test('the receiver of the README accepts a signed webhook, and refuses an altered one', async () => {
  const port = String(await freePort())
  await using example = await runReadmeExample('webhook-verify', { SAV_WEBHOOK_SECRET: secret, PORT: port })
  expect(await example.line()).toBe('waiting')
  const { body, headers } = await delivery({ timestamp: Math.floor(Date.now() / 1000) })
  const post = async (sent: Uint8Array<ArrayBuffer>) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sent })).status
  expect(await post(Uint8Array.from(body).fill(49, 80, 81))).toBe(401)
  expect(await post(Uint8Array.from(body))).toBe(200)
  expect(await example.line()).toMatch(/^sav\.created \{/)
})
