import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as SocketServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Api } from '../http/exchange.js'
import { answering } from './answering.js'
import { connections } from './connections.js'
import { defaultLimits, type ListenerLimits } from './limits.js'
import { answerToNoCall, asText } from './no-call.js'

/** Where to listen, and with which limits. */
export interface ListenOptions {
  /** Default: `127.0.0.1`. */
  readonly host?: string
  /** 0: any free port. */
  readonly port: number
  /** The limits of connections; see ListenerLimits for the defaults. */
  readonly limits?: Partial<ListenerLimits>
}

/** A listening server. */
export interface Listener {
  /** `http://127.0.0.1:8080`, with the actual port. */
  readonly url: string
  /**
   * Accepts nothing more, lets the calls in progress finish within `maxCloseMs`, and resolves when all connections are
   * closed.
   */
  close(): Promise<void>
}

/** Answers on a node:http server. Resolves when it listens; rejects when the address is not available. */
export async function listen(api: Api, { host = '127.0.0.1', port, limits: chosen }: ListenOptions): Promise<Listener> {
  const limits = { ...defaultLimits, ...chosen }
  const open = connections(limits.maxConnections)
  let closing = false
  const { answer, ending } = answering(api, { limits, isClosing: () => closing })

  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    // Bodies have a minimum speed instead.
    requestTimeout: 0,
    // Answers announce half of the real time, so that a slow caller does not use a closed connection.
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    keepAliveTimeoutBuffer: limits.keepAliveTimeoutMs,
    // Node checks for timed-out requests only at this interval; its default is 30 s.
    connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs),
    maxHeaderSize: limits.maxHeaderBytes,
    // A duplicate Authorization or Content-Type must be refused, not dropped.
    joinDuplicateHeaders: true,
    // `answering` checks the Host header, so that the refusal has our own body.
    requireHostHeader: false,
  })
  server.setTimeout(limits.maxStalledMs)

  server.on('connection', open.admit)
  function handle(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): void {
    open.asked(req.socket)
    res.once('close', () => open.answered(req.socket))
    answer(req, res, expectsContinue)
  }

  server.on('request', (req, res) => handle(req, res, false))
  server.on('checkContinue', (req, res) => handle(req, res, true))
  server.on('checkExpectation', (req, res) => handle(req, res, false))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const end = ending.get(socket)
    if (end) end()
    else if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else {
      ending.set(socket, () => {})
      socket.end(asText(answerToNoCall(error.code)))
      setTimeout(() => socket.destroy(), 1000).unref()
    }
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const address = server.address()
  let admitted = 0
  server.on('connection', () => {
    admitted += 1
  })
  /**
   * Resolves after a short turn of the event loop that accepted no connection, or after `maxTurns`. A close would reset
   * connections that still wait to be accepted.
   */
  async function noneWaits(): Promise<void> {
    for (let turns = 0; turns < maxTurns; turns += 1) {
      const [before, since] = [admitted, performance.now()]
      await nextTurn()
      if (admitted === before && performance.now() - since < 1) return
    }
  }

  return {
    url: urlOf(host, typeof address === 'object' && address !== null ? address : { port }),
    async close() {
      if (limits.lingers) await noneWaits()
      await new Promise<void>((resolve) => {
        closing = true
        const cutOffIdle = () => {
          open.dropSilent()
          server.close()
        }
        // The close of node:http also closes idle connections. That of node:net only stops accepting.
        SocketServer.prototype.close.call(server, () => {
          clearTimeout(bound)
          resolve()
        })
        if (limits.lingers) setTimeout(cutOffIdle, limits.keepAliveTimeoutMs).unref()
        else cutOffIdle()
        const bound = setTimeout(() => server.closeAllConnections(), limits.maxCloseMs)
      })
    },
  }
}

/** How many turns of the event loop a close waits for a quiet one. */
const maxTurns = 1000

const urlOf = (host: string, { port }: Pick<AddressInfo, 'port'>) =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
