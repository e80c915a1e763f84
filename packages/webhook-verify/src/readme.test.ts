import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { runReadmeExample } from '../../../test/readme.js'
import { delivery, secret } from '../test/deliveries.js'

async function freePort(): Promise<string> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return String(typeof address === 'object' && address !== null ? address.port : 0)
}

test('the receiver of the README takes what is signed, and refuses what was altered', async () => {
  const port = await freePort()
  await using example = await runReadmeExample('webhook-verify', { SAV_WEBHOOK_SECRET: secret, PORT: port })
  expect(await example.line()).toBe('waiting')
  const { body, headers } = await delivery({ timestamp: Math.floor(Date.now() / 1000) })
  const post = async (sent: Uint8Array<ArrayBuffer>) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sent })).status
  expect(await post(Uint8Array.from(body).fill(49, 80, 81))).toBe(401)
  expect(await post(Uint8Array.from(body))).toBe(200)
  expect(await example.line()).toMatch(/^sav\.created \{/)
})
