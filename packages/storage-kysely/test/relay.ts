import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** The delay of a slow relay: far longer than the server takes to end a connection. */
const slowMs = 50

/** A proxy to a server. It can become slow, or silent: then nothing arrives, not even the end of a connection. */
export async function relay(url: string) {
  const target = new URL(url)
  const [port, host] = [Number(target.port), target.hostname]
  const sockets = new Set<Socket>()
  let state: 'fast' | 'slow' | 'silent' = 'fast'
  const pass = (on: () => void) => {
    if (state === 'fast') on()
    if (state === 'slow') setTimeout(on, slowMs)
  }
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({ port, host, allowHalfOpen: true })
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (sent) => pass(() => to.write(sent)))
      from.on('end', () => pass(() => to.end()))
      from.on('error', () => to.destroy())
      from.on('close', () => sockets.delete(from))
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  target.port = String((proxy.address() as AddressInfo).port)
  return {
    url: target.href,
    slowDown() {
      state = 'slow'
    },
    fallSilent() {
      state = 'silent'
    },
    /** The relay's own sockets in this process. */
    get socketCount() {
      return sockets.size
    },
  }
}
