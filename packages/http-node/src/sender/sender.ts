import type { IncomingHttpHeaders } from 'node:http'
import type { LookupFunction } from 'node:net'
import {
  type AddressRule,
  addressRule,
  answeredCode,
  failures,
  isRefusedHost,
  type ReceiverPolicy,
} from '@sav/core/internal'
import type { HttpSender, SendResult } from '@sav/core/ports'
import { Agent, type Dispatcher, Pool, ProxyAgent } from 'undici'
import { AddressRefusedError, guardedConnector } from './address-guard.js'
import { ProxyAwayError, throughProxy } from './proxy-tunnels.js'
import { type SendError, sendErrorOf } from './send-error.js'

/** How webhooks go out. */
export interface SenderOptions extends ReceiverPolicy {
  /** Value of the `User-Agent` header. */
  readonly userAgent: string
  /** Which addresses are called, instead of what `allowLocal` and `allowCidrs` say. */
  readonly isAllowed?: AddressRule
  /**
   * URL of an http proxy through which every connection is opened (CONNECT). The proxy itself may be anywhere. A
   * receiver whose URL names an address is still checked here; a name is resolved by the proxy, out of our sight, so
   * that refusing private addresses behind names is the proxy's task then.
   */
  readonly proxy?: string | null
  /** Connections to one origin at the same time; what is over waits, within its deadline. 256 by default. */
  readonly maxConnectionsPerOrigin?: number
  /** What resolves names; the system's resolver by default. */
  readonly lookup?: LookupFunction
}

const maxKeptBytes = 16 * 1024

/** How many headers of the answer are kept, and how many characters in all. */
const maxKeptHeaders = 64
const maxKeptHeaderLength = 8 * 1024

/** Bun replaces undici by a module of its own, which does not ask which addresses may be connected to. */
const notOnBun =
  '@sav/http-node serves on Node and Deno: on Bun, nothing would check the addresses that webhooks go to. Webhooks are received on Bun as anywhere, with @sav/webhook-verify.'

/** How late an attempt may be ended. */
const tickMs = 50

/** A connection attempt that outlived every attempt that waited for it. */
const connectTimeoutMs = 10_000

/** A proxy is near: one that does not answer must show within an attempt (undici is up to a second late). */
const proxyConnectTimeoutMs = 2000

/**
 * Posts over undici, with connections kept alive and let go when idle. Stop its users before you close it: a call that is
 * still under way fails.
 * @throws RangeError for a malformed CIDR or proxy
 * @throws Error on Bun
 */
export function createSender(options: SenderOptions): HttpSender {
  if (process.versions['bun'] !== undefined) throw new Error(notOnBun)
  const { userAgent, proxy = null } = options
  const isAllowed = options.isAllowed ?? addressRule(options)
  const agent = agentFor(options, isAllowed)

  const underWay = new Set<Attempt>()
  let ticking: NodeJS.Timeout | undefined

  function tick(): void {
    const now = performance.now()
    for (const attempt of underWay) attempt.endIfLate(now)
    if (underWay.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }

  return {
    post({ url, headers, body, timeoutMs }) {
      return new Promise((resolve, reject) => {
        const attempt = new Attempt(timeoutMs, (result) => {
          underWay.delete(attempt)
          if (result instanceof ProxyAwayError) reject(result)
          else resolve(result)
        })
        underWay.add(attempt)
        ticking ??= setInterval(tick, tickMs)
        try {
          const { origin, hostname, pathname, search } = new URL(url)
          // Through a proxy there is no connection of our own to check it in.
          if (proxy !== null && isRefusedHost(hostname, isAllowed)) throw new AddressRefusedError()
          const sent = { ...headers, 'User-Agent': userAgent }
          agent.dispatch({ origin, path: pathname + search, method: 'POST', headers: sent, body }, attempt)
        } catch (error) {
          attempt.fail(sendErrorOf(error))
        }
      })
    },
    close: () => agent.destroy(),
  }
}

function agentFor(options: SenderOptions, isAllowed: AddressRule): Dispatcher {
  const { proxy = null, maxConnectionsPerOrigin = 256, lookup } = options
  const shared = {
    connections: maxConnectionsPerOrigin,
    allowH2: false,
    pipelining: 1,
    // The deadline below is the only one: undici's own fire up to a second late, and restart with every byte.
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  if (proxy === null)
    return new Agent({ ...shared, connect: guardedConnector({ isAllowed, connectTimeoutMs, lookup }) })
  if (!/^https?:$/.test(URL.parse(proxy)?.protocol ?? '')) throw new RangeError('a proxy has an http or https URL')
  const tls = { allowH2: false, timeout: connectTimeoutMs }
  const proxyTls = { allowH2: false, timeout: proxyConnectTimeoutMs }
  return new ProxyAgent({
    ...shared,
    uri: proxy,
    proxyTunnel: true,
    proxyTls,
    requestTls: tls,
    // Without this limit a proxy that accepts and says nothing would hold its calls for five minutes.
    clientFactory: (origin, given) =>
      new Pool(origin, { ...given, headersTimeout: connectTimeoutMs }).compose(throughProxy),
  })
}

interface AnswerHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/** One request, from its start to the first thing that decides it; what comes after that is cut off. */
class Attempt implements Dispatcher.DispatchHandler {
  readonly #startedAt = performance.now()
  readonly #timeoutMs: number
  readonly #settle: (result: SendResult | ProxyAwayError) => void
  #settled = false
  #controller: Dispatcher.DispatchController | undefined
  #head: AnswerHead | null = null
  readonly #chunks: Buffer[] = []
  #length = 0

  constructor(timeoutMs: number, settle: (result: SendResult | ProxyAwayError) => void) {
    this.#timeoutMs = timeoutMs
    this.#settle = settle
  }

  /** Settles first and aborts then: an abort does not reach a request that still waits for its connection. */
  endIfLate(now: number): void {
    if (now - this.#startedAt < this.#timeoutMs) return
    if (this.#head !== null) this.#answered(this.#head)
    else this.fail({ code: 'timeout', unreachable: true }, ` after ${Math.round(this.#timeoutMs / 100) / 10} s`)
    this.#cutOff()
  }

  /** @param more what the words of the code end with */
  fail({ code: errorCode, unreachable }: SendError, more = ''): void {
    const error = failures[errorCode].words + more
    this.#end({ ok: false, status: null, error, errorCode, unreachable, responseHeaders: null, response: null })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#settled) this.#cutOff()
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.endIfLate(performance.now())
    // 1xx: the answer is still to come.
    if (status >= 200) this.#head = { status, headers }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#length <= maxKeptBytes || this.#head === null) return
    this.#answered(this.#head)
    this.#cutOff()
  }

  onResponseEnd(): void {
    if (this.#head !== null) this.#answered(this.#head)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#head !== null) this.#answered(this.#head)
    else if (error instanceof ProxyAwayError) this.#giveUp(error)
    else this.fail(sendErrorOf(error))
  }

  #giveUp(error: ProxyAwayError): void {
    if (this.#settled) return
    this.#settled = true
    this.#settle(error)
  }

  #answered({ status, headers }: AnswerHead): void {
    const ok = status < 300
    this.#end({
      ok,
      status,
      error: ok ? null : `answered ${status}${status < 400 ? ': redirects are not followed' : ''}`,
      errorCode: ok ? null : answeredCode(status),
      unreachable: false,
      responseHeaders: flat(headers),
      response: this.#text(),
    })
  }

  #text(): string {
    if (this.#length === 0) return ''
    const [first = Buffer.alloc(0)] = this.#chunks
    const whole = this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
    const text =
      this.#length <= maxKeptBytes
        ? whole.toString('utf8')
        : // As a stream: the character that the cut goes through is left out.
          new TextDecoder().decode(whole.subarray(0, maxKeptBytes), { stream: true })
    // No database keeps a NUL in text.
    return text.replaceAll('\0', '\ufffd')
  }

  #end(result: Omit<SendResult, 'durationMs'>): void {
    if (this.#settled) return
    this.#settled = true
    this.#settle({ ...result, durationMs: Math.round(performance.now() - this.#startedAt) })
  }

  #cutOff(): void {
    this.#controller?.abort(cutOff)
  }
}

const cutOff = new Error('the rest is not needed')

/** Names and values, as many as are kept. */
function flat(headers: IncomingHttpHeaders): Record<string, string> {
  const entries: [string, string][] = []
  let left = maxKeptHeaderLength
  for (const [name, value = ''] of Object.entries(headers)) {
    if (entries.length === maxKeptHeaders || left <= name.length) break
    left -= name.length
    const text = (Array.isArray(value) ? value.join(', ') : value).slice(0, left)
    left -= text.length
    entries.push([name, text])
  }
  return Object.fromEntries(entries)
}
