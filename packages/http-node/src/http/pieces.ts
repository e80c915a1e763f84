import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { codingFor } from './accept.js'
import { type ApiRequest, type ApiResponse, headerOf } from './exchange.js'
import { clientLeft } from './failures.js'
import { worthCoding } from './representation.js'

/** A body produced while it is sent: each piece is produced when the client has taken the previous one. */
export type Pieces = AsyncGenerator<Uint8Array, void, void>

/** A body up to this length is sent as a whole: with its length, its tag, and in the caller's preferred coding. */
export const maxWholeBytes = 256 * 1024

/** The same answer, as a whole if it turns out to be short. @throws when the client has disconnected */
export async function wholeWhenShort(request: ApiRequest, response: ApiResponse): Promise<ApiResponse> {
  const { pieces, ...answer } = response
  if (pieces === undefined) return response
  const { signal } = request
  const first: Uint8Array[] = []
  for (let bytes = 0; bytes <= maxWholeBytes; ) {
    const { done, value } = await inSmallHeap(() => pieces.next())
    if (done) return { ...answer, body: Buffer.concat(first) }
    first.push(value)
    bytes += value.length
    if (signal?.aborted) {
      await pieces.return()
      throw clientLeft()
    }
  }
  if (request.method === 'HEAD') await pieces.return()
  return { ...answer, pieces: continued(first, pieces) }
}

async function* continued(first: Uint8Array[], others: Pieces): Pieces {
  try {
    for (let piece = first.shift(); piece !== undefined; piece = first.shift()) yield piece
    for (;;) {
      const { done, value } = await inSmallHeap(() => others.next())
      if (done) return
      yield value
    }
  } finally {
    await others.return()
  }
}

/** With this many pieces in progress at once, V8 should collect garbage early. */
const many = 4
let underWay = 0

/**
 * Makes V8 save memory while `many` of these run: 25 concurrent exports of 44 MB then take 80 MB more than an idle
 * process, instead of 170, but up to three times the CPU time. As a permanent setting, every other call would take 50 %
 * more CPU time.
 */
async function inSmallHeap<T>(make: () => Promise<T>): Promise<T> {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  underWay += 1
  if (underWay === many) setFlagsFromString('--optimize-for-size')
  try {
    return await make()
  } finally {
    if (underWay === many) setFlagsFromString('--no-optimize-for-size')
    underWay -= 1
  }
}

/** Compresses a long text by gzip, if the caller accepts it. Brotli would take some megabytes of memory per answer. */
export function zippedOnTheWay(request: ApiRequest, { pieces, ...answer }: ApiResponse): ApiResponse {
  if (pieces === undefined) return answer
  if (
    !worthCoding.test(headerOf(answer, 'Content-Type') ?? '') ||
    codingFor(request.header('accept-encoding'), ['gzip']) === undefined
  )
    return { ...answer, pieces }
  const headers = [...answer.headers, 'Content-Encoding', 'gzip']
  const { createGzip } = process.getBuiltinModule('node:zlib')
  return { ...answer, headers, pieces: through(pieces, createGzip()) }
}

/** Passes the pieces through `transform`, in a thread of the platform, at the reader's pace. */
async function* through(pieces: AsyncIterable<Uint8Array>, transform: Transform): Pieces {
  const source = Readable.from(pieces, { objectMode: true, highWaterMark: 1 })
  // Errors are ignored here, since they also reach the reader of the transform.
  const piped = pipeline(source, transform).catch(() => {})
  try {
    yield* transform
  } finally {
    transform.destroy()
    await piped
  }
}

interface Watcher {
  /** Called at the end, with the number of bytes taken. */
  readonly answered: (bytes: number) => void
  readonly failed: (error: unknown) => void
}

/** The same pieces. An error cuts the answer off, and is reported to the watcher. */
export async function* watched(pieces: Pieces, { answered, failed }: Watcher): Pieces {
  let bytes = 0
  try {
    for await (const piece of pieces) {
      bytes += piece.length
      yield piece
    }
  } catch (error) {
    failed(error)
    throw error
  } finally {
    answered(bytes)
  }
}
