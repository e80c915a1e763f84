import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from './errors.js'
import type { ApiRequest } from './exchange.js'

export class NodeRequest implements ApiRequest {
  readonly method: string
  readonly target: string
  readonly #req: IncomingMessage
  readonly #res: ServerResponse
  readonly #expectsContinue: boolean

  constructor(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean) {
    this.method = req.method ?? ''
    this.target = req.url ?? ''
    this.#req = req
    this.#res = res
    this.#expectsContinue = expectsContinue
  }

  /** The peer's; an IPv4 address that came in over IPv6 is written as IPv4. */
  get ip(): string {
    const address = this.#req.socket.remoteAddress ?? ''
    return address.startsWith('::ffff:') ? address.slice(7) : address
  }

  header(name: string): string | undefined {
    const value = this.#req.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  /** By events: for the small bodies of most calls, an async iterator would cost more than the reading. */
  readBody(maxBytes: number): Promise<Uint8Array | null> {
    const req = this.#req
    if (this.#expectsContinue) this.#res.writeContinue()
    return new Promise((resolve, reject) => {
      const incomplete = () => reject(new Refusal(400, 'Incomplete body'))
      if (req.destroyed) return incomplete()
      const chunks: Buffer[] = []
      let length = 0
      const collect = (chunk: Buffer) => {
        length += chunk.length
        chunks.push(chunk)
        if (length <= maxBytes) return
        req.off('data', collect).pause()
        resolve(null)
      }
      req
        .on('data', collect)
        .once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
        .once('error', incomplete)
        .once('close', () => {
          if (!req.complete) incomplete()
        })
    })
  }
}

export function hasBody(req: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers
  return encoding !== undefined || (length !== undefined && Number(length) !== 0)
}

/**
 * Reads on and forgets, until the body ends, its sender leaves, a bound is met, or the returned function is called;
 * then calls `done`, once.
 */
export function drain(
  req: IncomingMessage,
  { bytes, ms }: { readonly bytes: number; readonly ms: number },
  done: () => void,
): () => void {
  let left = bytes
  let isDone = false
  const finish = () => {
    clearTimeout(timer)
    if (!isDone) done()
    isDone = true
  }
  const timer = setTimeout(finish, req.destroyed ? 0 : ms)
  req
    .on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) finish()
    })
    .once('end', finish)
    .once('error', finish)
    .once('close', finish)
    .resume()
  return finish
}
