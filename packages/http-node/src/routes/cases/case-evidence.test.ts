import { describe, expect, it } from 'vitest'
import { jpeg, openCases, resolution, sha256, uri } from '../../../test/case-calls.js'
import type { Answer } from '../../../test/service.js'

describe('cases', async () => {
  const at = await openCases()
  const { get, send, newCase, closed, expectRefused } = at

  describe('evidence', () => {
    it('lets anyone recompute a close and its place in the chain', async () => {
      const first = await closed()
      const second = await closed()
      const { json, status } = await get(`/api/v1/sav/${first}/preuve`)
      expect(status).toBe(200)
      const { snapshot, hash_sha256, entree, precedente, suivante } = json.data
      expect(Object.keys(json.data).sort()).toEqual(
        'effacement entree hash_sha256 horodatage precedente snapshot suivante'.split(' '),
      )
      expect(sha256(snapshot)).toBe(hash_sha256)
      expect(Object.keys(entree).sort()).toEqual(
        'account date hash_dossier hash_entree hash_precedent reference sequence version'.split(' '),
      )
      expect(entree.hash_dossier).toBe(hash_sha256)
      const { hash_entree, ...link } = entree
      const canonical = Object.fromEntries(Object.entries(link).sort(([a], [b]) => (a < b ? -1 : 1)))
      expect(sha256(JSON.stringify(canonical))).toBe(hash_entree)
      expect(entree.hash_precedent).toBe(precedente?.hash_entree ?? '0'.repeat(64))
      expect(suivante).toEqual((await get(`/api/v1/sav/${second}/preuve`)).json.data.entree)
    })

    it('of an earlier close is found by its sequence', async () => {
      const id = await closed()
      const earlier = (await get(`/api/v1/sav/${id}/preuve`)).json.data.entree.sequence
      await send('POST', `/api/v1/sav/${id}/rouvrir`, { motif: 'Le client rappelle.' })
      await send('POST', `/api/v1/sav/${id}/cloturer`, { resolution: 'Réglée une seconde fois.' })
      const latest = (await get(`/api/v1/sav/${id}/preuve`)).json.data
      expect(latest.entree.sequence).toBeGreaterThan(earlier)
      const found = (await get(`/api/v1/sav/${id}/preuve?sequence=${earlier}`)).json.data
      expect(JSON.parse(found.snapshot).resolution).toBe(resolution)
      const other = await closed()
      expect((await get(`/api/v1/sav/${other}/preuve?sequence=${earlier}`)).json).toMatchObject({
        success: false,
        error: 'Not found',
      })
    })

    it('is checked close by close', async () => {
      const id = await closed()
      await send('POST', `/api/v1/sav/${id}/rouvrir`, { motif: 'Le client rappelle.' })
      await send('POST', `/api/v1/sav/${id}/cloturer`, { resolution: 'Réglée une seconde fois.' })
      const checks = (await get(`/api/v1/sav/${id}/preuve/verification`)).json.data
      expect(checks).toMatchObject([
        { dossier: 'conforme', chaine: true, remplace_le: checks[1].date },
        { dossier: 'conforme', chaine: true, remplace_le: null },
      ])
      for (const { sequence, hash_sha256 } of checks) {
        const proof = (await get(`/api/v1/sav/${id}/preuve?sequence=${sequence}`)).json.data
        expect(proof.hash_sha256).toBe(hash_sha256)
      }
      expect((await get(`/api/v1/sav/${await newCase()}/preuve/verification`)).json.data).toEqual([])
      expect((await get('/api/v1/sav/999999/preuve/verification')).status).toBe(404)
    })

    it('of no sequence is refused by name', async () => {
      expectRefused(await get(`/api/v1/sav/${await closed()}/preuve?sequence=0`), ['sequence'])
    })

    it('is listed as the chain that it is, page by page', async () => {
      await closed()
      const last = await closed()
      const { sequence } = (await get(`/api/v1/sav/${last}/preuve`)).json.data.entree
      const listed = []
      let curseur: string | null = '0'
      while (curseur !== null) {
        const { json }: Answer = await get(`/api/v1/preuves?limite=1&curseur=${curseur}`)
        listed.push(...json.data)
        curseur = json.pagination.curseur
      }
      expect(listed.map((entry) => entry.sequence)).toEqual(Array.from({ length: sequence }, (_, n) => n + 1))
      expect(listed.slice(1).map((entry) => entry.hash_precedent)).toEqual(
        listed.slice(0, -1).map((entry) => entry.hash_entree),
      )
      expectRefused(await get('/api/v1/preuves?limite=201&curseur=x'), ['curseur', 'limite'])
    })

    it('of a case never closed is not found', async () => {
      expect((await get(`/api/v1/sav/${await newCase()}/preuve`)).json).toMatchObject({
        success: false,
        error: 'Not found',
      })
    })
  })

  describe('files', () => {
    it('are found through no other case', async () => {
      await newCase({ photos: [uri('image/jpeg', jpeg())] })
      const other = await newCase()
      for (const name of [sha256(jpeg()), '0'.repeat(64), 'nonsense', '..%2f..']) {
        const answer = await get(`/api/v1/sav/${other}/fichiers/${name}`)
        expect(answer.status).toBe(404)
        expect(answer.json).toMatchObject({ success: false, error: 'Not found' })
      }
    })
  })

  it('never answered 500, and never failed unseen', () => {
    expect(at.service.failures).toEqual([])
  })
})
