import { connect, type Socket } from 'node:net'

/** A client that sends bytes as they are. */
export class RawClient {
  readonly socket: Socket
  received = ''
  /** Whether the server has ended the connection. */
  closed = false
  #changed = () => {}

  /** @param from the caller's address: one of this machine, such as `127.0.0.7` */
  constructor(url: string, from = '127.0.0.1') {
    const port = Number(new URL(url).port)
    this.socket = connect({ port, host: '127.0.0.1', localAddress: from, allowHalfOpen: true })
    const close = () => {
      this.closed = true
      this.#changed()
    }
    this.socket.on('end', close).on('close', close).on('error', close)
    this.socket.on('data', (chunk) => {
      this.received += chunk.toString('latin1')
      this.#changed()
    })
  }

  /** Resolves when the bytes are written. */
  send(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()))
  }

  /** Resolves as soon as the condition holds or the server has ended the connection. */
  async until(condition: (received: string) => boolean): Promise<string> {
    while (!condition(this.received) && !this.closed)
      await new Promise<void>((resolve) => {
        this.#changed = resolve
      })
    return this.received
  }

  /** Everything until the server ends the connection. */
  async rest(): Promise<string> {
    return this.until(() => false)
  }
}

export function requestHead(method: string, path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ host: 'api.test', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

export const statusesIn = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
