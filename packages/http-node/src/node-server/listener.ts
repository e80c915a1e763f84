import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Api, ApiResponse } from '../api/exchange.js'
import { connections } from './connections.js'
import { answerToNoCall, asText } from './no-call.js'
import { drain, hasBody, type MinSpeed, NodeRequest } from './node-request.js'

/** What the listener allows a client to take. */
export interface ListenerLimits {
  /** From the first byte of a request, or from the connection, to the end of its headers. */
  readonly headersTimeoutMs: number
  /** Of a body: a phone on a bad line gets ten photos through, a drip is cut off when its grace is over. */
  readonly minSpeed: MinSpeed
  /** How long a connection may idle between two requests. */
  readonly keepAliveTimeoutMs: number
  /** How long nothing at all may move on a connection while its request is under way. */
  readonly maxStalledMs: number
  readonly maxHeaderBytes: number
  /** Beyond it, those without a request under way are cut off, first those that never had one. */
  readonly maxConnections: number
  /** What is still read of a refused body, so that its sender gets to read the answer. */
  readonly maxDrainBytes: number
  readonly maxDrainMs: number
  /** How long a close waits for the calls under way. */
  readonly maxCloseMs: number
}

const defaultLimits: ListenerLimits = {
  headersTimeoutMs: 10_000,
  minSpeed: { graceMs: 10_000, bytesPerSecond: 32 * 1024 },
  keepAliveTimeoutMs: 5_000,
  maxStalledMs: 60_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 10_000,
  maxDrainBytes: 128 * 1024 * 1024,
  maxDrainMs: 10_000,
  maxCloseMs: 10_000,
}

export interface ListenOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  readonly limits?: Partial<ListenerLimits>
}

export interface Listener {
  /** `http://127.0.0.1:8080`, with the port that was picked. */
  readonly url: string
  /** Accepts nothing more, lets the calls under way finish within `maxCloseMs`, and resolves when no connection is left. */
  close(): Promise<void>
}

/** Answers on a node:http server. Resolves when it listens; rejects when the address cannot be had. */
export async function listen(api: Api, { host, port, limits: chosen }: ListenOptions): Promise<Listener> {
  const limits = { ...defaultLimits, ...chosen }
  const { minSpeed } = limits
  const open = connections(limits.maxConnections)
  /** Connections whose last answer is written already, with what ends them. */
  const ending = new WeakMap<Duplex, () => void>()
  let closing = false

  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    // Time says nothing about a body: its speed does.
    requestTimeout: 0,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // Node looks for timed-out requests at this interval only; its default is 30 s.
    connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs),
    maxHeaderSize: limits.maxHeaderBytes,
    // A second Authorization or Content-Type must be seen, and refused, not dropped.
    joinDuplicateHeaders: true,
    // Checked below, to answer in our own words.
    requireHostHeader: false,
  })
  server.setTimeout(limits.maxStalledMs)

  function handle(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): void {
    open.asked(req.socket)
    res.once('close', () => open.answered(req.socket))
    const host = req.headers.host
    const hostIsBad = host === undefined ? req.httpVersion === '1.1' : host.includes(',')
    const answered = hostIsBad
      ? Promise.resolve(answerToNoCall(undefined))
      : api(new NodeRequest(req, res, { expectsContinue, minSpeed }))
    answered.then(
      (answer) => finish(req, res, answer),
      () => res.destroy(),
    )
  }

  function finish(req: IncomingMessage, res: ServerResponse, answer: ApiResponse): void {
    if (req.complete || !hasBody(req)) send(res, answer)
    // By the next turn, what came along with the headers is parsed: a short body is no reason to close the connection.
    else setImmediate(() => (req.complete ? send(res, answer) : sendAndDrain(req, res, answer)))
  }

  function send(res: ServerResponse, { status, headers, body }: ApiResponse): void {
    if (closing) headers.push('Connection', 'close')
    res.writeHead(status, headers).end(body)
    endWhenSlow(res, body.length)
  }

  /** A kernel takes a small answer at once; of a large one, a client that reads it drop by drop would keep us. */
  function endWhenSlow(res: ServerResponse, bytes: number): void {
    if (bytes < 64 * 1024) return
    const patienceMs = minSpeed.graceMs + (bytes / minSpeed.bytesPerSecond) * 1000
    const timer = setTimeout(() => res.destroy(), patienceMs)
    res.once('close', () => clearTimeout(timer))
  }

  function sendAndDrain(req: IncomingMessage, res: ServerResponse, { status, headers, body }: ApiResponse): void {
    res.writeHead(status, [...headers, 'Connection', 'close']).flushHeaders()
    res.write(body)
    // Who was too slow already is not waited for any longer.
    const bounds = { bytes: limits.maxDrainBytes, ms: status === 408 ? 0 : limits.maxDrainMs }
    ending.set(
      req.socket,
      drain(req, bounds, () => res.end()),
    )
  }

  server.on('connection', open.admit)
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
  return {
    url: urlOf(host, typeof address === 'object' && address !== null ? address : { port }),
    close: () =>
      new Promise((resolve) => {
        closing = true
        open.dropSilent()
        const bound = setTimeout(() => server.closeAllConnections(), limits.maxCloseMs)
        server.close(() => {
          clearTimeout(bound)
          resolve()
        })
      }),
  }
}

const urlOf = (host: string, { port }: Pick<AddressInfo, 'port'>) =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`
