import { seededRandom } from '@sav/core/testing'
import { requestHead } from './raw-socket.js'

/** What a caller of the service knows: a key, and a body that would create a case. */
export interface Insider {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** Bytes for one connection, none of which may change anything. */
export interface MalformedRequest {
  readonly kind: string
  readonly bytes: Buffer
}

interface Chance {
  /** 0 … n − 1 */
  below(n: number): number
  of<T>(choices: readonly [T, ...T[]]): T
}

function chanceOf(seed: number): Chance {
  const random = seededRandom(seed)
  const below = (n: number) => Buffer.from(random(4)).readUInt32LE() % n
  return { below, of: (choices) => choices[below(choices.length)] ?? choices[0] }
}

type Writer = (chance: Chance, insider: Insider) => Buffer

const latin1 = (text: string) => Buffer.from(text, 'latin1')

/** A request that would create a case. @param length the declared length */
function post({ headers, body }: Insider, length = Buffer.byteLength(JSON.stringify(body))): Buffer {
  const framing = { ...headers, connection: 'close', 'content-length': String(length) }
  return latin1(requestHead('POST', '/api/v1/sav', framing) + JSON.stringify(body))
}

/** Bytes that the service reads as one request, and another server perhaps as two. */
function framed(insider: Insider, headers: readonly string[], body: string): Buffer {
  const { authorization = '', 'x-request-timestamp': time = '' } = insider.headers
  const lines = ['host: api.test', `authorization: ${authorization}`, `x-request-timestamp: ${time}`, ...headers]
  return latin1(`POST /api/v1/sav HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

const kinds: Readonly<Record<string, Writer>> = {
  'a body shorter than declared': (chance, insider) =>
    post(insider, JSON.stringify(insider.body).length + 1 + chance.below(1000)),
  'two bodies': (chance, insider) =>
    framed(
      insider,
      ['content-type: application/json', ...chance.of(smuggling)],
      `${chance.of(['0\r\n\r\n', '5\r\nabcde\r\n0\r\n\r\n', '{}', ''])}${post(insider).toString('latin1')}`,
    ),
  'chunks that are none': (chance, insider) => {
    const size = chance.of(['zz', '-1', 'ffffffffffffffffff', '0x5', ' 5', '5;\n', '+5', ''])
    const headers = ['content-type: application/json', 'transfer-encoding: chunked']
    return framed(insider, headers, `${size}\r\n{}\r\n0\r\n\r\n`)
  },
  'a path': (chance, insider) => {
    const path = chance.of([
      '/api/v1/sav/%00',
      '/api/v1/sav/1%2f..%2f2',
      '/api/v1/sav/%c0%ae%c0%ae',
      '/api/v1/../v1/sav/__proto__',
      '/api/v1/sav/9007199254740993',
      '/api/v1/sav?__proto__=1&constructor=2',
      '/api/v1/sav?limite=1&limite=2',
      '/api/v1/sav?limite[]=1',
      '/api/v1/sav?%zz=%ff&=&&==',
      `/api/v1/sav?recherche=${'%f0%9f%aa%9a'.repeat(300)}`,
      `/${'a/'.repeat(4000)}`,
      '*',
      'http://[::1',
      'sav',
    ])
    const method = chance.of(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])
    return latin1(requestHead(method, path, { ...insider.headers, connection: 'close' }))
  },
  'a header': (chance, insider) => {
    const line = chance.of([
      'x-request-timestamp: 1',
      'authorization: Bearer x',
      'bad header',
      ': no name',
      'a\0b: c',
      'x: \x01\x02',
      'x: \xff\xfe',
      'h\xe9: x',
      ' folded: x',
      'x:\n y',
      `x: ${'x'.repeat(20_000)}`,
      'content-length: 1\r\ncontent-length: 1',
      'host: a\r\nhost: b',
      'expect: miracles',
      'connection: upgrade\r\nupgrade: websocket',
      'connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAARAAAAAAAIAAAAA',
    ])
    const { authorization = '' } = insider.headers
    return latin1(
      `GET /api/v1/sav HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\n${line}\r\nconnection: close\r\n\r\n`,
    )
  },
  'a first line': (chance) =>
    latin1(
      `${chance.of(['GET /', 'get / HTTP/1.1', 'GET  / HTTP/1.1', 'GET / HTTP/3.0', 'PRI * HTTP/2.0', '\r\n\r\n\r\n', 'GET /\0 HTTP/1.1', '\x16\x03\x01\x02\0\x01'])}\r\n\r\n`,
    ),
  noise: (chance) => Buffer.from(Array.from({ length: 1 + chance.below(2000) }, () => chance.below(256))),
}

/** Pairs of framing headers about which two readers may disagree. */
const smuggling: readonly [readonly string[], ...(readonly string[])[]] = [
  ['content-length: 4', 'transfer-encoding: chunked'],
  ['transfer-encoding: chunked', 'content-length: 4'],
  ['content-length: 2', 'content-length: 400'],
  ['content-length: 2, 400'],
  ['content-length: +2'],
  ['content-length: 0x2'],
  ['content-length: 2 2'],
  ['content-length: -1'],
  ['transfer-encoding: chunked', 'transfer-encoding: identity'],
  ['transfer-encoding: xchunked'],
  ['transfer-encoding: identity, chunked, identity'],
  ['transfer-encoding : chunked'],
  ['transfer-encoding:\n chunked'],
  ['transfer-encoding: chunked\x0b'],
  ['content-length: 2\rx: y'],
]

const names = Object.keys(kinds)

/** A random malformed request: the same bytes for the same seed. */
export function malformed(seed: number, insider: Insider): MalformedRequest {
  const chance = chanceOf(seed)
  const kind = names[seed % names.length] ?? ''
  return { kind, bytes: kinds[kind]?.(chance, insider) ?? Buffer.alloc(0) }
}
