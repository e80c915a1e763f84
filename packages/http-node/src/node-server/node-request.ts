import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiRequest, BodyBudget } from '../http/exchange.js'
import { beyondBudget, bodyWasTaken, clientLeft, Refusal } from '../http/failures.js'
import { ReceivedBody } from '../http/received-body.js'

/** The minimum speed of a request body. */
export interface MinSpeed {
  /** How long a body may lag behind `bytesPerSecond`. Earlier speed gives no extra time. */
  readonly graceMs: number
  readonly bytesPerSecond: number
}

/** A request of node:http, or of a framework that has matched a part of its path. */
export type MountedRequest = IncomingMessage & { readonly originalUrl?: string; readonly baseUrl?: string }

export class NodeRequest implements ApiRequest<undefined> {
  readonly context = undefined
  readonly method: string
  readonly target: string
  readonly mount: string
  readonly #req: IncomingMessage
  readonly #res: ServerResponse
  readonly #expectsContinue: boolean
  readonly #minSpeed: MinSpeed

  constructor(
    req: MountedRequest,
    res: ServerResponse,
    { expectsContinue, minSpeed }: { readonly expectsContinue: boolean; readonly minSpeed: MinSpeed },
  ) {
    this.method = req.method ?? ''
    // Connect, Express and their successors remove their mount path from `url`.
    const { originalUrl = req.url, baseUrl = '' } = req
    this.target = originalUrl ?? ''
    this.mount = baseUrl
    this.#req = req
    this.#res = res
    this.#expectsContinue = expectsContinue
    this.#minSpeed = minSpeed
  }

  get original(): IncomingMessage {
    return this.#req
  }

  /** An IPv4 address over IPv6 is written as IPv4. */
  get ip(): string {
    const address = this.#req.socket.remoteAddress ?? ''
    return address.startsWith('::ffff:') ? address.slice(7) : address
  }

  get signal(): AbortSignal {
    const leaving = new AbortController()
    const leave = () => leaving.abort(clientLeft())
    if (this.#res.destroyed) leave()
    // `close` also fires after a complete answer, but nothing listens to the signal then.
    else this.#res.once('close', leave)
    return leaving.signal
  }

  header(name: string): string | undefined {
    const value = this.#req.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  /** Reads by events, because an async iterator costs more than the read of a small body. */
  readBody(budget: BodyBudget): Promise<Uint8Array | null> {
    const req = this.#req
    if (req.readableDidRead || req.readableEnded) return Promise.reject(bodyWasTaken())
    const { graceMs, bytesPerSecond } = this.#minSpeed
    if (this.#expectsContinue) this.#res.writeContinue()
    return new Promise((resolve, reject) => {
      const body = new ReceivedBody(budget, this.header('content-length'))
      const endsAt = performance.now() + budget.maxMs
      /** When the body times out unless more arrives. */
      let dueAt = Math.min(performance.now() + graceMs, endsAt)

      const end = (settle: () => void) => {
        clearTimeout(timer)
        clearImmediate(lastLook)
        req.off('data', collect)
        settle()
      }
      const refuse = (refusal: Refusal) =>
        end(() => {
          req.pause()
          reject(refusal)
        })
      const incomplete = () => end(() => reject(new Refusal('incomplete_body')))

      let lastLook: NodeJS.Immediate | undefined
      // First read data that arrived while this process was busy: the client was not slow.
      const checkSpeed = () => {
        lastLook = setImmediate(() => {
          const left = dueAt - performance.now()
          if (left <= 0) refuse(new Refusal('request_timeout'))
          else timer = setTimeout(checkSpeed, left)
        })
      }
      let timer = setTimeout(checkSpeed, Math.min(graceMs, budget.maxMs))

      const collect = (chunk: Buffer) => {
        dueAt = Math.min(dueAt + (chunk.length / bytesPerSecond) * 1000, performance.now() + graceMs, endsAt)
        const result = body.add(chunk)
        if (result === 'too_long')
          end(() => {
            req.pause()
            resolve(null)
          })
        else if (result === 'beyond_budget') refuse(beyondBudget())
      }

      if (req.destroyed) return incomplete()
      req
        .on('data', collect)
        .once('end', () => end(() => resolve(body.bytes)))
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

/** The unwanted rest of a body, and what happens to it. */
interface Draining {
  readonly bytes: number
  readonly ms: number
  readonly pauseMs: number
  /** Called when nothing has arrived for `pauseMs`. */
  readonly paused: () => void
  /**
   * Called once: when the body has ended, its sender has disconnected, a limit was reached, or the function that
   * `drain` returns was called.
   */
  readonly done: () => void
}

/** Reads the rest and discards it. */
export function drain(req: IncomingMessage, { bytes, ms, pauseMs, paused, done }: Draining): () => void {
  let left = bytes
  let isDone = false
  const finish = () => {
    clearTimeout(timer)
    clearTimeout(pause)
    clearImmediate(lastLook)
    if (!isDone) done()
    isDone = true
  }
  const timer = setTimeout(finish, req.destroyed ? 0 : ms)
  let lastLook: NodeJS.Immediate | undefined
  const pause = setTimeout(() => {
    // Data that arrived while this process was busy is read first.
    lastLook = setImmediate(paused)
  }, pauseMs)
  req
    .on('data', (chunk: Buffer) => {
      left -= chunk.length
      clearImmediate(lastLook)
      pause.refresh()
      if (left < 0) finish()
    })
    .once('end', finish)
    .once('error', finish)
    .once('close', finish)
    .resume()
  return finish
}
