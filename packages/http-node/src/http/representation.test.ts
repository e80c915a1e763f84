import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { onSqlite, served } from '../../test/service.js'

const description = 'La porte du meuble bas ne ferme plus. '.repeat(30)

describe('answers', async () => {
  const { service, door } = await served(onSqlite.open)
  const body = JSON.stringify({ client_id: service.client_id, description })
  const made = await door.call('POST', '/api/v1/sav', { headers: service.auth(), body })
  const one = `/api/v1/sav/${made.json.data.id}`

  const get = (path: string, more: Record<string, string> = {}) =>
    door.call('GET', path, { headers: service.auth(more) })

  describe('of a read', () => {
    it.each([['/api/v1/sav'], ['/api/v1/sav/1'], ['/api/v1/clients'], ['/openapi.json'], ['/docs']])(
      'at %s have an ETag, and a caller that sends it gets 304',
      async (path) => {
        const { headers } = await get(path)
        const tag = headers['etag'] ?? ''
        expect(tag).toMatch(/^"[\w-]+"$/)
        for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
          const again = await get(path, { 'if-none-match': known })
          expect(again.status).toBe(304)
          expect(again.bytes).toHaveLength(0)
          expect(again.headers).toMatchObject({ etag: tag, 'x-request-id': expect.any(String), vary: headers['vary'] })
          expect(again.headers).not.toHaveProperty('content-type')
          expect(again.headers).not.toHaveProperty('content-length')
        }
        for (const known of ['"other"', tag.slice(1, -1), '']) {
          const again = await get(path, { 'if-none-match': known })
          expect(again.status).toBe(200)
        }
      },
    )

    it('are sent in full when they have changed', async () => {
      const tags = await Promise.all(['/api/v1/sav', one].map(async (path) => (await get(path)).headers['etag'] ?? ''))
      const body = JSON.stringify({ priorite: 'haute' })
      expect((await door.call('PUT', one, { headers: service.auth(), body })).status).toBe(200)
      for (const [i, path] of ['/api/v1/sav', one].entries())
        expect((await get(path, { 'if-none-match': tags[i] ?? '' })).status).toBe(200)
    })

    it('to HEAD are 304 as well if the caller sends the ETag', async () => {
      const { headers } = await get(one)
      const head = await door.call('HEAD', one, { headers: service.auth({ 'if-none-match': headers['etag'] ?? '' }) })
      expect(head.status).toBe(304)
    })

    it('are refused without a key, whatever the If-None-Match', async () => {
      expect((await door.call('GET', one, { headers: { 'if-none-match': '*' } })).status).toBe(401)
    })
  })

  describe('of more than a KiB', () => {
    it.each([
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1, br;q=0.5', 'gzip'],
      ['GZIP', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['gzip;q=0', undefined],
      ['deflate, zstd', undefined],
      ['', undefined],
      [';;q=;,,', undefined],
    ])('for Accept-Encoding %j have Content-Encoding %s', async (accepted, coding) => {
      const plain = await get(one)
      const answer = await get(one, { 'accept-encoding': accepted })
      expect(answer.headers['content-encoding']).toBe(coding)
      expect(answer.headers['vary']).toContain('Accept-Encoding')
      expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
      const decode = { br: brotliDecompressSync, gzip: gunzipSync }[coding ?? ''] ?? ((bytes: Buffer) => bytes)
      expect(decode(answer.bytes).toString()).toBe(plain.text)
      if (coding !== undefined) expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2)
    })

    it('have an ETag for each encoding, and If-Match and If-None-Match accept all of them', async () => {
      const plain = await get(one)
      const coded = await get(one, { 'accept-encoding': 'gzip' })
      const tag = coded.headers['etag'] ?? ''
      expect(tag).toBe(`${plain.headers['etag']?.slice(0, -1)}-gzip"`)
      expect((await get(one, { 'if-none-match': tag })).status).toBe(304)
      const body = JSON.stringify({ priorite: 'urgente' })
      const put = () => door.call('PUT', one, { headers: service.auth({ 'if-match': tag }), body })
      expect((await put()).status).toBe(200)
      expect((await put()).status).toBe(412)
    })

    it('that are the same for everybody are compressed to the same bytes', async () => {
      const [first, second] = await Promise.all([1, 2].map(() => get('/openapi.json', { 'accept-encoding': 'br' })))
      expect(first?.headers['content-encoding']).toBe('br')
      expect(second?.bytes).toEqual(first?.bytes)
    })
  })

  it('of a KiB or less, and images, are not compressed', async () => {
    const photo = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(5000)])
    const photos = [`data:image/jpeg;base64,${photo.toString('base64')}`]
    const body = JSON.stringify({ client_id: service.client_id, description: 'Une porte.', photos })
    const made = await door.call('POST', '/api/v1/sav', { headers: service.auth({ 'accept-encoding': 'gzip' }), body })
    expect(made.headers).not.toHaveProperty('content-encoding')
    const { url } = (await get(`/api/v1/sav/${made.json.data.id}`)).json.data.photos[0]
    const file = await get(url, { 'accept-encoding': 'gzip' })
    expect(file.headers).not.toHaveProperty('content-encoding')
    expect(file.bytes).toEqual(photo)
  })

  it('that hold a secret are never compressed', async () => {
    const sent = { url: `https://receiver.example/${'x'.repeat(1500)}`, events: ['sav.created'] }
    const headers = service.auth({ 'accept-encoding': 'gzip, br' })
    const made = await door.call('POST', '/api/v1/webhooks', { headers, body: JSON.stringify(sent) })
    expect(made.bytes.length).toBeGreaterThan(1024)
    expect(made.json.data.secret).toMatch(/^whsec_/)
    expect(made.headers).not.toHaveProperty('content-encoding')
    const shown = await door.call('GET', `/api/v1/webhooks/${made.json.data.id}`, { headers })
    expect(shown.headers['content-encoding']).toBe('br')
  })

  describe('that are refusals', () => {
    it.each([
      ['application/problem+json', true],
      ['application/json, application/problem+json', true],
      ['application/problem+json;q=0.9, application/json;q=0.5', true],
      ['application/json, application/problem+json;q=0.5', false],
      ['application/problem+json;q=0', false],
      ['application/json', false],
      ['*/*', false],
    ])('for Accept %j are problem details: %s', async (accept, isProblem) => {
      const headers = service.auth({ accept })
      const answer = await door.call('POST', '/api/v1/sav', { headers, body: '{"client_id":0}' })
      expect(answer.status).toBe(422)
      const refused = { success: false, error: 'Validation failed', code: 'validation_failed', params: {} }
      const fields = { ...refused, details: expect.any(Array) }
      expect(answer.headers['vary']).toMatch(/^Accept\b/)
      if (!isProblem) return expect(answer.json).toEqual(fields)
      expect(answer.headers['content-type']).toBe('application/problem+json')
      const { type, title, status, detail, ...rest } = answer.json
      expect({ type, title, status }).toEqual({ type: 'about:blank', title: 'Unprocessable Entity', status: 422 })
      expect(detail).toBe('Validation failed')
      expect(rest).toEqual(fields)
    })

    it('keep their detail and headers when they are sent as problem details', async () => {
      const { authorization = '' } = service.auth()
      const headers = { authorization, accept: 'application/problem+json' }
      const answer = await door.call('POST', '/api/v1/sav', { headers })
      expect(answer.json).toMatchObject({ status: 401, title: 'Unauthorized', error: 'Replay attack suspected' })
      expect(answer.json.detail).toContain('X-Request-Timestamp is missing')
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    })
  })
})
