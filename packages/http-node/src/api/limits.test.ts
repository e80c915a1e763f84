import { describe, expect, it } from 'vitest'
import { as } from '../../test/composed.js'
import { fetchDoor, openService } from '../../test/service.js'

const rateLimit = { reads: { quota: 3, windowSeconds: 60 }, writes: { quota: 2, windowSeconds: 60 } }

describe('rate limits', () => {
  const opened = async (limit: typeof rateLimit | null = rateLimit) => {
    const service = await openService(undefined, { rateLimit: limit, trustedProxies: ['127.0.0.1'] })
    const door = fetchDoor(service.api)
    const read = (headers: Record<string, string> = service.auth()) => door.call('GET', '/api/v1/sav', { headers })
    const write = (body: unknown, headers: Record<string, string> = service.auth()) =>
      door.call('POST', '/api/v1/sav', { headers, body: JSON.stringify(body) })
    const failing = (from = '192.0.2.1') => read({ authorization: 'Bearer x', 'x-forwarded-for': from })
    return { service, door, read, write, failing }
  }

  it('every answer to a key shows the remaining quota; a call beyond it gets 429', async () => {
    const { service, read } = await opened()
    for (const left of [2, 1, 0]) {
      const answer = await read()
      expect(answer.status).toBe(200)
      expect(answer.headers['ratelimit-policy']).toBe('"reads";q=3;w=60')
      expect(answer.headers['ratelimit']).toMatch(new RegExp(`^"reads";r=${left};t=\\d+$`))
    }
    const refused = await read()
    expect(refused.status).toBe(429)
    expect(refused.json).toMatchObject({ success: false, error: 'Too many requests' })
    expect(refused.headers['retry-after']).toBe('20')
    expect(refused.headers['ratelimit']).toBe('"reads";r=0;t=60')
    await service.clock.advance(19_999)
    expect((await read()).status).toBe(429)
    await service.clock.advance(1)
    expect((await read()).status).toBe(200)
  })

  it('reads and writes have separate quotas, for each key', async () => {
    const { service, read, write } = await opened()
    for (let i = 0; i < 3; i += 1) await read()
    expect((await write({})).status).toBe(422)
    expect((await write({})).headers['ratelimit']).toMatch(/^"writes";r=0;/)
    expect((await write({})).status).toBe(429)
    const other = service.auth({ authorization: `Bearer ${await service.key(['sav:read'])}` })
    expect((await read(other)).status).toBe(200)
  })

  it('are checked after the timestamp, and before the permission and the body', async () => {
    const { service, write } = await opened()
    const reader = { ...service.auth(), authorization: `Bearer ${await service.key(['sav:read'])}` }
    for (const _ of [1, 2]) expect((await write({}, reader)).status).toBe(403)
    expect((await write({}, reader)).status).toBe(429)
    expect((await write({}, { ...reader, 'x-request-timestamp': '1' })).status).toBe(401)
    expect((await write('not JSON', { ...reader, 'content-type': 'text/plain' })).status).toBe(429)
  })

  it('the 21st failed authentication in a minute from one address gets 429; a valid call does not', async () => {
    const { service, read, failing } = await opened()
    for (let i = 0; i < 20; i += 1) {
      const answer = await failing()
      expect(answer.status).toBe(401)
      expect(answer.headers['ratelimit']).toBeUndefined()
    }
    const refused = await failing()
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('3')
    expect(refused.headers['ratelimit-policy']).toBe('"failed-authentications";q=20;w=60')
    expect((await failing('192.0.2.2')).status).toBe(401)
    expect((await read(service.auth({ 'x-forwarded-for': '192.0.2.1' }))).status).toBe(200)
    await service.clock.advance(3000)
    expect((await failing()).status).toBe(401)
  })

  it('views of the check page are logged as totals, and the refused ones share one audit row', async () => {
    const { service, door } = await opened()
    const look = () => door.call('GET', `/verifier/${'0'.repeat(64)}`)
    for (let i = 0; i < 100; i += 1) await look()
    expect((await look()).status).toBe(429)
    await service.sav.serving.stop()
    const { items } = await service.sav.audit.list(null, { limite: 1000 })
    expect(items).toMatchObject([{ endpoint: '/verifier/{hash}', status: 429, calls: 81 }])
    expect(service.calls.map(({ status, calls }) => [status, calls])).toEqual([
      [404, 20],
      [429, 81],
    ])
  })

  it('rateLimit null limits nothing, and adds no header', async () => {
    const { read, failing } = await opened(null)
    for (let i = 0; i < 30; i += 1) expect((await failing()).status).toBe(401)
    const answer = await read()
    expect(answer.headers['ratelimit']).toBeUndefined()
    expect(answer.headers['ratelimit-policy']).toBeUndefined()
  })

  it('every answer to a key that expires within 30 days has X-Key-Expires-At', async () => {
    const { service, door } = await opened(null)
    const day = 86_400_000
    const answerOf = async (lifetimeMs: number) => {
      const expire = new Date(service.clock.now() + lifetimeMs).toISOString()
      const { key } = await service.sav.keys.create(as('default'), { nom: 'fin', permissions: ['sav:read'], expire })
      return door.call('GET', '/api/v1/clients', { headers: { authorization: `Bearer ${key}` } })
    }
    const soon = await answerOf(30 * day)
    expect(soon.status).toBe(403)
    expect(soon.headers['x-key-expires-at']).toBe(new Date(service.clock.now() + 30 * day).toISOString())
    expect((await answerOf(30 * day + 1)).headers['x-key-expires-at']).toBeUndefined()
  })
})
