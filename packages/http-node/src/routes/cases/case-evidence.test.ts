import { describe, expect, it } from 'vitest'
import { openCases, sha256 } from '../../../test/case-calls.js'

describe('cases', async () => {
  const at = await openCases()
  const { get, send, newCase, closed } = at

  describe('evidence', () => {
    it('contains what was hashed for a close, and the entry in the chain', async () => {
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

    it('is checked for each close separately', async () => {
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
  })
})
