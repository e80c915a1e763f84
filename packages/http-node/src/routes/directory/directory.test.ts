import { describe, expect, it } from 'vitest'
import { onSqlite, served } from '../../../test/service.js'

describe('clients and poseurs', async () => {
  const { service, door } = await served(onSqlite.open, await onSqlite.store())

  const get = (path: string) => door.call('GET', path, { headers: service.auth() })
  const send = (method: string, path: string, body: unknown) =>
    door.call(method, path, { headers: service.auth(), body: JSON.stringify(body) })

  it('a client is created, read, changed and listed', async () => {
    const created = await send('POST', '/api/v1/clients', { nom: 'Lefèvre', prenom: 'Zoé', email: 'zoe@example.fr' })
    expect(created.status).toBe(201)
    const { id } = created.json.data
    expect(created.headers['location']).toBe(`/api/v1/clients/${id}`)
    const client = {
      id,
      nom: 'Lefèvre',
      prenom: 'Zoé',
      raison_sociale: null,
      email: 'zoe@example.fr',
      telephone: null,
      adresse: null,
      lieu: null,
      efface_le: null,
    }
    expect(created.json).toEqual({ success: true, data: { ...client, whatsapp: false } })
    expect((await get(`/api/v1/clients/${id}`)).json).toEqual(created.json)

    const changed = await send('PUT', `/api/v1/clients/${id}`, { telephone: '+33 1 23 45 67 89', whatsapp: true })
    expect(changed.status).toBe(200)
    expect(changed.json.data).toEqual({ ...client, telephone: '+33 1 23 45 67 89', whatsapp: true })
    const { data, pagination } = (await get('/api/v1/clients?recherche=LEFEVRE&limite=1')).json
    expect(data).toEqual([changed.json.data])
    expect(pagination).toEqual({ page: 1, limite: 1, total: 1, curseur: null })
  })

  it('a poseur is created, read, made inactive and listed', async () => {
    const created = await send('POST', '/api/v1/poseurs', { nom: 'Ana Costa' })
    expect(created.status).toBe(201)
    const { id } = created.json.data
    expect(created.headers['location']).toBe(`/api/v1/poseurs/${id}`)
    const unknown = { email: null, couleur: null, lieu: null, lieu_retour: null }
    expect(created.json.data).toEqual({ id, nom: 'Ana Costa', actif: true, ...unknown })
    const changed = await send('PUT', `/api/v1/poseurs/${id}`, { actif: false })
    expect(changed.json.data).toEqual({ id, nom: 'Ana Costa', actif: false, ...unknown })
    expect((await get(`/api/v1/poseurs/${id}`)).json.data).toEqual(changed.json.data)
    expect((await get('/api/v1/poseurs?page=1&limite=200')).json.data).toContainEqual(changed.json.data)
  })
})
