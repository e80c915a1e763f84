import { describe, expect, it } from 'vitest'
import { onSqlite, served } from '../../../test/service.js'

describe('keys', async () => {
  const { service, door } = await served(onSqlite.open, await onSqlite.store())
  const call = (method: string, path = '', body?: unknown) =>
    door.call(method, `/api/v1/cles${path}`, {
      headers: service.auth(),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const statusWith = async (key: string) =>
    (await door.call('GET', '/api/v1/sav', { headers: { authorization: `Bearer ${key}` } })).status
  const create = async (more = {}) =>
    (await call('POST', '', { nom: 'Site', permissions: ['sav:read'], ...more })).json.data

  it('are shown only when they are created, and give access', async () => {
    const answer = await call('POST', '', { nom: 'Site', permissions: ['sav:read'] })
    expect(answer.status).toBe(201)
    const { key, id, ...shown } = answer.json.data
    expect(answer.headers['location']).toBe(`/api/v1/cles/${id}`)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(shown).toMatchObject({
      nom: 'Site',
      permissions: ['sav:read'],
      ips: [],
      revoked_at: null,
      last_used_at: null,
    })
    expect(await statusWith(key)).toBe(200)
    for (const path of ['', `/${id}`]) {
      const { text } = await call('GET', path)
      expect(text).toContain(id)
      expect(text).not.toContain(key)
      expect(text).not.toMatch(/hash/)
    }
  })

  it('are renewed with or without an overlap', async () => {
    const old = await create()
    const rolled = (await call('POST', `/${old.id}/renouveler`)).json.data
    expect(rolled).toMatchObject({ nom: 'Site', permissions: ['sav:read'] })
    expect(rolled.id).not.toBe(old.id)
    expect(Date.parse(rolled.previous_expires_at)).toBe(service.clock.now() + 86_400_000)
    expect([await statusWith(old.key), await statusWith(rolled.key)]).toEqual([200, 200])
    const leaked = (await call('POST', `/${rolled.id}/renouveler`, { chevauchement_secondes: 0 })).json.data
    expect([await statusWith(rolled.key), await statusWith(leaked.key)]).toEqual([401, 200])
    expect((await call('POST', `/${leaked.id}/renouveler`, { chevauchement_secondes: -1 })).status).toBe(422)
  })
})
