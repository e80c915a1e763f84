import { Socket } from 'node:net'
import type { ClientConfig, PoolConfig } from 'pg'
import { loadDriver } from '../storage/drivers.js'

export const driver = loadDriver('pg')

const ignored = () => {}

/**
 * A client of `pg` that reports when its connection is closed. The server closes it last, when it no longer counts the
 * connection. A vanished server never closes it, so it is destroyed after the time limit for connecting.
 */
export class OwnClient extends driver.Client {
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #maxEndMs: number
  #isEnding = false

  constructor(config: ClientConfig) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.#socket = socket
    this.#maxEndMs = config.connectionTimeoutMillis ?? 5000
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
    // While the client ends, `pg` no longer listens for errors. The statements that fail report them.
    this.on('error', ignored)
  }

  get isEnding(): boolean {
    return this.#isEnding
  }

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): unknown {
    if (!this.#isEnding && !this.#socket.closed) {
      const overdue = setTimeout(() => this.#socket.destroy(), this.#maxEndMs)
      this.#socket.once('close', () => clearTimeout(overdue))
    }
    this.#isEnding = true
    return callback === undefined ? super.end() : super.end(callback)
  }
}

/** A pool whose `end` resolves when all its clients have ended. The pool of `pg` resolves when they begin to end. */
export class OwnPool extends driver.Pool {
  readonly #open: Set<OwnClient>

  constructor(config: PoolConfig) {
    const open = new Set<OwnClient>()
    class PooledClient extends OwnClient {
      constructor(config: ClientConfig = {}) {
        super(config)
        open.add(this)
        void this.closed.then(() => open.delete(this))
      }
    }
    super({ ...config, Client: PooledClient })
    this.#open = open
    // The pool itself drops a failed connection, so there is nothing left to do.
    this.on('error', ignored)
  }

  override end(): Promise<void>
  override end(callback: () => void): void
  override end(callback?: () => void): unknown {
    if (callback === undefined) return this.#end()
    return this.#end().then(callback, callback)
  }

  async #end(): Promise<void> {
    await super.end()
    // Clients that the server refused never joined the pool.
    for (const client of this.#open) if (!client.isEnding) void client.end()
    await Promise.all(Array.from(this.#open, ({ closed }) => closed))
  }
}
