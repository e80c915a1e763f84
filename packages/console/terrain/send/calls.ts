import { deviceEndedCode, deviceEndedHeader } from '../api.js'
import { aheadMs } from '../sync/clock.js'

/** How to reach the service; a page uses its cookie. */
export interface Line {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>
  readonly now: () => number
}

/** How far the phone's clock is ahead of the service's, as its answers show. */
export class Clock {
  aheadMs: number
  readonly #now: () => number

  constructor(now: () => number, known = 0) {
    this.#now = now
    this.aheadMs = known
  }

  serverNow(): number {
    return this.#now() - this.aheadMs
  }

  heard(response: Response, sentAt: number): void {
    this.aheadMs = aheadMs({ date: response.headers.get('date'), sentAt, receivedAt: this.#now() }, this.aheadMs)
  }
}

/**
 * How long a call may take. A part of 256 kB takes five seconds at 50 kB/s; it still succeeds at a tenth of that speed.
 */
const maxCallMs = 90_000

/** Calls the service, with the common headers. Rejects if no answer arrives in time. */
export async function call(
  { fetch, now }: Line,
  clock: Clock,
  path: string,
  init: RequestInit & { readonly headers?: Record<string, string> } = {},
): Promise<Response> {
  const sentAt = now()
  const isWrite = init.method !== undefined && init.method !== 'GET'
  const headers = {
    'X-Sav-Console': '1',
    ...(isWrite && { 'X-Request-Timestamp': String(Math.floor(clock.serverNow() / 1000)) }),
    ...init.headers,
  }
  const response = await fetch(path, { signal: AbortSignal.timeout(maxCallMs), cache: 'no-store', ...init, headers })
  clock.heard(response, sentAt)
  return response
}

/**
 * The JSON of an answer; null if there is none. If only a header says that the office has signed this phone out, the
 * result is the code for that.
 */
export async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (response.headers.get(deviceEndedHeader.name) === deviceEndedHeader.value) return { code: deviceEndedCode }
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
