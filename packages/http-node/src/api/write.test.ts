import { describe, expect, it } from 'vitest'
import { exampleCall, writeRoutes } from '../../test/example-calls.js'
import { inMemory, served } from '../../test/service.js'

const description = 'La porte du meuble bas ne ferme plus.'

describe('writes', async () => {
  const { service, door } = await served(inMemory.open)

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

  it.each(writeRoutes.map((route) => [route.name, route] as const))('%s never ignores If-Match', async (_, route) => {
    const { method, path, body } = exampleCall(route)
    const headers = { ...service.auth(), 'if-match': '"1-7"', ...(route.file && { 'content-type': 'image/png' }) }
    const answer = await door.call(method, path, { headers, ...(body !== undefined && { body }) })
    const refused = { field: 'If-Match', code: 'unknown_field' }
    if (!route.conditional) expect(answer.status).toBe(422)
    expect(answer.json.details ?? []).toEqual(
      route.conditional ? expect.not.arrayContaining([refused]) : [expect.objectContaining(refused)],
    )
  })

  describe('with an Idempotency-Key', () => {
    it('are done once; a repetition gets the same bytes', async () => {
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

    it('return the same secret when repeated', async () => {
      const body = JSON.stringify({ url: 'https://receiver.example/', events: ['sav.created'] })
      const add = (key: string) =>
        door.call('POST', '/api/v1/webhooks', { headers: service.auth({ 'idempotency-key': key }), body })
      const key = name()
      const [first, second] = [await add(key), await add(key)]
      expect(first.json.data.secret).toMatch(/^whsec_/)
      expect(second.bytes).toEqual(first.bytes)
      expect((await add(name())).json.data.secret).not.toBe(first.json.data.secret)
    })
  })

  describe('in the audit', () => {
    it('are visible as soon as their effect is', async () => {
      const headers = service.auth({ 'x-request-id': 'a-write' })
      await door.call('POST', '/api/v1/sav', { headers, body: JSON.stringify(newCase()) })
      // The list does not wait for calls whose audit rows are not written yet.
      const { items } = await service.sav.audit.list('default', { limite: 1000 })
      expect(items.filter(({ request_id }) => request_id === 'a-write')).toMatchObject([
        { method: 'POST', endpoint: '/api/v1/sav', status: 201, ip: '127.0.0.1' },
      ])
      expect(await auditOf('a-write')).toHaveLength(1)
    })

    it('appear exactly once, even if they are no-ops, dry runs, replays or refusals', async () => {
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
        // Calls refused for their timestamp are counted for a minute before they are recorded.
        await service.sav.audit.finish()
        expect(await auditOf(id), id).toMatchObject([{ method, status }])
      }
    })

    it('are not mixed with health checks, preflights or reads of the contract, which are not recorded', async () => {
      for (const path of ['/healthz', '/openapi.json'])
        await door.call('GET', path, { headers: { 'x-request-id': 'public' } })
      await door.call('OPTIONS', '/api/v1/sav', { headers: { 'x-request-id': 'public' } })
      await service.sav.audit.finish()
      const { items } = await service.sav.audit.list(null, { limite: 1000 })
      expect(items.filter(({ request_id }) => request_id === 'public')).toEqual([])
    })
  })
})
