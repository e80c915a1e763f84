import { describe, expect, it } from 'vitest'
import { doors, openService } from '../../test/service.js'

const app = 'https://app.example'
const preflight = { origin: app, 'access-control-request-method': 'POST' }

describe('an origin', () => {
  it.each(['*', 'https://app.example/', 'app.example', 'https://APP.example', 'null', ''])(
    'cannot be %j',
    async (origin) => {
      await expect(openService(undefined, { corsOrigins: [origin] })).rejects.toThrow(RangeError)
    },
  )
})

describe.each(doors)('OPTIONS through $name', ({ open }) => {
  it('lists the methods of a path, even without a key', async () => {
    const door = await open((await openService()).api)
    const answer = await door.call('OPTIONS', '/api/v1/sav/7')
    expect(answer.status).toBe(204)
    expect(answer.bytes).toHaveLength(0)
    expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS, PUT')
    expect(answer.headers['x-request-id']).toBeDefined()
    expect((await door.call('OPTIONS', '/nowhere')).status).toBe(404)
    expect((await door.call('OPTIONS', '/healthz')).headers['allow']).toBe('GET, HEAD, OPTIONS')
    await door.close()
  })

  it('allows only configured origins', async () => {
    for (const corsOrigins of [[], ['https://other.example'], [`${app}:8443`], ['http://app.example']]) {
      const door = await open((await openService(undefined, { corsOrigins })).api)
      for (const answer of [
        await door.call('OPTIONS', '/api/v1/sav', { headers: preflight }),
        await door.call('GET', '/healthz', { headers: { origin: app } }),
      ])
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
      await door.close()
    }
  })

  it('allows a configured origin', async () => {
    const service = await openService(undefined, { corsOrigins: ['https://other.example', app] })
    const door = await open(service.api)
    const { status, headers } = await door.call('OPTIONS', '/api/v1/sav', { headers: preflight })
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': app,
      'access-control-allow-methods': 'GET, HEAD, OPTIONS, POST',
      'access-control-max-age': '7200',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
    expect(headers['vary']).toContain('Origin')
    for (const name of ['Authorization', 'X-Request-Timestamp', 'Idempotency-Key', 'If-Match', 'Content-Type'])
      expect(headers['access-control-allow-headers']).toContain(name)

    for (const [auth, expected] of [
      [service.auth({ origin: app }), 200],
      [{ origin: app }, 401],
    ] as const) {
      const answer = await door.call('GET', '/api/v1/sav', { headers: auth })
      expect(answer.status).toBe(expected)
      expect(answer.headers['access-control-allow-origin']).toBe(app)
      for (const name of ['X-Request-Id', 'ETag', 'Location', 'Retry-After', 'RateLimit'])
        expect(answer.headers['access-control-expose-headers']).toContain(name)
    }
    const stranger = await door.call('GET', '/healthz')
    expect(stranger.headers).not.toHaveProperty('access-control-allow-origin')
    expect(stranger.headers['vary']).toContain('Origin')
    await door.close()
  })
})
