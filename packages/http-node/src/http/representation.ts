import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { type Coding, codingFor } from './accept.js'
import { type ApiRequest, type ApiResponse, headerOf } from './exchange.js'

/** Loaded at the first compression, since loading takes 5 ms. */
const zlib = () => process.getBuiltinModule('node:zlib')

const deflaters: Record<Coding, (bytes: string | Uint8Array) => Promise<Uint8Array>> = {
  br(bytes) {
    const { brotliCompress, constants } = zlib()
    // At quality 4, brotli is about as fast as gzip, and its output is smaller.
    return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
  },
  gzip: (bytes) => promisify(zlib().gzip)(bytes),
}

/** The compressed forms of bodies that are served more than once, by the uncompressed bytes. */
const deflated = new WeakMap<Uint8Array, Map<Coding, Promise<Uint8Array>>>()

function deflate(body: string | Uint8Array, coding: Coding): Promise<Uint8Array> {
  if (typeof body === 'string') return deflaters[coding](body)
  const known = deflated.get(body) ?? new Map<Coding, Promise<Uint8Array>>()
  deflated.set(body, known)
  const found = known.get(coding) ?? deflaters[coding](body)
  known.set(coding, found)
  return found
}

/** For a shorter body, compression costs more than it saves. */
const minCodedBytes = 1024

/** The media types that compress well. */
export const worthCoding = /^(application\/(problem\+)?json|text\/)/

/** The answer in the caller's preferred coding. */
export async function coded(request: ApiRequest, response: ApiResponse): Promise<ApiResponse> {
  if (response.body.length < minCodedBytes || !worthCoding.test(headerOf(response, 'Content-Type') ?? ''))
    return response
  const coding = codingFor(request.header('accept-encoding'))
  if (coding === undefined) return response
  const { status, headers, body } = response
  // Other bytes need another strong tag (RFC 9110 §8.8.3); `bareTag` removes the coding again.
  const tagged = headers.map((text, i) => (headers[i - 1] === 'ETag' ? text.replace(/"$/, `-${coding}"`) : text))
  return { status, headers: [...tagged, 'Content-Encoding', coding], body: await deflate(body, coding) }
}

/** The ETag without the encoding that `coded` has added. */
export const bareTag = (tag: string): string => tag.replace(/-(br|gzip)"$/, '"')

/** A successful read with its tag; 304 without a body if the caller already has it. */
export function validated(request: ApiRequest, response: ApiResponse): ApiResponse {
  const { status, headers, body } = response
  const known = request.header('if-none-match')
  let tag = headerOf(response, 'ETag')
  if (tag === undefined) {
    tag = `"${hash('sha256', body).slice(0, 32)}"`
    headers.push('ETag', tag)
  }
  if (known === undefined || !isAmong(known, tag)) return { status, headers, body }
  const kept = headers.filter((_, i) => !/^Content-/.test(headers[i - (i % 2)] ?? ''))
  return { status: 304, headers: kept, body: '' }
}

/** Compared weakly (RFC 9110 §13.1.2). */
function isAmong(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.split(',').some((entry) => {
    const text = entry.trim()
    return text === '*' || bareTag(text.replace(/^W\//, '')) === tag
  })
}
