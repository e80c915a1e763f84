import type { IncomingHttpHeaders } from 'node:http'
import { answeredCode, failures, type OwnLimitError } from '@sav/core/adapter'
import type { SendResult } from '@sav/core/ports'
import type { Dispatcher } from 'undici'
import { ownLimitOf } from './own-limits.js'
import { ProxyAwayError } from './proxy-tunnels.js'
import { type SendError, sendErrorOf } from './send-error.js'

const maxKeptBytes = 16 * 1024

/** How many headers of the answer are kept, and how many characters in total. */
const maxKeptHeaders = 64
const maxKeptHeaderLength = 8 * 1024

interface AnswerHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/** Errors that are not the receiver's fault: nothing was sent. */
type OurFault = ProxyAwayError | OwnLimitError

/** One request, until its outcome is decided. The rest of the exchange is aborted. */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly #startedAt = performance.now()
  readonly #timeoutMs: number
  readonly #settle: (result: SendResult | OurFault) => void
  #settled = false
  #controller: Dispatcher.DispatchController | undefined
  #head: AnswerHead | null = null
  readonly #chunks: Buffer[] = []
  #length = 0

  constructor(timeoutMs: number, settle: (result: SendResult | OurFault) => void) {
    this.#timeoutMs = timeoutMs
    this.#settle = settle
  }

  /** Settles before it aborts, because an abort does not reach a request that waits for its connection. */
  endIfLate(now: number): void {
    if (now - this.#startedAt < this.#timeoutMs) return
    if (this.#head !== null) this.#answered(this.#head)
    else this.fail({ code: 'timeout', unreachable: true }, ` after ${Math.round(this.#timeoutMs / 100) / 10} s`)
    this.#cutOff()
  }

  /** @param more is appended to the code's sentence */
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
    // A 1xx is not the answer yet.
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
    else this.failBy(error)
  }

  failBy(error: unknown): void {
    const fault = ownLimitOf(error) ?? (error instanceof ProxyAwayError ? error : null)
    if (fault === null) this.fail(sendErrorOf(error))
    else this.#giveUp(fault)
  }

  #giveUp(error: OurFault): void {
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
        : // As a stream, which omits a character that was cut.
          new TextDecoder().decode(whole.subarray(0, maxKeptBytes), { stream: true })
    // No database stores NUL in text.
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

const cutOff = new Error('the rest of the answer is not needed')

/** The kept names and values. */
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
