import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { receiverOf } from './receiver.js'
import { local, readyWorkplace } from './workplace.js'

/** A proxy that opens every requested tunnel. */
function proxy() {
  const server = createServer()
  server.on('connect', (request, socket: Socket) => {
    const [host, port] = request.url?.split(':') ?? []
    const inside = connect({ host, port: Number(port) }, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      inside.pipe(socket).pipe(inside)
    })
    for (const each of [inside, socket])
      each.on('error', () => {}).on('close', () => void [inside, socket].map((s) => s.destroy()))
  })
  onTestFinished(() => void server.close())
  return server
}

it('an unreachable proxy uses up no attempts, and waiting deliveries are sent once it is back', async () => {
  const shop = await readyWorkplace()
  const atelier = await receiverOf(shop)
  const before = proxy().listen(0, '127.0.0.1')
  await once(before, 'listening')
  const address = before.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await new Promise((resolve) => before.close(resolve))

  const worker = shop.start('worker', { ...local, SAV_WEBHOOK_PROXY: `http://127.0.0.1:${port}` })
  await shop.newCase('Une porte de plus à régler')
  await worker.prints(/"cannot send a delivery"/, 'stderr')
  expect(await shop.json('webhooks history')).toMatchObject([{ state: 'pending', attempt_count: 0, last_error: null }])

  await once(proxy().listen(port, '127.0.0.1'), 'listening')
  await atelier.received(1)
  await worker.prints(/"state":"delivered"/, 'stderr')
  expect(await shop.json('webhooks history')).toMatchObject([{ state: 'delivered', attempt_count: 1 }])
})
