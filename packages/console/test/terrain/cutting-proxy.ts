import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where the network goes in a call: before anything of it arrives, in the middle of it, or before or in its answer. */
export const cuts = ['before', 'in the request', 'before the answer', 'in the answer'] as const
export type Cut = (typeof cuts)[number]

/** Stands between a phone and the service, and cuts what is asked for. */
export class CuttingProxy {
  /** Null: the call goes through. */
  cutOf: (call: string) => Cut | null = () => null
  url = ''
  readonly #service: string
  readonly #server = createServer((from, to) => void this.#pass(from, to))

  constructor(service: string) {
    this.#service = service
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #pass(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = from
    const cut = this.cutOf([method, url, headers['content-range'] ?? ''].join(' ').trim())
    const body = Buffer.concat(await from.toArray())
    if (cut === 'before') return void from.socket.destroy()
    const sent = request(this.#service + url, { method, headers, agent: false })
    try {
      if (cut === 'in the request') {
        sent.on('error', () => {})
        // What has no body is cut once it is on its way.
        sent.flushHeaders()
        if (body.length > 0) await new Promise((written) => sent.write(body.subarray(0, body.length / 2), written))
        sent.destroy()
        return void from.socket.destroy()
      }
      sent.end(body)
      const [answer]: IncomingMessage[] = await once(sent, 'response')
      if (answer === undefined) return
      const content = Buffer.concat(await answer.toArray())
      if (cut === 'before the answer') return void from.socket.destroy()
      to.writeHead(answer.statusCode ?? 0, answer.rawHeaders)
      if (cut === null) return void to.end(content)
      to.write(content.subarray(0, content.length / 2), () => from.socket.destroy())
    } catch {
      from.socket.destroy()
    }
  }
}
