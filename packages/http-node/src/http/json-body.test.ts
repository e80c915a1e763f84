import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { doors, served } from '../../test/service.js'
import { maxBodyBytes } from './body-budget.js'

const MiB = 1024 * 1024

describe.each(doors)('bodies through $name', async ({ open }) => {
  const { service, door } = await served(open)

  const valid = () => JSON.stringify({ client_id: service.client_id, description: 'La porte ne ferme plus.' })
  const post = (body: string | Uint8Array | (() => Readable), more = {}) =>
    door.call('POST', '/api/v1/sav', { headers: service.auth(more), body })

  /** A body with a declared length. The fetch handler refuses it unread, so there it need not have that length. */
  const announced = (length: number) =>
    [door.name === 'fetch' ? 'x' : Buffer.alloc(length, ' '), { 'content-length': String(length) }] as const

  it.each([
    ['nothing', ''],
    ['blanks', '  \n'],
    ['a cut object', '{"client_id":1,'],
    ['two values', '{}{}'],
    ['a trailing comma', '{"client_id":1,}'],
    ['single quotes', "{'client_id':1}"],
    ['NaN', '{"client_id":NaN}'],
    ['a form', 'client_id=1&description=x'],
    ['a raw control character in a string', '{"description":"a\nb"}'],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
  ])('%s is malformed', async (_, body) => {
    const answer = await post(body)
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ success: false, error: 'Malformed JSON' })
  })

  it.each([
    ['Latin-1', Buffer.from('{"description":"La façade est rayée."}', 'latin1')],
    ['a byte that is no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ])('%s is malformed, and the refusal asks for UTF-8', async (_, body) => {
    const answer = await post(body)
    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ error: 'Malformed JSON', detail: expect.stringContaining('not in UTF-8') })
  })

  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const many = (values: number) => `[${'0,'.repeat(values - 1)}0]`

  it.each([
    ['nested 32 deep', nested(32), 422],
    ['nested 33 deep', nested(33), 400],
    ['nested 100,000 deep', nested(100_000), 400],
    ['nested 100,000 deep without an end', '['.repeat(100_000), 400],
    ['of 9,999 values in a list', many(9_999), 422],
    ['of 10,000 values in a list', many(10_000), 400],
    ['of a million values', many(1_000_000), 400],
    ['of one long string', JSON.stringify('"\\\\'.repeat(100_000)), 422],
  ])('%s are read only within limits of depth and number of values', async (_, body, status) => {
    expect((await post(body)).status).toBe(status)
  })

  it('that repeat a field name have its last value', async () => {
    const answer = await post(
      `{"client_id":"x","client\\u005fid":${service.client_id},"description":"Une porte tombe."}`,
    )
    expect(answer.status).toBe(201)
  })

  it('may have colons, commas and brackets in their strings', async () => {
    const description = 'a:b,{[":\\\\"]},'.repeat(10_000).slice(0, 1999)
    const answer = await post(JSON.stringify({ client_id: service.client_id, description }))
    expect(answer.status).toBe(201)
  })

  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json ; charset="UTF-8"',
    'application/json; charset=utf-8;',
  ])('declared as %s are read', async (type) => {
    expect((await post(valid(), { 'content-type': type })).status).toBe(201)
  })

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-8; charset=utf-16',
    'application/jsonp',
    'application/problem+json',
    'application/json, text/plain',
    '',
  ])('declared as %j are refused', async (type) => {
    const answer = await post(valid(), { 'content-type': type })
    expect(answer.status).toBe(415)
    expect(answer.json).toMatchObject({ success: false, error: 'Unsupported media type' })
  })

  it('are refused without a type, or if compressed', async () => {
    const { 'content-type': _, ...headers } = service.auth()
    // A Web `Request` declares a string as text/plain by itself, but bytes as no type.
    expect((await door.call('POST', '/api/v1/sav', { headers, body: Buffer.from(valid()) })).status).toBe(415)
    expect((await post(valid(), { 'content-encoding': 'gzip' })).status).toBe(415)
  })

  it('may begin with a byte order mark', async () => {
    expect((await post(`\ufeff${valid()}`)).status).toBe(201)
  })

  // Bodies that come in chunks are tested in received-body.test.ts.
  it('of exactly 72 MiB are read', async () => {
    const body = Buffer.alloc(maxBodyBytes, ' ')
    body.write(valid())
    expect(body.length).toBe(72 * MiB)
    expect((await post(body)).status).toBe(201)
  })

  it('of one byte more than 72 MiB are too large, with a declared length or in chunks', async () => {
    const tooLarge = {
      ...{ success: false, error: 'Payload too large', code: 'payload_too_large', params: {} },
      max_bytes: 72 * MiB,
    }
    const declared = await post(...announced(maxBodyBytes + 1))
    expect(declared.status).toBe(413)
    expect(declared.json).toEqual(tooLarge)
    const chunked = await post(() => Readable.from([...pieces(72), Buffer.from(' ')]))
    expect(chunked.status).toBe(413)
    expect(chunked.json).toEqual(tooLarge)
  })

  it('without a key are not read', async () => {
    let read = 0
    const counted = () =>
      Readable.from(
        pieces(73, () => (read += MiB)),
        { highWaterMark: 1 },
      )
    const { authorization: _, ...headers } = service.auth()
    expect((await door.call('POST', '/api/v1/sav', { headers, body: counted })).status).toBe(401)
    // A socket buffers and drains more than the API reads; through the fetch handler, only requested bytes are read.
    if (door.name === 'fetch') expect(read).toBeLessThanOrEqual(2 * MiB)
  })

  it('are checked in this order: type, JSON, fields', async () => {
    expect((await post('{', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post('{')).status).toBe(400)
    expect((await post('{}')).status).toBe(422)
  })
})

function* pieces(count: number, made = () => {}): Generator<Buffer> {
  for (let i = 0; i < count; i += 1) {
    made()
    yield Buffer.alloc(MiB, ' ')
  }
}
