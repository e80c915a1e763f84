import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Stands between a service and its database. */
export async function tcpRelay(target: URL) {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port) })
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  const address = server.address()
  const url = new URL(target)
  url.port = String(typeof address === 'object' ? address?.port : '')
  return {
    url,
    /** From now on nothing passes through the connections that are open, and nobody is told; new ones work. */
    goSilent() {
      for (const socket of open) {
        socket.unpipe()
        socket.pause()
      }
    },
  }
}
