import { beforeAll, describe, expect, it } from 'vitest'
import { actor, description, fieldsOf, openCases, resolution } from '../../../test/case-calls.js'

describe('cases', async () => {
  const at = await openCases()
  const { get, send, creation, create, expectRefused } = at

  describe('creating', () => {
    it('answers 201 with the id, the reference and the address of the case', async () => {
      const answer = await create()
      expect(answer.status).toBe(201)
      const { id, reference } = answer.json.data
      expect(answer.json).toEqual({ success: true, data: { id, reference } })
      expect(reference).toMatch(/^SAV-2026-\d{5}$/)
      expect(answer.headers['location']).toBe(`/api/v1/sav/${id}`)
      const detail = await get(`/api/v1/sav/${id}`)
      expect(detail.json.data).toMatchObject({ id, reference, statut: 'ouvert', priorite: 'normale' })
    })

    it('names every invalid field at once, including unknown ones', async () => {
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

    it.each([null, [], 'text', 7, true, [{}]])('refuses the body %j', async (body) => {
      expectRefused(await send('POST', '/api/v1/sav', body), ['body'])
    })

    it.each(['__proto__', 'constructor', 'prototype', 'toString'])('refuses the field %s', async (name) => {
      const body = JSON.stringify(creation()).replace('{', `{${JSON.stringify(name)}:{"polluted":true},`)
      const answer = await at.door.call('POST', '/api/v1/sav', { headers: at.service.auth(), body })
      expectRefused(answer, [name])
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    })
  })

  describe('listing', () => {
    const list = (query: string) => get(`/api/v1/sav?client_id=${client_id}&${query}`)
    let client_id: number

    beforeAll(async () => {
      const { sav, clock, poseur_id } = at.service
      client_id = (await sav.directory.clients.add(actor, { nom: 'Lefèvre', prenom: 'Zoé' })).id
      for (const priorite of ['basse', 'haute', 'haute'] as const) {
        const { id } = await sav.cases.create(actor, { client_id, description, priorite })
        if (priorite === 'basse') {
          await sav.cases.update(actor, id, { statut: 'en_cours', poseur_id })
          await sav.cases.close(actor, id, { resolution })
        }
        await clock.advance(3_600_000)
      }
    })

    it('shows the newest first, 50 a page by default, with the total of all pages', async () => {
      const { status, json } = await list('')
      expect([status, json.success]).toEqual([200, true])
      expect(json.pagination).toEqual({ page: 1, limite: 50, total: 3, curseur: null })
      const references = json.data.map(({ reference }: { reference: string }) => reference)
      expect(references).toEqual(references.toSorted().reverse())
    })

    it('shows a case in the specified shape', async () => {
      const { json } = await list('statut=clos')
      expect(json.data).toEqual([
        {
          id: expect.any(Number),
          reference: expect.stringMatching(/^SAV-2026-\d{5}$/),
          client: { id: client_id, nom: 'Lefèvre', prenom: 'Zoé' },
          description,
          statut: 'clos',
          priorite: 'basse',
          date_creation: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          poseur_assigne: { id: at.service.poseur_id, nom: 'Bruno Petit' },
          ville: null,
          telephone: null,
        },
      ])
    })

    it.each([
      ['recherche=%zz', ['recherche']],
      ['recherche=%ff', ['recherche']],
      ['statut=ouvert&statut=clos', ['statut']],
      ['limite=5&limite=5', ['limite']],
      ['statu=ouvert', ['statu']],
      ['%zz=1', ['%zz']],
      ['__proto__=1', ['__proto__']],
      ['limite=0&page=0&page=1&statut=x&colour=red', ['statut', 'limite', 'page', 'colour']],
    ])('%s is refused, naming the parameters', async (query, fields) => {
      expectRefused(await list(query), fields)
    })
  })
})
