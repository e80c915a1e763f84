import { beforeEach, describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { type Answer, doors, openService, served } from '../../test/service.js'

const noKey = { success: false, error: 'Missing or invalid API key' }
const description = 'La porte du meuble bas ne ferme plus.'

describe.each(doors)('the API through $name', async ({ open }) => {
  const { service, door } = await served(open)
  beforeEach(() => {
    service.calls.length = 0
    service.failures.length = 0
  })

  const post = (path: string, body: unknown, headers = service.auth()) =>
    door.call('POST', path, { headers, body: JSON.stringify(body) })
  const newCase = () => ({ client_id: service.client_id, description })

  describe('the key', () => {
    it.each([
      ['none', undefined],
      ['an empty one', ''],
      ['the scheme alone', 'Bearer'],
      ['another scheme', 'Basic c2F2OnNhdg=='],
      ['a malformed one', 'Bearer sav_live_nonsense'],
      ['an unknown one', `Bearer sav_live_${'0'.repeat(49)}`],
    ])('%s is answered by exactly the specified 401', async (_, authorization) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const answer = await door.call('GET', '/api/v1/sav', { headers })
      expect(answer.status).toBe(401)
      expect(answer.json).toEqual(noKey)
      expect(answer.headers['www-authenticate']).toBe('Bearer')
    })

    it('is accepted with the scheme in any case', async () => {
      const authorization = service.auth()['authorization']?.replace('Bearer', 'bEARER') ?? ''
      expect((await door.call('GET', '/api/v1/sav', { headers: { authorization } })).status).toBe(200)
    })

    it('is refused if given twice, even if one of the two is right', async () => {
      const { authorization = '' } = service.auth()
      const answer = await door.call('GET', '/api/v1/sav', { headers: { authorization: [authorization, 'Bearer x'] } })
      expect(answer.json).toEqual(noKey)
    })

    it('is checked before anything else in the call', async () => {
      for (const [method, path] of [
        ['GET', '/nowhere'],
        ['DELETE', '/api/v1/sav/1'],
        ['POST', '/api/v1/sav'],
        ['GET', '/v1/planning'],
      ] as const) {
        const headers = { 'content-type': 'text/plain' }
        expect((await door.call(method, path, { headers })).json).toEqual(noKey)
      }
    })
  })

  describe('the timestamp of a write', () => {
    const withTimestamp = (timestamp: string | string[] | undefined): Promise<Answer> => {
      const { 'x-request-timestamp': _, ...headers } = service.auth()
      const sent = timestamp === undefined ? headers : { ...headers, 'x-request-timestamp': timestamp }
      return door.call('POST', '/api/v1/sav', { headers: sent, body: JSON.stringify(newCase()) })
    }
    const now = () => Math.floor(service.clock.now() / 1000)

    it('is accepted if it is 300 s behind', async () => {
      expect((await withTimestamp(String(now() - 300))).status).toBe(201)
    })

    it.each([
      ['301 s behind', () => String(now() - 301), '301 s behind'],
      ['missing', () => undefined, 'missing'],
      ['given twice', () => [String(now()), String(now())], 'integer'],
    ])('is refused if it is %s', async (_, timestamp, detail) => {
      const answer = await withTimestamp(timestamp())
      expect(answer.status).toBe(401)
      expect(answer.json).toMatchObject({ success: false, error: 'Replay attack suspected' })
      expect(answer.json.detail).toContain(detail)
    })

    it('is required by every method that writes, whatever the path', async () => {
      const { authorization = '' } = service.auth()
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        for (const path of ['/api/v1/sav/1', '/nowhere', '/v1/planning/rdv'])
          expect((await door.call(method, path, { headers: { authorization } })).json.error).toBe(
            'Replay attack suspected',
          )
    })

    it('is not required by a read', async () => {
      const { authorization = '' } = service.auth()
      expect((await door.call('GET', '/api/v1/sav', { headers: { authorization } })).status).toBe(200)
    })
  })

  describe('paths', () => {
    it.each([
      '/',
      '/api',
      '/api/v1',
      '/api/v1/sav/',
      '/api/v1/sav/1/',
      '/api/v1/sav/1/nothing',
      '//api/v1/sav',
      '/API/v1/sav',
      '/api/v1/SAV',
      '/api/v1//sav',
      '/api/v1/sav%2F',
      '/api/v1/s%2561v',
      '/v1/planning/',
      '/v1/sav',
      '/api/v1/planning/1/rdv',
      '/api/v1/sav/%zz',
      '/api/v1/sav/%ff',
    ])('%s is not found', async (path) => {
      const answer = await door.call('GET', path, { headers: service.auth() })
      expect(answer.status).toBe(404)
      expect(answer.json).toMatchObject({ success: false, error: 'Not found' })
    })

    it.each([
      ['DELETE', '/api/v1/sav/1', 'GET, HEAD, OPTIONS, PUT'],
      ['PATCH', '/api/v1/sav/1', 'GET, HEAD, OPTIONS, PUT'],
      ['PUT', '/api/v1/sav', 'GET, HEAD, OPTIONS, POST'],
      ['GET', '/api/v1/sav/1/cloturer', 'OPTIONS, POST'],
      ['POST', '/api/v1/sav/1/preuve', 'GET, HEAD, OPTIONS'],
      ['DELETE', '/api/v1/clients/1', 'GET, HEAD, OPTIONS, PUT'],
      ['PATCH', '/api/v1/webhooks/wh_1', 'DELETE, GET, HEAD, OPTIONS, PUT'],
      ['GET', '/api/v1/webhooks/wh_1/tester', 'OPTIONS, POST'],
      ['DELETE', '/api/v1/webhooks/livraisons', 'GET, HEAD, OPTIONS'],
      ['PUT', '/api/v1/webhooks/livraisons/rejouer', 'GET, HEAD, OPTIONS, POST'],
    ])('%s %s is not allowed, and the answer lists the allowed methods', async (method, path, allow) => {
      const answer = await door.call(method, path, { headers: service.auth() })
      expect(answer.status).toBe(405)
      expect(answer.headers['allow']).toBe(allow)
      expect(answer.json).toMatchObject({ success: false, error: 'Method not allowed' })
    })
  })

  describe('every answer', () => {
    it('is JSON, forbids caching and content sniffing, and has its own request id', async () => {
      const ids = new Set<string | undefined>()
      for (const path of ['/api/v1/sav', '/nowhere', '/healthz']) {
        const { headers } = await door.call('GET', path, { headers: service.auth() })
        expect(headers['content-type']).toBe('application/json; charset=utf-8')
        expect(headers['cache-control']).toBe('no-store')
        expect(headers['x-content-type-options']).toBe('nosniff')
        expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
        ids.add(headers['x-request-id'])
      }
      expect(ids.size).toBe(3)
    })

    it.each([
      ['keeps a valid request id of the caller', 'a'.repeat(128), true],
      ['replaces a request id that is too long', 'a'.repeat(129), false],
      ['replaces a request id with invalid characters', 'a b"c', false],
    ])('%s', async (_, given, kept) => {
      const { headers } = await door.call('GET', '/healthz', { headers: { 'x-request-id': given } })
      expect(headers['x-request-id'] === given).toBe(kept)
      expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,128}$/)
    })

    it('to HEAD equals the answer to GET, without the body', async () => {
      for (const path of ['/api/v1/sav', '/api/v1/sav/999']) {
        const get = await door.call('GET', path, { headers: service.auth() })
        const head = await door.call('HEAD', path, { headers: service.auth() })
        expect(head.status).toBe(get.status)
        expect(head.bytes.length).toBe(0)
        expect(head.headers['content-length']).toBe(String(get.bytes.length))
      }
    })
  })

  describe('health', () => {
    it('is public', async () => {
      expect((await door.call('GET', '/healthz')).json).toEqual({ success: true })
      expect((await door.call('GET', '/readyz')).json).toEqual({ success: true, data: { ecart_horloge_ms: null } })
    })
  })

  describe('an unreachable store', () => {
    it('makes calls fail with 503 and a log entry, while /healthz still answers 200', async () => {
      const stopped = await openService()
      const itsDoor = await open(stopped.api)
      await itsDoor.call('GET', '/api/v1/sav', { headers: stopped.auth() })
      await stopped.storage.close()
      const body = JSON.stringify({ client_id: stopped.client_id, description })
      for (const answer of [
        await itsDoor.call('POST', '/api/v1/sav', { headers: stopped.auth(), body }),
        await itsDoor.call('GET', '/readyz'),
      ]) {
        expect(answer.status).toBe(503)
        expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
        expect(answer.json).toMatchObject({ success: false, error: 'Service unavailable' })
      }
      expect(stopped.failures[0]).toMatchObject({ status: 503, endpoint: '/api/v1/sav' })
      expect((await itsDoor.call('GET', '/healthz')).status).toBe(200)
      await itsDoor.close()
    })
  })

  describe('an unforeseen failure', () => {
    it('is logged with its cause, which the answer does not reveal', async () => {
      const ping = () => Promise.reject(new TypeError('secret inside'))
      const broken = await openService({ ...(await memoryStorage()), ping })
      const itsDoor = await open(broken.api)
      const answer = await itsDoor.call('GET', '/readyz', { headers: { 'x-request-id': 'r-1' } })
      expect(answer.status).toBe(500)
      expect(answer.text).toBe('{"success":false,"error":"Internal server error","code":"internal","params":{}}')
      expect(broken.failures).toMatchObject([
        { request_id: 'r-1', status: 500, endpoint: '/readyz', error: { message: 'secret inside' } },
      ])
      await itsDoor.close()
    })
  })

  describe('the record of calls', () => {
    it('contains the caller, the IP address, the request and the status', async () => {
      await post('/api/v1/sav', newCase(), service.auth({ 'x-request-id': 'r-2' }))
      expect(service.calls).toEqual([
        {
          time: service.clock.now(),
          ip: '127.0.0.1',
          method: 'POST',
          endpoint: '/api/v1/sav',
          status: 201,
          duration_ms: 0,
          request_id: 'r-2',
          key_id: expect.stringMatching(/^key_/),
          user_id: null,
          target: expect.stringMatching(/^case:\d+$/),
          account_id: 'default',
        },
      ])
    })

    it('contains the route instead of the path, and nothing of the query', async () => {
      await door.call('GET', '/api/v1/sav/77?recherche=Durand', { headers: service.auth() })
      expect(service.calls).toMatchObject([{ endpoint: '/api/v1/sav/{id}', status: 422 }])
      await service.sav.audit.finish()
      service.calls.length = 0
      await door.call('GET', `/${'x'.repeat(300)}?secret=1`)
      await service.sav.audit.finish()
      expect(service.calls).toMatchObject([{ endpoint: '/…', status: 401, key_id: null, account_id: null, calls: 1 }])
    })
  })
})
