import { expect, it } from 'vitest'
import { routes } from '../../../test/whole/routes.js'
import { allRoutes } from '../../all/src/routes.js'
import { openService } from '../test/service.js'
import { createLocalClient, operationsOf } from './local.js'

const features = async () => allRoutes

it('the local client finds every operation of a resource without loading those of all other resources', async () => {
  const missing: string[] = []
  for (const { path, method, permission } of routes) {
    const [, resource] = /^(?:\/api)?\/v1\/(\w+)/.exec(path) ?? []
    if (resource === undefined || permission === null) continue
    const loaded = await operationsOf(resource, features)
    if (!loaded.some((route) => route.path === path && route.method === method)) missing.push(`${method} ${path}`)
  }
  expect(missing).toEqual([])
  expect((await operationsOf('clients', features)).length).toBeLessThan(10)
})

it('the local client throws the service’s own refusals, and answers like the API', async () => {
  const { sav, client_id } = await openService()
  const actor = { account_id: 'default', type: 'cli', id: null, nom: 'test' } as const
  const client = createLocalClient({ sav, authenticate: () => ({ ...actor, permissions: 'all' }) })
  const body = { client_id, description: 'La porte du meuble bas ne ferme plus.' }
  const { data, headers } = await client.post('/api/v1/sav', { body })
  expect([data.id, headers.get('Location'), headers.has('etag')]).toEqual([1, '/api/v1/sav/1', false])
  const refusals = [
    client.get('/api/v1/sav/{id}', { params: { id: 9 } }),
    client.post('/api/v1/sav', { body: { ...body, description: 'court' } }),
    client.put('/api/v1/sav/{id}', {
      params: { id: 1 },
      body: { statut: 'en_cours' },
      headers: { 'If-Match': '"9.9"' },
    }),
  ]
  const told = (await Promise.allSettled(refusals)).map((each) => each.status === 'rejected' && each.reason.name)
  expect(told).toEqual(['CaseNotFoundError', 'ValidationError', 'VersionMismatchError'])
  const nonsense = client.get('/api/v1/webhooks/{endpoint}', { params: { endpoint: 'nonsense' } })
  await expect(nonsense).rejects.toThrow('No endpoint nonsense in this account.')
  const mayNot = createLocalClient({ sav, authenticate: () => ({ ...actor, permissions: ['sav:read'] }) })
  await expect(mayNot.get('/api/v1/cles')).rejects.toMatchObject({ name: 'SavApiError', status: 403 })
  expect((await mayNot.get('/api/v1/sav')).pagination.total).toBe(1)
})
