import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'

/**
 * A relay between a service and its database, like an address that a primary and its standby share.
 * @param identity if given, the relay terminates TLS and forwards the plain stream
 */
export async function tcpRelay(target: URL, identity?: { readonly key: string; readonly cert: string }) {
  let { hostname: host, port } = target
  const open = new Set<Socket>()
  let keepsAnswers = false
  const relay = (near: Socket) => {
    const far = connect({ host, port: Number(port), noDelay: true })
    near.pipe(far)
    if (!keepsAnswers) far.pipe(near)
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
  }
  const options = { noDelay: true }
  const server = identity ? createTlsServer({ ...options, ...identity }, relay) : createServer(options, relay)
  server.listen(0, '127.0.0.1')
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
    /** Sends new connections to `server` from now on. */
    pointAt(server: URL) {
      host = server.hostname
      port = server.port
    },
    /** From now on requests still reach the database, but its answers are lost. */
    keepAnswers() {
      keepsAnswers = true
      for (const socket of open) socket.unpipe()
    },
    /** Stalls the open connections without an error; new ones work. */
    goSilent() {
      for (const socket of open) {
        socket.unpipe()
        socket.pause()
      }
    },
  }
}
