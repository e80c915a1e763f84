import { createServer, get } from 'node:http'
import { describe, expect, test } from 'vitest'
import { singleHeader, type WebhookHeaders } from './headers.js'

const value = 'v1,AAAA v1,BBBB'

describe('a header', () => {
  test.each<[string, WebhookHeaders]>([
    ['Web Headers', new Headers({ Host: 'localhost', 'Webhook-Signature': value })],
    ['an object with names in lower case, as Node has it', { host: 'localhost', 'webhook-signature': value }],
    ['an object with names in another case', { 'Webhook-Signature': value }],
    ['an object with a list of one', { 'webhook-signature': [value] }],
    ['an object that also has it as undefined', { 'Webhook-Signature': undefined, 'webhook-signature': value }],
    ['an object without a prototype', Object.assign(Object.create(null), { 'webhook-signature': value })],
    ['a list of pairs', [['WEBHOOK-SIGNATURE', value]]],
    ['a Map', new Map([['webhook-signature', value]])],
  ])('is found in %s', (_shape, headers) => {
    expect(singleHeader(headers, 'webhook-signature')).toBe(value)
  })

  test.each<[string, WebhookHeaders]>([
    ['Web Headers', new Headers({ 'webhook-signatures': value })],
    ['an object', { 'webhook-signatur': value }],
    ['null', { 'webhook-signature': null }],
    ['null among pairs', [['webhook-signature', JSON.parse('null')]]],
    ['a list of null', { 'webhook-signature': JSON.parse('[null]') }],
    ['an empty value', { 'webhook-signature': '' }],
    ['an empty list', { 'webhook-signature': [] }],
    ['no pairs', []],
  ])('is missing in %s', (_shape, headers) => {
    expect(() => singleHeader(headers, 'webhook-signature')).toThrow(
      expect.objectContaining({ reason: 'missing_header', message: 'The header webhook-signature is missing.' }),
    )
  })

  test.each<[string, WebhookHeaders]>([
    [
      'Web Headers, which join them',
      new Headers([
        ['webhook-signature', 'v1,AAAA'],
        ['Webhook-Signature', 'v1,BBBB'],
      ]),
    ],
    ['an object with a list of two', { 'webhook-signature': ['v1,AAAA', 'v1,AAAA'] }],
    ['an object with two spellings', { 'webhook-signature': 'v1,AAAA', 'Webhook-Signature': 'v1,AAAA' }],
    [
      'a list of pairs',
      [
        ['webhook-signature', 'v1,AAAA'],
        ['WEBHOOK-SIGNATURE', 'v1,AAAA'],
      ],
    ],
  ])('given twice is refused in %s', (_shape, headers) => {
    expect(() => singleHeader(headers, 'webhook-signature')).toThrow(
      expect.objectContaining({ reason: 'duplicate_header' }),
    )
  })

  test('given twice is refused in the headers of a real Node request', async () => {
    const seen = Promise.withResolvers<WebhookHeaders>()
    const server = createServer((request, response) => {
      seen.resolve(request.headers)
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    get({ port, host: '127.0.0.1', headers: { 'webhook-id': ['evt_1', 'evt_2'] } }, (response) => response.resume())
    const headers = await seen.promise
    server.close()
    expect(() => singleHeader(headers, 'webhook-id')).toThrow(expect.objectContaining({ reason: 'duplicate_header' }))
  })
})
