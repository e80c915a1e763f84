import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { sign } from '@sav/webhook-verify'
import { expect, it } from 'vitest'
import { exampleFolder, start } from './running.js'

const directory = exampleFolder()

const root = join(import.meta.dirname, '..')
const source = (name: string) => readFileSync(join(import.meta.dirname, name, 'main.ts'), 'utf8')
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

it('the embedding example serves the API', async () => {
  const lines = start('embedding', {
    SHOP_DB: join(directory, 'shop.db'),
    SHOP_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORT: '0',
  })
  const { value } = await lines.next()
  const url = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(value ?? '')?.[1]
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect(await (await fetch(`${url}/api/v1/sav`)).json()).toEqual({
    success: false,
    error: 'Missing or invalid API key',
  })
})

it('the embedding example ends well when it is told to', async () => {
  const lines = start('embedding', {
    SHOP_DB: join(directory, 'ended.db'),
    SHOP_KEY: Buffer.alloc(32, 7).toString('base64'),
    PORT: '0',
  })
  await lines.next()
  expect(await lines.stop()).toEqual([0, null])
})

it('the receiver example believes what is signed, and nothing else', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const port = await freePort()
  const lines = start('receiver', { WEBHOOK_SECRET: secret, PORT: String(port) })
  expect((await lines.next()).value).toBe(`waiting on http://127.0.0.1:${port}`)

  const body = JSON.stringify({
    event: 'sav.closed',
    timestamp: new Date().toISOString(),
    data: { event_id: 'evt_1', id: 1, reference: 'SAV-2026-00001', hash_sha256: 'ab12' },
  })
  const headers = await sign({ id: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body, secret })
  const post = (text: string) => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text })
  expect((await post(body.replace('ab12', 'ab13'))).status).toBe(401)
  expect((await post(body)).status).toBe(200)
  expect((await lines.next()).value).toBe('SAV-2026-00001 is closed: ab12')
})

it.each([
  ['embedding', 20],
  ['receiver', 15],
])('the README shows the %s example as it is, in fewer than %i lines', (name, bound) => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`\`\`\`ts\n${source(name)}\`\`\``)
  expect(source(name).trimEnd().split('\n').length).toBeLessThan(bound)
})
