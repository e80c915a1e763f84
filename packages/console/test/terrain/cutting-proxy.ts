import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Console } from '../../src/console.js'
import { pause } from '../door.js'

/** Where a call is cut: before or in the middle of the request, or before or in the middle of the answer. */
export const cuts = ['before', 'in the request', 'before the answer', 'in the answer'] as const
export type Cut = (typeof cuts)[number]

/** A call that the service has answered. */
export interface AnsweredCall {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly status: number
}

/** A proxy between a phone and the service that cuts chosen calls. */
export class CuttingProxy {
  /** Where to cut a call. A number: answers with this status instead of the service; null: passes the call on. */
  cutOf: (call: string) => Cut | number | null = () => null
  /** Called before the answer is passed on, which waits until this resolves. */
  onAnswer: (call: AnsweredCall) => Promise<void> = async () => {}
  url = ''
  service: string
  readonly #pages: Console | null
  readonly #server = createServer((from, to) => void this.#pass(from, to).catch(() => from.socket.destroy()))

  /** @param pages the built app; null: none */
  constructor(service: string, pages: Console | null = null) {
    this.service = service
    this.#pages = pages
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
    await pause()
    if (cut === 'before') return void from.socket.destroy()
    if (typeof cut === 'number') return void to.writeHead(cut).end()
    const page = await this.#page(from)
    if (page !== null) return void to.writeHead(page.status, page.headers).end(page.body)
    const sent = request(this.service + url, { method, headers, agent: false })
    to.once('close', () => sent.destroy())
    if (cut === 'in the request') {
      sent.on('error', () => {})
      // A request without a body is cut after its headers.
      sent.flushHeaders()
      if (body.length > 0) await new Promise((written) => sent.write(body.subarray(0, body.length / 2), written))
      sent.destroy()
      return void from.socket.destroy()
    }
    sent.end(body)
    const [answer]: IncomingMessage[] = await once(sent, 'response')
    if (answer === undefined) return
    const status = answer.statusCode ?? 0
    if (answer.headers['content-type'] === 'text/event-stream') {
      to.writeHead(status, answer.rawHeaders)
      return void answer.on('error', () => to.destroy()).pipe(to)
    }
    const content = Buffer.concat(await answer.toArray())
    await this.onAnswer({ method, path: url.split('?', 1)[0] ?? '', headers, body, status })
    await pause()
    if (cut === 'before the answer') return void from.socket.destroy()
    to.writeHead(status, answer.rawHeaders)
    if (cut === null) return void to.end(content)
    to.write(content.subarray(0, content.length / 2), () => from.socket.destroy())
  }

  async #page({ method = 'GET', url: target = '/', headers }: IncomingMessage) {
    if (this.#pages === null || !target.startsWith('/app') || target.startsWith('/app/session/')) return null
    return this.#pages({ method, target, header: (name) => headers[name]?.toString() })
  }
}
