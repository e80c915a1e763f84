import { type IncomingMessage, request } from 'node:http'
import { type Api, type ApiRequest, type ApiResponse, type Listener, listen } from '../../http-node/src/index.js'
import type { Console } from '../src/console.js'

/** The seed for random delays of calls and pages; unset: no delays. */
const { SAV_TEST_SLOW: seed } = process.env
let state = Number(seed ?? 0)

/** A random number from 0 to 1 (Mulberry32); null without a seed. */
export function slowness(): number | null {
  if (seed === undefined) return null
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** Waits before a call or its answer: mostly a short time, and sometimes so long that other calls overtake this one. */
export async function pause(): Promise<void> {
  const slow = slowness()
  if (slow !== null) await new Promise((resolve) => setTimeout(resolve, 400 * slow ** 3))
}

/** Serves the built pages, and passes other calls on to the service, all at one address. */
export function openDoor(pages: Console, service: () => string): Promise<Listener> {
  const api: Api = async (call) => {
    await pause()
    const isPage = call.target.startsWith('/app') && !call.target.startsWith('/app/session/')
    const answer = await (isPage ? pages(call) : passedOn(call, service()))
    await pause()
    return answer
  }
  return listen(api, { host: '127.0.0.1', port: 0 })
}

const passedHeaders = [
  'host',
  'origin',
  'cookie',
  'sec-fetch-site',
  'x-sav-console',
  'content-type',
  'content-range',
  'if-none-match',
  'x-request-timestamp',
  'if-match',
  'last-event-id',
  'idempotency-key',
  'accept',
  'user-agent',
]

async function passedOn(call: ApiRequest, service: string): Promise<ApiResponse> {
  const headers: Record<string, string> = {}
  for (const name of passedHeaders) {
    const value = call.header(name)
    if (value !== undefined) headers[name] = value
  }
  const body = await call.readBody({ maxBytes: 80_000_000, maxMs: Number.POSITIVE_INFINITY, hold: () => true })
  if (body !== null && body.length > 0) headers['content-length'] = String(body.length)
  return new Promise((resolve, reject) => {
    const sent = request(`${service}${call.target}`, { method: call.method, headers }, (answer) => {
      const { 'content-type': type = '' } = answer.headers
      if (type === 'text/event-stream') return resolve(streamed(answer, type))
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const kept = answer.rawHeaders.flatMap((name, i, all) =>
          i % 2 === 0 && !/^(connection|keep-alive|transfer-encoding)$/i.test(name) ? [name, all[i + 1] ?? ''] : [],
        )
        resolve({ status: answer.statusCode ?? 0, headers: kept, body: Buffer.concat(chunks) })
      })
    })
    sent.on('error', reject)
    sent.end(body ?? '')
  })
}

/** A streamed answer, passed on piece by piece. */
const streamed = (answer: IncomingMessage, type: string): ApiResponse => ({
  status: answer.statusCode ?? 0,
  headers: ['Content-Type', type],
  body: '',
  stream(sink) {
    answer.setEncoding('utf8').on('data', (text: string) => sink.write(text))
    answer.on('close', () => sink.end())
    return () => answer.destroy()
  },
})
