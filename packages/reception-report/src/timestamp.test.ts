import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '../../../test/needs.js'
import { type Authority, opensslAuthority } from '../test/openssl-tsa.js'
import { createStampVerifier, createTimestamper } from './timestamp.js'

const head = hash('sha256', 'head of the chain')

const hasOpenssl = needs('openssl', 'that time stamps are requested and checked as RFC 3161 specifies')
const withOpenssl = describe.runIf(hasOpenssl)

let authority: Authority
beforeAll(async () => {
  if (hasOpenssl) authority = await opensslAuthority()
})
afterAll(() => authority?.close())

async function stamp(given = head, options: { url?: string; timeoutMs?: number; ca?: string } = {}) {
  const timestamper = createTimestamper({ url: authority.url, ...options })
  try {
    return await timestamper.stamp(given)
  } finally {
    await timestamper.close()
  }
}

const bytes =
  (content: Uint8Array, status = 200) =>
  (_: Buffer, response: ServerResponse) =>
    response.writeHead(status).end(content)

withOpenssl('a stamp', () => {
  test('is accepted by openssl for its own hash only', async () => {
    const answer = await stamp()
    expect(await authority.verify(answer, head)).toBe(true)
    expect(await authority.verify(answer, hash('sha256', 'another'))).toBe(false)
    expect(authority.lastRequest().headers['content-type']).toBe('application/timestamp-query')
  })

  test('is requested with a new nonce each time', async () => {
    await stamp()
    const { body: first } = authority.lastRequest()
    await stamp()
    expect(authority.lastRequest().body).not.toEqual(first)
  })

  test('is requested with the password of the URL as Basic authorization', async () => {
    const url = authority.url.replace('//', '//sav:p%40ss@')
    await stamp(head, { url })
    expect(authority.lastRequest().headers.authorization).toBe(`Basic ${Buffer.from('sav:p@ss').toString('base64')}`)
  })

  test('can be requested only for a SHA-256', async () => {
    for (const none of ['', head.slice(1), `${head}0`, head.toUpperCase()])
      await expect(stamp(none)).rejects.toThrow(RangeError)
  })
})

withOpenssl('a request for a timestamp fails for an answer', () => {
  const cases: readonly (readonly [string, RegExp, (query: Buffer, response: ServerResponse) => unknown])[] = [
    [
      'with a refusal',
      /refused: status 2/,
      async (query, response) => response.end(await authority.reply(query.subarray(0, 20))),
    ],
    [
      'for another hash',
      /for another hash/,
      async (query, response) => {
        const other = Buffer.from(query)
        const at = other.indexOf(Buffer.from(head, 'hex'))
        other.writeUInt8(other.readUInt8(at) ^ 1, at)
        response.end(await authority.reply(other))
      },
    ],
    [
      'to an earlier request',
      /its nonce differs/,
      async (query, response) => {
        const replayed = Buffer.from(query)
        // Changes the last byte of the nonce, which comes before the three bytes of certReq.
        replayed.writeUInt8(replayed.readUInt8(replayed.length - 4) ^ 1, replayed.length - 4)
        response.end(await authority.reply(replayed))
      },
    ],
    ['that is HTML', /not an RFC 3161 response/, bytes(Buffer.from('<html>hello</html>'))],
    [
      'that is cut off',
      /not an RFC 3161 response/,
      async (query, response) => response.end((await authority.reply(query)).subarray(0, 200)),
    ],
    ['that is empty', /not an RFC 3161 response/, bytes(Buffer.alloc(0))],
    ['with an error status', /answered 503/, bytes(Buffer.from('busy'), 503)],
    ['that redirects', /answered 302/, bytes(Buffer.alloc(0), 302)],
    [
      'that never ends',
      /more than 65536 bytes/,
      (_, response) => {
        const more = () => {
          while (response.write(Buffer.alloc(10_000)));
        }
        response.on('drain', more)
        more()
      },
    ],
  ]
  test.each(cases)('%s', async (_, error, answer) => {
    authority.answerWith(answer)
    await expect(stamp()).rejects.toThrow(error)
  })

  test('that does not come in time', async () => {
    authority.answerWith(() => {})
    const startedAt = performance.now()
    await expect(stamp(head, { timeoutMs: 200 })).rejects.toThrow('did not answer within 0.2 s')
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })

  test('that arrives byte by byte, without end', async () => {
    authority.answerWith((_, response) => {
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
    })
    await expect(stamp(head, { timeoutMs: 200 })).rejects.toThrow('did not answer within 0.2 s')
  })

  test('that never comes, since nothing listens at the address', async () => {
    await expect(stamp(head, { url: 'http://127.0.0.1:1/' })).rejects.toThrow('cannot be reached')
  })
})

withOpenssl('a stored stamp', () => {
  let token: Buffer
  let other: Authority
  beforeAll(async () => {
    other = await opensslAuthority()
    authority.answerWith(async (query, response) => response.end(await authority.reply(query)))
    token = Buffer.from(await stamp())
  })
  afterAll(() => other.close())

  test('is valid for its hash, with or without the configured authority', async () => {
    expect(await createStampVerifier().check(token, head)).toBeNull()
    for (const ca of [authority.certificate, `${other.certificate}\n${authority.certificate}`])
      expect(await createStampVerifier({ ca }).check(token, head)).toBeNull()
  })

  test('is invalid for another hash, and from an unconfigured authority', async () => {
    const another = hash('sha256', 'another')
    expect(await createStampVerifier().check(token, another)).toMatch(/for another hash/)
    const stranger = createStampVerifier({ ca: other.certificate })
    expect(await stranger.check(token, head)).toMatch(/not signed by a configured authority/)
  })

  test('is invalid with any byte of its content or signature changed', async () => {
    const verifier = createStampVerifier({ ca: authority.certificate })
    const says = token.indexOf(Buffer.from(head, 'hex'))
    const places = [says, says + 31, says + 40, token.length - 1, token.length - 100, token.length - 255]
    for (const at of places) {
      const changed = Buffer.from(token)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      expect(await verifier.check(changed, head)).toEqual(expect.any(String))
      expect(await createStampVerifier().check(changed, head)).toEqual(expect.any(String))
    }
    expect(await verifier.check(Buffer.alloc(0), head)).toMatch(/not an RFC 3161 response/)
  })

  test('is refused on arrival with a broken signature, or from an unconfigured authority', async () => {
    authority.answerWith(async (query, response) => {
      const answer = await authority.reply(query)
      answer.writeUInt8(answer.readUInt8(answer.length - 1) ^ 1, answer.length - 1)
      response.end(answer)
    })
    await expect(stamp()).rejects.toThrow('the signature of the timestamp does not match')
    authority.answerWith(async (query, response) => response.end(await authority.reply(query)))
    await expect(stamp(head, { ca: other.certificate })).rejects.toThrow('not signed by a configured authority')
    expect(await authority.verify(await stamp(head, { ca: authority.certificate }), head)).toBe(true)
  })

  test.each(['', 'no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
    'needs a certificate as authority: %j',
    (ca) => {
      expect(() => createStampVerifier({ ca })).toThrow(
        /^the certificate of the timestamp authority must be in PEM format$/,
      )
      expect(() => createTimestamper({ url: authority.url, ca })).toThrow(RangeError)
    },
  )
})

test.each(['', 'tsa.example', 'ftp://user:hunter2@tsa.example'])('a malformed URL is refused: %j', (url) => {
  expect(() => createTimestamper({ url })).toThrow(/^the URL of the timestamp authority must be http or https$/)
})
