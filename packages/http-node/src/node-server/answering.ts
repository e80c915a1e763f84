import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Api, ApiResponse, Stream } from '../http/exchange.js'
import type { Pieces } from '../http/pieces.js'
import type { ListenerLimits } from './limits.js'
import { answerToNoCall } from './no-call.js'
import { drain, hasBody, NodeRequest } from './node-request.js'

export interface RequestAnswerer {
  answer(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): void
  /** Connections whose last answer is already written, with the function that ends each. */
  readonly ending: WeakMap<Duplex, () => void>
}

export interface AnsweringDeps {
  readonly limits: Pick<ListenerLimits, 'minSpeed' | 'maxDrainBytes' | 'maxDrainMs' | 'maxDrainPauseMs'>
  /** Whether an answer must be the last of its connection. */
  readonly isClosing: () => boolean
}

/** How requests of a node:http server, ours or the host's, are answered. */
export function answering(api: Api, { limits, isClosing }: AnsweringDeps): RequestAnswerer {
  const { minSpeed } = limits
  const ending = new WeakMap<Duplex, () => void>()

  function finish(req: IncomingMessage, res: ServerResponse, answer: ApiResponse, sendsRest: boolean): void {
    if (answer.stream !== undefined) open(res, answer, answer.stream)
    else if (answer.pieces !== undefined)
      sendPieces(res, answer, answer.pieces).catch(() => {
        // `watched` has reported the error. The client sees that the answer is incomplete.
        res.destroy()
      })
    else if (req.complete || !hasBody(req)) send(res, answer)
    // Waits a turn of the event loop, since a body that arrived with the headers is parsed by then.
    else setImmediate(() => (req.complete ? send(res, answer) : drainAndSend(req, res, answer, sendsRest)))
  }

  function send(res: ServerResponse, { status, headers, body }: ApiResponse): void {
    if (isClosing()) headers.push('Connection', 'close')
    res.writeHead(status, headers).end(body)
    endWhenSlow(res, body.length)
  }

  /**
   * Each piece is produced when the client has taken the previous ones. If the client disconnects or is too slow, the
   * rest is not produced.
   */
  async function sendPieces(res: ServerResponse, { status, headers }: ApiResponse, pieces: Pieces): Promise<void> {
    // The rest of the request's body is not read, so the connection cannot be used again.
    if (isClosing() || !res.req.complete) headers.push('Connection', 'close')
    if (!res.destroyed) res.writeHead(status, headers)
    for await (const piece of pieces) {
      if (res.destroyed) break
      if (!res.write(piece)) await taken(res)
    }
    res.end()
  }

  async function taken(res: ServerResponse): Promise<void> {
    const patienceMs = minSpeed.graceMs + (res.writableLength / minSpeed.bytesPerSecond) * 1000
    const timer = setTimeout(() => res.destroy(), patienceMs)
    await new Promise<void>((resolve) => {
      const done = () => {
        res.off('drain', done).off('close', done)
        resolve()
      }
      res.on('drain', done).on('close', done)
      if (res.destroyed) done()
    })
    clearTimeout(timer)
  }

  /** A stream is the last answer of its connection. */
  function open(res: ServerResponse, { status, headers }: ApiResponse, stream: Stream): void {
    if (res.destroyed) return
    res.writeHead(status, [...headers, 'Connection', 'close']).flushHeaders()
    const leave = stream({
      write(text) {
        res.write(text)
        return res.writableLength
      },
      end: () => res.end(),
      cut: () => res.destroy(),
    })
    res.once('close', leave)
  }

  /**
   * Destroys the connection of a client that reads a large answer too slowly. The kernel accepts a small one at once.
   */
  function endWhenSlow(res: ServerResponse, bytes: number): void {
    if (bytes < 64 * 1024) return
    const patienceMs = minSpeed.graceMs + (bytes / minSpeed.bytesPerSecond) * 1000
    const timer = setTimeout(() => res.destroy(), patienceMs)
    res.once('close', () => clearTimeout(timer))
  }

  /**
   * Answers when the rest of the body has arrived, and keeps the connection open. nginx passes an answer on before it
   * has sent the whole body; if the connection then closed, its next call would fail. If the rest takes too long, the
   * answer is sent without waiting for it, and the connection is closed.
   * @param sendsRest false: the client waits for the answer before it sends its body
   */
  function drainAndSend(req: IncomingMessage, res: ServerResponse, answer: ApiResponse, sendsRest: boolean): void {
    const { status, headers, body } = answer
    let isSent = false
    const sendLast = () => {
      if (isSent || res.destroyed) return
      isSent = true
      res.writeHead(status, [...headers, 'Connection', 'close']).flushHeaders()
      res.write(body)
    }
    if (!sendsRest || Number(req.headers['content-length'] ?? 0) > limits.maxDrainBytes) sendLast()
    const end = drain(req, {
      bytes: limits.maxDrainBytes,
      // The client was already too slow.
      ms: status === 408 ? 0 : limits.maxDrainMs,
      pauseMs: limits.maxDrainPauseMs,
      paused: sendLast,
      done() {
        if (req.complete && !isSent) return send(res, answer)
        sendLast()
        res.end()
      },
    })
    ending.set(req.socket, end)
  }

  return {
    ending,
    answer(req, res, expectsContinue) {
      const host = req.headers.host
      const hostIsBad = host === undefined ? req.httpVersion === '1.1' : host.includes(',')
      const answered = hostIsBad
        ? Promise.resolve(answerToNoCall(undefined))
        : api(new NodeRequest(req, res, { expectsContinue, minSpeed }))
      answered.then(
        (answer) => finish(req, res, answer, !expectsContinue || req.readableDidRead),
        () => res.destroy(),
      )
    },
  }
}
