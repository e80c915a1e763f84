import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../test/memory-storage.js'
import { composeApi } from '../../test/composed.js'
import { apiRequest, fetchDoor, openService } from '../../test/service.js'
import { basePathOf, withoutBase } from './base-path.js'

describe('a base path', () => {
  it.each([
    ['/sav', '/sav'],
    ['/sav/', '/sav'],
    ['/apps/sav-2', '/apps/sav-2'],
    ['/', ''],
    ['', ''],
  ])('given as %j is used as %j', (given, path) => expect(basePathOf(given)).toBe(path))

  it.each(['sav', '//sav', '/sav?x', '/s v', 'https://shop.example/sav'])('cannot be %j', (given) =>
    expect(() => basePathOf(given)).toThrow(RangeError),
  )

  it.each([
    ['/sav/api/v1/sav?page=2', '/api/v1/sav?page=2'],
    ['/sav', '/'],
    ['/sav?x=1', '/?x=1'],
    ['/savoir/api', '/savoir/api'],
    ['/api/v1/sav', '/api/v1/sav'],
    ['/sav/sav/docs', '/sav/docs'],
  ])('is removed at most once: %s becomes %s', (target, rest) => expect(withoutBase(target, ['/sav', ''])).toBe(rest))
})

async function openUnder(basePath: string) {
  const service = await openService(await memoryStorage(), { basePath })
  return { service, door: fetchDoor(service.api) }
}

const image = `data:image/jpeg;base64,${Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 0, 0]).toString('base64')}`

describe('an API under a base path', () => {
  it('gives addresses under the base path, and answers calls to them', async () => {
    const { service, door } = await openUnder('/atelier/sav')
    const body = JSON.stringify({
      client_id: service.client_id,
      description: 'La porte frotte en bas.',
      photos: [image],
    })
    const made = await door.call('POST', '/atelier/sav/api/v1/sav', { headers: service.auth(), body })
    expect([made.status, made.headers['location']]).toEqual([201, '/atelier/sav/api/v1/sav/1'])
    const shown = await door.call('GET', made.headers['location'] ?? '', { headers: service.auth() })
    const { url } = shown.json.data.photos[0]
    expect(url).toMatch(/^\/atelier\/sav\/api\/v1\/sav\/1\/fichiers\/[0-9a-f]{64}$/)
    expect((await door.call('GET', url, { headers: service.auth() })).status).toBe(200)
    const calendar = await door.call('POST', '/atelier/sav/v1/planning/calendrier', { headers: service.auth() })
    expect(calendar.json.data.url).toMatch(/^\/atelier\/sav\/calendriers\//)
    expect((await door.call('GET', calendar.json.data.url)).status).toBe(200)
  })

  it('gives the same address if a proxy has removed the base path, even in a replayed answer', async () => {
    const { service, door } = await openUnder('/sav')
    const body = JSON.stringify({ client_id: service.client_id, description: 'Le tiroir reste ouvert.' })
    const call = (path: string) =>
      door.call('POST', path, { headers: service.auth({ 'idempotency-key': 'once' }), body })
    const first = await call('/api/v1/sav')
    const again = await call('/sav/api/v1/sav')
    expect([first.headers['location'], again.headers['location']]).toEqual(['/sav/api/v1/sav/1', '/sav/api/v1/sav/1'])
    expect(again.headers['idempotency-replayed']).toBe('true')
  })

  it('names in its contract the base path, or the path where a host has mounted it', async () => {
    const { service, door } = await openUnder('/sav')
    expect((await door.call('GET', '/sav/openapi.json')).json.servers).toEqual([{ url: '/sav' }])
    const mounted = apiRequest({ target: '/sav/openapi.json', mount: '/sav' })
    const { body } = await composeApi(service.storage).api(mounted)
    expect(JSON.parse(String(Buffer.from(body)))).toMatchObject({ servers: [{ url: '/sav' }] })
  })

  it('does not answer paths that only begin like the base path, or contain it twice', async () => {
    const { service, door } = await openUnder('/sav')
    expect((await door.call('GET', '/savoir/api/v1/sav', { headers: service.auth() })).status).toBe(404)
    expect((await door.call('GET', '/sav/sav/api/v1/sav', { headers: service.auth() })).status).toBe(404)
  })
})

describe('an API that serves only some operations', () => {
  it('answers only these, and lists only these in its contract', async () => {
    const serves = ({ path }: { readonly path: string }) => path.startsWith('/api/v1/sav')
    const service = await openService()
    const door = fetchDoor(composeApi(service.storage, { serves }).api)
    const { paths } = (await door.call('GET', '/openapi.json')).json
    expect(Object.keys(paths).filter((path) => !path.startsWith('/api/v1/sav'))).toEqual([
      '/openapi.json',
      '/docs',
      '/docs/reference.js',
    ])
    expect((await door.call('GET', '/api/v1/sav', { headers: service.auth() })).status).toBe(200)
    expect((await door.call('GET', '/api/v1/cles', { headers: service.auth() })).status).toBe(404)
    expect((await door.call('GET', '/docs')).status).toBe(200)
    expect((await door.call('GET', '/healthz')).status).toBe(401)
  })
})
