import type { Socket } from 'node:net'
import type { Api } from '../src/http/exchange.js'
import type { ListenerLimits } from '../src/node-server/limits.js'
import { type Listener, listen } from '../src/node-server/listener.js'
import type { ComposeOptions } from './composed.js'
import { RawClient } from './raw-socket.js'
import { openService, type Service } from './service.js'

const opened: Listener[] = []
const sockets: Socket[] = []

/** For `afterEach`: closes listeners and clients of a test. */
export async function closeListeners(): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const listener of opened.splice(0)) await listener.close()
}

export async function serve(
  limits: Partial<ListenerLimits> = {},
  options?: ComposeOptions,
): Promise<{ service: Service; url: string }> {
  const service = await openService(undefined, options)
  return { service, url: (await start(service.api, limits)).url }
}

export async function start(api: Api, limits: Partial<ListenerLimits> = {}): Promise<Listener> {
  const listener = await listen(api, { host: '127.0.0.1', port: 0, limits })
  opened.push(listener)
  return listener
}

export class Client extends RawClient {
  constructor(url: string, from?: string) {
    super(url, from)
    sockets.push(this.socket)
  }
}

export const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n') + 4))

/** A promise, and the function that resolves it. */
export function gate(): [Promise<void>, () => void] {
  const { promise, resolve } = Promise.withResolvers<void>()
  return [promise, resolve]
}

/** Does `act` and waits until the next call is over. */
export async function called(service: Service, act: () => void): Promise<void> {
  const count = service.calls.length
  act()
  while (service.calls.length === count) await new Promise((resolve) => setImmediate(resolve))
}
