import { describe, expect, it } from 'vitest'
import { description, jpeg, openCases, png, resolution, sha256, uri } from '../../../test/case-calls.js'

describe('cases', async () => {
  const at = await openCases()
  const { get, send, newCase, closed, expectRefused } = at

  describe('reading one', () => {
    it('answers with the whole case and its ETag', async () => {
      const id = await newCase({ photos: [uri('image/jpeg', jpeg()), 'https://photos.example/b.jpg'] })
      const { status, headers, json } = await get(`/api/v1/sav/${id}`)
      expect(status).toBe(200)
      expect(headers['etag']).toBe(`"${id}-1"`)
      expect(json.data).toMatchObject({
        id,
        description,
        interventions: [],
        historique: [{ type: 'creation', acteur: { type: 'cle', nom: 'test' } }],
        photos: [{ url: `/api/v1/sav/${id}/fichiers/${sha256(jpeg())}` }, { url: 'https://photos.example/b.jpg' }],
        version: 1,
      })
    })

    it.each([
      '0',
      '-1',
      '01',
      '1.0',
      '1e0',
      'abc',
      '9007199254740992',
      '99999999999999999999',
      '%20',
      'SAV-2026-00001',
    ])('answers 404 for the id %s, as for a case that does not exist', async (id) => {
      const answer = await get(`/api/v1/sav/${id}`)
      expect(answer.status).toBe(404)
      expect(answer.text).toBe('{"success":false,"error":"Case not found","code":"case_not_found","params":{}}')
    })

    it('takes no parameters', async () => {
      expectRefused(await get(`/api/v1/sav/${await newCase()}?full=1`), ['full'])
    })
  })

  describe('updating', () => {
    it('answers with the whole case and its new ETag', async () => {
      const id = await newCase()
      const answer = await send('PUT', `/api/v1/sav/${id}`, { statut: 'en_cours', poseur_id: at.service.poseur_id })
      expect(answer.status).toBe(200)
      expect(answer.headers['etag']).toBe(`"${id}-2"`)
      expect(answer.json).toEqual((await get(`/api/v1/sav/${id}`)).json)
      expect(answer.json.data).toMatchObject({ statut: 'en_cours', poseur_assigne: { nom: 'Bruno Petit' }, version: 2 })
    })

    it('does not close a case, and changes only the notes of a closed one', async () => {
      const id = await closed()
      for (const [path, body] of [
        [`/api/v1/sav/${await newCase()}`, { statut: 'clos' }],
        [`/api/v1/sav/${id}`, { priorite: 'haute' }],
        [`/api/v1/sav/${id}`, { statut: 'en_cours' }],
      ] as const) {
        const answer = await send('PUT', path, body)
        expect(answer.status).toBe(409)
        expect(answer.json).toMatchObject({
          success: false,
          error: 'Conflict',
          detail: expect.stringMatching(/^Case SAV-/),
        })
      }
      expect((await send('PUT', `/api/v1/sav/${id}`, { notes_internes: 'Rappeler.' })).status).toBe(200)
    })

    it.each([
      ['the tag of its version', (id: number) => `"${id}-1"`, 200],
      ['a list with that tag', (id: number) => `"${id}-7" , "${id}-1"`, 200],
      ['a star', () => '*', 200],
      ['a stale tag', (id: number) => `"${id}-0"`, 412],
      ['the tag of another case', (id: number) => `"${id + 1}-1"`, 412],
      ['a weak tag', (id: number) => `W/"${id}-1"`, 412],
      ['a tag without quotes', (id: number) => `${id}-1`, 412],
      ['a list with something else in it', (id: number) => `"${id}-1", nonsense`, 412],
      ['nothing in it', () => '', 412],
    ])('checks If-Match with %s', async (_, tag, status) => {
      const id = await newCase()
      const answer = await send('PUT', `/api/v1/sav/${id}`, { statut: 'en_cours' }, { 'if-match': tag(id) })
      expect(answer.status).toBe(status)
      expect((await get(`/api/v1/sav/${id}`)).json.data.version).toBe(status === 200 ? 2 : 1)
      if (status === 412) expect(answer.json).toMatchObject({ success: false, error: 'Precondition failed' })
    })
  })

  describe('closing', () => {
    it('answers with the evidence', async () => {
      const id = await newCase()
      const answer = await send('POST', `/api/v1/sav/${id}/cloturer`, {
        resolution,
        photo_avant: uri('image/jpeg', jpeg()),
        signature_client: uri('image/png', png()),
        signataire_nom: 'Alice Durand',
        reserves: ['Une rayure sur la façade.'],
      })
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({
        success: true,
        data: {
          id,
          reference: expect.stringMatching(/^SAV-/),
          statut: 'clos',
          date_cloture: expect.stringMatching(/Z$/),
          hash_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          preuve: { sequence: expect.any(Number), hash_entree: expect.stringMatching(/^[0-9a-f]{64}$/) },
          pv: { statut: 'non_configure' },
        },
      })
    })

    it('a second time answers 409 with the existing hash', async () => {
      const id = await newCase()
      const { hash_sha256 } = (await send('POST', `/api/v1/sav/${id}/cloturer`, { resolution })).json.data
      const second = await send('POST', `/api/v1/sav/${id}/cloturer`, { resolution: 'Une autre résolution.' })
      expect(second.status).toBe(409)
      expect(second.json).toMatchObject({ success: false, error: 'Case is already closed', hash_sha256 })
    })
  })

  describe('reopening', () => {
    it('answers with the reopened case', async () => {
      const id = await closed()
      const answer = await send('POST', `/api/v1/sav/${id}/rouvrir`, { motif: 'Le client rappelle.' })
      expect(answer.status).toBe(200)
      expect(answer.headers['etag']).toBe(`"${id}-3"`)
      expect(answer.json.data).toMatchObject({
        statut: 'en_cours',
        resolution: null,
        preuve: [{ hash_sha256: expect.any(String) }],
      })
    })
  })
})
