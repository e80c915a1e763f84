import { describe, expect, it } from 'vitest'
import { exampleCall, writeRoutes } from '../../test/example-calls.js'
import { inMemory, onPostgres, served } from '../../test/service.js'

const description = 'La porte du meuble bas ne ferme plus.'

describe.each([inMemory, onPostgres])('writes through $name', async ({ open, store }) => {
  const { service, door } = await served(open, await store())

  let named = 0
  const name = () => `request ${++named}`
  const create = (key: string, body: unknown = newCase(), headers = service.auth()) =>
    door.call('POST', '/api/v1/sav', { headers: { ...headers, 'idempotency-key': key }, body: JSON.stringify(body) })
  const newCase = () => ({ client_id: service.client_id, description })
  const total = async () => (await service.sav.cases.list('default', { limite: 1 })).total
  const audited = async () => {
    await service.sav.audit.flush()
    return (await service.sav.audit.list('default', { limite: 1000 })).items
  }
  const auditOf = async (request_id: string) => (await audited()).filter((call) => call.request_id === request_id)

  it.each(writeRoutes.map((route) => [route.name, route] as const))(
    '%s: no If-Match is passed over',
    async (_, route) => {
      const { method, path, body } = exampleCall(route)
      const headers = { ...service.auth(), 'if-match': '"1-7"', ...(route.file && { 'content-type': 'image/png' }) }
      const answer = await door.call(method, path, { headers, ...(body !== undefined && { body }) })
      const refused = { field: 'If-Match', code: 'unknown_field' }
      if (!route.conditional) expect(answer.status).toBe(422)
      expect(answer.json.details ?? []).toEqual(
        route.conditional ? expect.not.arrayContaining([refused]) : [expect.objectContaining(refused)],
      )
    },
  )

  describe('with an Idempotency-Key', () => {
    it('are done once, and answered by the same bytes', async () => {
      const key = name()
      const first = await create(key)
      const before = await total()
      const second = await create(key)
      expect(first.status).toBe(201)
      expect(second.status).toBe(201)
      expect(second.bytes).toEqual(first.bytes)
      for (const header of ['location', 'content-type', 'cache-control'])
        expect(second.headers[header]).toBe(first.headers[header])
      expect(first.headers['idempotency-replayed']).toBeUndefined()
      expect(second.headers['idempotency-replayed']).toBe('true')
      expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
      expect(await total()).toBe(before)
    })

    it.each([
      ['empty', '', 422],
      ['1 character long', 'k', 201],
      ['255 characters long', 'k'.repeat(255), 201],
      ['256 characters long', 'k'.repeat(256), 422],
      ['not ASCII', 'clé', 422],
    ])('that is %s: %s', async (_, key, status) => {
      expect((await create(key)).status).toBe(status)
    })

    it('have keys of their own: another key, path or account is another request', async () => {
      const key = name()
      const first = await create(key)
      const byAnother = { ...service.auth(), authorization: `Bearer ${await service.key(['sav:write'])}` }
      const second = await create(key, newCase(), byAnother)
      expect(second.status).toBe(201)
      expect(second.json.data.id).not.toBe(first.json.data.id)
      const foreign = await create(key, { ...newCase(), client_id: service.foreign.client_id }, service.otherAuth)
      expect(foreign.status).toBe(201)
      expect(foreign.headers['idempotency-replayed']).toBeUndefined()
      const path = `/api/v1/sav/${first.json.data.id}/cloturer`
      const headers = service.auth({ 'idempotency-key': key })
      const body = JSON.stringify({ resolution: 'Charnière remplacée.' })
      expect((await door.call('POST', path, { headers, body })).status).toBe(200)
      expect((await door.call('POST', path, { headers, body })).headers['idempotency-replayed']).toBe('true')
      // Without it, the close is what it is: the second one.
      expect((await door.call('POST', path, { headers: service.auth(), body })).status).toBe(409)
    })

    it('and a secret in the answer: the same secret again', async () => {
      const send = (path: string, body: unknown) =>
        door.call('POST', path, {
          headers: service.auth({ 'idempotency-key': name() }),
          body: JSON.stringify(body),
        })
      const body = { url: 'https://receiver.example/', events: ['sav.created'] }
      const headers = service.auth({ 'idempotency-key': name() })
      const twice = () => door.call('POST', '/api/v1/webhooks', { headers, body: JSON.stringify(body) })
      const [first, second] = [await twice(), await twice()]
      expect(first.json.data.secret).toMatch(/^whsec_/)
      expect(second.bytes).toEqual(first.bytes)
      expect((await send('/api/v1/webhooks', body)).json.data.secret).not.toBe(first.json.data.secret)
    })

    it('and no effect, are answered once as well', async () => {
      const body = JSON.stringify({ dry_run: true })
      const headers = service.auth({ 'idempotency-key': name() })
      const twice = () => door.call('POST', '/api/v1/webhooks/livraisons/rejouer', { headers, body })
      const [first, second] = [await twice(), await twice()]
      expect(first.status).toBe(200)
      expect(second.headers['idempotency-replayed']).toBe('true')
      expect(second.bytes).toEqual(first.bytes)
    })
  })

  describe('in the audit', () => {
    it('are visible with their effect, at once', async () => {
      const headers = service.auth({ 'x-request-id': 'a-write' })
      await door.call('POST', '/api/v1/sav', { headers, body: JSON.stringify(newCase()) })
      // Without waiting for anything that was noted.
      const { items } = await service.sav.audit.list('default', { limite: 1000 })
      expect(items.filter(({ request_id }) => request_id === 'a-write')).toMatchObject([
        { method: 'POST', endpoint: '/api/v1/sav', status: 201, ip: '127.0.0.1' },
      ])
      expect(await auditOf('a-write')).toHaveLength(1)
    })

    it('say how each method answered', async () => {
      const { id } = (await create(name())).json.data
      const put = { headers: service.auth({ 'x-request-id': 'a-put' }), body: JSON.stringify({ statut: 'en_cours' }) }
      await door.call('PUT', `/api/v1/sav/${id}`, put)
      expect(await auditOf('a-put')).toMatchObject([{ method: 'PUT', endpoint: '/api/v1/sav/{id}', status: 200 }])
      const made = await door.call('POST', '/api/v1/cles', {
        headers: service.auth(),
        body: JSON.stringify({ nom: 'x', permissions: ['sav:read'] }),
      })
      const headers = service.auth({ 'x-request-id': 'a-delete' })
      await door.call('DELETE', `/api/v1/cles/${made.json.data.id}`, { headers })
      expect(await auditOf('a-delete')).toMatchObject([{ endpoint: '/api/v1/cles/{key}', status: 200 }])
    })

    it('are refusals when nothing was written', async () => {
      const { id } = (await create(name())).json.data
      const close = (request_id: string) =>
        door.call('POST', `/api/v1/sav/${id}/cloturer`, {
          headers: service.auth({ 'x-request-id': request_id }),
          body: JSON.stringify({ resolution: 'Charnière remplacée.' }),
        })
      await close('first-close')
      await close('second-close')
      expect(await auditOf('first-close')).toMatchObject([{ status: 200 }])
      expect(await auditOf('second-close')).toMatchObject([{ status: 409 }])
    })

    it('are there once however they end: no-ops, dry runs, replays and refusals', async () => {
      const key = name()
      const calls: [string, string, string, unknown, Record<string, string>, number][] = [
        ['no-op', 'PUT', `/api/v1/sav/${(await create(key)).json.data.id}`, { statut: 'ouvert' }, {}, 200],
        ['dry', 'POST', '/api/v1/webhooks/livraisons/rejouer', { dry_run: true }, {}, 200],
        [
          'dry-kept',
          'POST',
          '/api/v1/webhooks/livraisons/rejouer',
          { dry_run: true },
          { 'idempotency-key': name() },
          200,
        ],
        ['replayed', 'POST', '/api/v1/sav', newCase(), { 'idempotency-key': key }, 201],
        ['invalid', 'POST', '/api/v1/sav', {}, {}, 422],
        ['stale', 'POST', '/api/v1/sav', newCase(), { 'x-request-timestamp': '1' }, 401],
        ['nowhere', 'POST', '/nowhere', {}, {}, 404],
        ['wrong', 'DELETE', '/api/v1/sav', {}, {}, 405],
        ['read', 'GET', '/api/v1/sav', undefined, {}, 200],
      ]
      for (const [id, method, path, body, more, status] of calls) {
        const headers = service.auth({ ...more, 'x-request-id': id })
        const sent = body === undefined ? { headers } : { headers, body: JSON.stringify(body) }
        expect((await door.call(method, path, sent)).status, id).toBe(status)
        // What is refused for its time is counted until a minute is over.
        await service.sav.audit.finish()
        expect(await auditOf(id), id).toMatchObject([{ method, status }])
      }
    })

    it('without a key are in no account', async () => {
      await door.call('GET', '/api/v1/sav', { headers: { 'x-request-id': 'nobody' } })
      await service.sav.audit.finish()
      expect(await auditOf('nobody')).toEqual([])
      const { items } = await service.sav.audit.list(null, { limite: 1000 })
      expect(items.filter(({ request_id }) => request_id === 'nobody')).toMatchObject([{ status: 401, key_id: null }])
    })

    it('leave health checks, preflights and the contract out', async () => {
      for (const path of ['/healthz', '/openapi.json'])
        await door.call('GET', path, { headers: { 'x-request-id': 'public' } })
      await door.call('OPTIONS', '/api/v1/sav', { headers: { 'x-request-id': 'public' } })
      await service.sav.audit.finish()
      const { items } = await service.sav.audit.list(null, { limite: 1000 })
      expect(items.filter(({ request_id }) => request_id === 'public')).toEqual([])
    })

    it('are listed for admins, in pages', async () => {
      const list = async (query = '', headers = service.auth()) =>
        door.call('GET', `/api/v1/audit${query}`, { headers })
      await service.sav.audit.flush()
      const first = await list('?limite=2')
      expect(first.json.data).toHaveLength(2)
      const { curseur } = first.json.pagination
      const next = await list(`?limite=2&curseur=${encodeURIComponent(curseur)}`)
      expect(next.json.data).toHaveLength(2)
      expect(next.json.data[0]).not.toEqual(first.json.data[1])
      const all = (await list('?limite=1000')).json.data
      expect(all.length).toBeGreaterThan(20)
      expect(Object.keys(all[0]).toSorted()).toEqual(
        [
          'time',
          'ip',
          'method',
          'endpoint',
          'key_id',
          'user_id',
          'target',
          'status',
          'duration_ms',
          'request_id',
        ].toSorted(),
      )
      const foreign = (await list('', service.otherAuth)).json.data
      expect(foreign.every(({ key_id }: { key_id: string }) => key_id !== all[0].key_id)).toBe(true)
      expect((await list('?limite=1001')).status).toBe(422)
      expect((await list('?curseur=x')).json.details).toMatchObject([{ field: 'curseur' }])
    })
  })
})
