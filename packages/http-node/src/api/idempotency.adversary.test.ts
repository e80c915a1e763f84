import { describe, expect, it } from 'vitest'
import { doors, openService } from '../../test/service.js'

describe.each(doors)('through $name, one Idempotency-Key', ({ open }) => {
  it('makes one case, however the path of the call is spelt', async () => {
    const service = await openService()
    const door = await open(service.api)
    const headers = service.auth({ 'idempotency-key': 'the one' })
    const body = JSON.stringify({ client_id: service.client_id, description: 'La porte ne ferme plus.' })
    const create = (path: string) => door.call('POST', path, { headers, body })

    const first = await create('/api/v1/sav')
    expect(first.status).toBe(201)
    for (const path of ['/api/v1/s%61v', '/%61pi/v1/sav', '/api/%76%31/sav', '/api/v1/sav?', '/api/v1/sav#x']) {
      const again = await create(path)
      expect(again.headers['idempotency-replayed'], path).toBe('true')
      expect(again.text).toBe(first.text)
    }

    const { id } = first.json.data
    const close = (path: string) =>
      door.call('POST', path, { headers, body: JSON.stringify({ resolution: 'Charnière remplacée, porte réglée.' }) })
    const closed = await close(`/api/v1/sav/${id}/cloturer`)
    expect(closed.status).toBe(200)
    for (const path of [`/api/v1/sav/%3${id}/cloturer`, `/api/v1/sav/${id}/cl%6fturer`]) {
      const again = await close(path)
      expect(again.headers['idempotency-replayed'], path).toBe('true')
      expect(again.text).toBe(closed.text)
    }
    expect((await door.call('GET', '/api/v1/sav', { headers })).json.pagination.total).toBe(1)
    await door.close()
  })
})
