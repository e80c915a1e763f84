import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { type Latency, percentile } from '#bench'
import { runPart } from '#processes'

export interface Load {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The requests that each connection sends in turn, repeatedly. Each connection begins with a different request. */
  readonly requests: readonly LoadRequest[]
  /** The status that every answer must have. */
  readonly status: number
}

export interface LoadRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The name of a header that gets a different value in each request. */
  readonly unique?: string
}

export interface LoadResult {
  readonly perSecond: number
  readonly latency: Latency
  /** The share of one core that the load generator used. Near 1, the generator was the bottleneck. */
  readonly busy: number
}

/**
 * Sends requests to one path over kept connections, from another process. Each connection waits for the answer before
 * its next request.
 */
export function load(options: Load): Promise<LoadResult> {
  return runPart(import.meta.url, hammer, options)
}

/**
 * Sends the same bytes repeatedly, and reads only where each answer ends, so that it uses as little as possible of the
 * machine that it shares with the server.
 */
export async function hammer(options: Load): Promise<LoadResult> {
  const requests = options.requests.map((request) => requestBytes(options, request))
  const sockets = await Promise.all(Array.from({ length: options.connections }, () => connected(options.port)))
  const times: number[] = []
  const cpu = process.cpuUsage()
  const start = performance.now()
  const end = start + options.durationMs
  await Promise.all(
    sockets.map((socket, n) => {
      let turn = n
      let sentAt = start
      const next = () => {
        turn += 1
        sentAt = performance.now()
        return requests[turn % requests.length]?.() ?? Buffer.alloc(0)
      }
      return exchange(socket, next, options.status, () => {
        const now = performance.now()
        times.push(now - sentAt)
        return now < end
      })
    }),
  )
  const elapsedMs = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  return {
    perSecond: (times.length / elapsedMs) * 1000,
    latency: { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) },
    busy: (user + system) / 1000 / elapsedMs,
  }
}

const digits = 12

function requestBytes({ method, path }: Load, { headers, body = '', unique }: LoadRequest): () => Buffer {
  const fields = {
    Host: '127.0.0.1',
    ...headers,
    ...(unique !== undefined && { [unique]: `${randomUUID()}-${'0'.repeat(digits)}` }),
    ...(body !== '' && { 'Content-Length': Buffer.byteLength(body) }),
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  if (unique === undefined) return () => bytes
  const place = bytes.indexOf('0'.repeat(digits))
  let count = 0
  return () => {
    const copy = Buffer.from(bytes)
    count += 1
    copy.write(String(count).padStart(digits, '0'), place)
    return copy
  }
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Sends the requests that `next` returns, until `goOn` returns false after an answer. */
function exchange(socket: Socket, next: () => Buffer, status: number, goOn: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let head: Buffer = Buffer.alloc(0)
    /** Bytes of the body that have not arrived yet; 0 while waiting for a head. */
    let missing = 0
    const fail = (message: string) => {
      socket.destroy()
      reject(new Error(message))
    }
    socket.on('data', (chunk: Buffer) => {
      if (missing > 0) missing -= chunk.length
      else {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
        const headEnd = head.indexOf('\r\n\r\n')
        if (headEnd < 0) return
        const text = head.toString('latin1', 0, headEnd)
        if (Number(text.slice(9, 12)) !== status) return fail(`expected ${status}, got:\n${head.toString()}`)
        const length = /content-length: *(\d+)/i.exec(text)?.[1]
        if (length === undefined) return fail(`the load generator needs a Content-Length, but got:\n${text}`)
        missing = headEnd + 4 + Number(length) - head.length
        head = Buffer.alloc(0)
      }
      if (missing > 0) return
      if (goOn()) socket.write(next())
      else {
        socket.destroy()
        resolve()
      }
    })
    socket.once('error', (error) => reject(error))
    socket.once('close', () => reject(new Error('the server closed a connection')))
    socket.write(next())
  })
}
