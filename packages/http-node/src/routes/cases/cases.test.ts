import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { casesThrough, description, fieldsOf, jpeg, resolution, uri } from '../../../test/case-calls.js'
import { combinations, type Door, openService, type Service } from '../../../test/service.js'

describe.each(combinations)('cases through $name', (combination) => {
  const at = casesThrough(combination)
  const { get, send, creation, create, expectRefused } = at

  describe('creating', () => {
    it('answers 201 with id and reference, and says where the case is', async () => {
      const answer = await create()
      expect(answer.status).toBe(201)
      const { id, reference } = answer.json.data
      expect(answer.json).toEqual({ success: true, data: { id, reference } })
      expect(reference).toMatch(/^SAV-2026-\d{5}$/)
      expect(answer.headers['location']).toBe(`/api/v1/sav/${id}`)
      const detail = await get(`/api/v1/sav/${id}`)
      expect(detail.json.data).toMatchObject({ id, reference, statut: 'ouvert', priorite: 'normale' })
    })

    it.each([
      ['10 characters', 'x'.repeat(10), 201],
      ['9 characters', 'x'.repeat(9), 422],
      ['2000 characters', 'x'.repeat(2000), 201],
      ['2001 characters', 'x'.repeat(2001), 422],
      ['10 characters outside the first plane', '🪚'.repeat(10), 201],
      ['9 characters outside the first plane', '🪚'.repeat(9), 422],
      ['2000 characters outside the first plane', '🪚'.repeat(2000), 201],
      ['2001 characters outside the first plane', '🪚'.repeat(2001), 422],
      ['9 characters and blanks around', `  ${'x'.repeat(9)}\n`, 422],
      ['blanks', ' '.repeat(20), 422],
      ['a lone surrogate', `${'x'.repeat(20)}\ud800`, 422],
      ['a NUL', `${'x'.repeat(20)}\0`, 422],
    ])('with a description of %s', async (_, text, status) => {
      const answer = await create({ description: text })
      if (status === 201) expect(answer.status).toBe(201)
      else expectRefused(answer, ['description'])
    })

    it('counts photos: 10 are taken, 11 are not', async () => {
      const photos = (count: number) => Array.from({ length: count }, (_, i) => `https://photos.example/${i}.jpg`)
      expect((await create({ photos: photos(10) })).status).toBe(201)
      expectRefused(await create({ photos: photos(11) }), ['photos'])
    })

    it('takes a photo of 5 MiB, and none of a byte more', async () => {
      const limit = 5 * 1024 * 1024
      expect((await create({ photos: [uri('image/jpeg', jpeg(limit))] })).status).toBe(201)
      expectRefused(await create({ photos: [uri('image/jpeg', jpeg(limit + 1))] }), ['photos[0]'])
    })

    it('names each bad photo', async () => {
      const photos = [
        'https://photos.example/a.jpg',
        'data:image/png;base64,!!!!',
        uri('image/png', jpeg()),
        uri('image/gif', jpeg()),
        'ftp://photos.example/a.jpg',
        7,
      ]
      const answer = await create({ photos })
      expect(answer.status).toBe(422)
      expect(fieldsOf(answer).sort()).toEqual(['photos[1]', 'photos[2]', 'photos[3]', 'photos[4]', 'photos[5]'])
    })

    it('names every bad field at once, the unknown ones too', async () => {
      const answer = await create({
        client_id: 4711,
        description: 'court',
        priorite: 'très haute',
        type_probleme: 7,
        photos: 'one',
        colour: 'red',
      })
      expect(fieldsOf(answer).sort()).toEqual([
        'client_id',
        'colour',
        'description',
        'photos',
        'priorite',
        'type_probleme',
      ])
    })

    it('refuses an unknown client and that of another account alike', async () => {
      const unknown = await create({ client_id: 4711 })
      const foreign = await create({ client_id: at.service.foreign.client_id })
      expectRefused(unknown, ['client_id'])
      expect(foreign.text.replaceAll(String(at.service.foreign.client_id), '4711')).toBe(unknown.text)
    })

    it.each([0, -1, 1.5, 2 ** 53, 1e300, '1', true, null, [1], { id: 1 }])('refuses the client_id %j', async (bad) => {
      expectRefused(await create({ client_id: bad }), ['client_id'])
    })

    it.each([null, [], 'text', 7, true, [{}]])('refuses the body %j', async (body) => {
      expectRefused(await send('POST', '/api/v1/sav', body), ['body'])
    })

    it.each(['__proto__', 'constructor', 'prototype', 'toString'])('refuses the field %s', async (name) => {
      const body = JSON.stringify(creation()).replace('{', `{${JSON.stringify(name)}:{"polluted":true},`)
      const answer = await at.door.call('POST', '/api/v1/sav', { headers: at.service.auth(), body })
      expectRefused(answer, [name])
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    })

    it('takes no parameters', async () => {
      expectRefused(await send('POST', '/api/v1/sav?statut=clos', creation()), ['statut'])
    })

    it('writes nothing when it refuses', async () => {
      const first = (await create()).json.data
      await create({ description: 'court' })
      await create({ client_id: 4711 })
      await create({ photos: [uri('image/jpeg', jpeg()), 'nonsense'] })
      const second = (await create()).json.data
      const number = (reference: string) => Number(reference.split('-')[2])
      expect(number(second.reference)).toBe(number(first.reference) + 1)
    })
  })

  describe('listing', () => {
    let listed: Service
    let itsDoor: Door
    const list = (query: string) => itsDoor.call('GET', `/api/v1/sav?${query}`, { headers: listed.auth() })

    beforeAll(async () => {
      listed = await openService(await combination.store())
      itsDoor = await combination.open(listed.api)
      const actor = { account_id: 'default', type: 'cli', id: null, nom: 'test' } as const
      for (let i = 0; i < 201; i += 1) {
        const priorite = i % 2 === 0 ? 'haute' : 'basse'
        const { id } = await listed.sav.cases.create(actor, { client_id: listed.client_id, description, priorite })
        if (i < 3) await listed.sav.cases.update(actor, id, { statut: 'en_cours', poseur_id: listed.poseur_id })
        if (i === 0) await listed.sav.cases.close(actor, id, { resolution })
        await listed.clock.advance(3_600_000)
      }
    })
    afterAll(async () => {
      await itsDoor.close()
      await listed.storage.close()
    })

    it('shows the newest 50 first, with the true total', async () => {
      const { status, json } = await itsDoor.call('GET', '/api/v1/sav', { headers: listed.auth() })
      expect(status).toBe(200)
      expect(json.success).toBe(true)
      expect(json.pagination).toEqual({ page: 1, limite: 50, total: 201, curseur: expect.any(String) })
      expect(json.data).toHaveLength(50)
      expect(json.data[0].reference).toBe('SAV-2026-00201')
    })

    it('shows a case in the specified shape', async () => {
      const { json } = await list('statut=clos')
      expect(json.data).toEqual([
        {
          id: expect.any(Number),
          reference: 'SAV-2026-00001',
          client: { id: listed.client_id, nom: 'Durand', prenom: 'Alice' },
          description,
          statut: 'clos',
          priorite: 'haute',
          date_creation: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          poseur_assigne: { id: listed.poseur_id, nom: 'Bruno Petit' },
          ville: null,
          telephone: null,
        },
      ])
    })

    it.each([
      ['limite=1', 1, 201],
      ['limite=200', 200, 201],
      ['page=5', 1, 201],
      ['page=6', 0, 201],
      ['page=1000000000', 0, 201],
      ['statut=en_cours', 2, 2],
      ['statut=ouvert&limite=200', 198, 198],
      ['priorite=basse&limite=200', 100, 100],
      ['depuis=2026-01-23', 20, 20],
      ['recherche=fa%C3%A7ade', 0, 0],
      ['recherche=porte+du%20meuble&limite=2', 2, 201],
      ['type_probleme=autre&limite=2', 2, 201],
      ['modifie_depuis=2026-01-23T18:30:00Z', 1, 1],
      ['', 50, 201],
      ['&&limite=3&', 3, 201],
    ])('%s gives %i of %i', async (query, shown, total) => {
      const { json, status } = await list(query)
      expect(status).toBe(200)
      expect(json.data).toHaveLength(shown)
      expect(json.pagination.total).toBe(total)
    })

    it('filters by client and poseur, ours only', async () => {
      const total = async (query: string) => (await list(query)).json.pagination.total
      expect(await total(`client_id=${listed.client_id}`)).toBe(201)
      expect(await total(`poseur_id=${listed.poseur_id}`)).toBe(3)
      expect(await total(`client_id=${listed.foreign.client_id}`)).toBe(0)
      const theirs = await itsDoor.call('GET', '/api/v1/sav', { headers: listed.otherAuth })
      expect(theirs.json.pagination.total).toBe(0)
    })

    it.each([
      ['limite=0', ['limite']],
      ['limite=201', ['limite']],
      ['limite=-1', ['limite']],
      ['limite=1.0', ['limite']],
      ['limite=1e2', ['limite']],
      ['limite=+5', ['limite']],
      ['limite=0x10', ['limite']],
      ['limite=', ['limite']],
      ['limite', ['limite']],
      ['limite=99999999999999999999', ['limite']],
      ['page=0', ['page']],
      ['page=1000000001', ['page']],
      ['client_id=0', ['client_id']],
      ['client_id=9007199254740992', ['client_id']],
      ['client_id=abc', ['client_id']],
      ['statut=fini', ['statut']],
      ['statut=', ['statut']],
      ['depuis=2026-02-30', ['depuis']],
      ['depuis=15/01/2026', ['depuis']],
      ['depuis=2026-01-15T00:00:00Z', ['depuis']],
      ['modifie_depuis=hier', ['modifie_depuis']],
      ['recherche=', ['recherche']],
      ['recherche=%00', ['recherche']],
      ['recherche=%zz', ['recherche']],
      ['recherche=%ff', ['recherche']],
      ['statut=ouvert&statut=clos', ['statut']],
      ['limite=5&limite=5', ['limite']],
      ['statu=ouvert', ['statu']],
      ['%zz=1', ['%zz']],
      ['__proto__=1', ['__proto__']],
      ['limite=0&page=0&page=1&statut=x&colour=red', ['statut', 'limite', 'page', 'colour']],
    ])('%s is refused by name', async (query, fields) => {
      expectRefused(await list(query), fields)
    })
  })

  it('never answered 500, and never failed unseen', () => {
    expect(at.service.failures).toEqual([])
  })
})
