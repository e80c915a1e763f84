import { once } from 'node:events'
import type { Server } from 'node:http'
import { onTestFinished } from 'vitest'

/** Starts a server on this machine until the test ends; resolves to its origin. */
export async function onLoopback(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}
