import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldStore } from '../../../field/src/field-store.js'
import { type Listener, listen } from '../../../http-node/src/index.js'
import { onPostgres, onSqlite } from '../../../http-node/test/service.js'
import { type Cut, CuttingProxy, cuts } from '../../test/terrain/cutting-proxy.js'
import { Kitchen } from '../../test/terrain/kitchen.js'
import { type Installer, type Office, openOffice } from '../../test/terrain/office.js'
import { fact } from '../../test/terrain/samples.js'
import { unsentCount } from '../sync/item.js'

const isLong = process.env['SAV_TEST_CHAOS'] === '1'
// In fewer than twelve runs, not every call would be cut at every place in `cuts`.
const runs = isLong ? 500 : 12

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const resolution = 'Charnière remplacée, porte réglée.'

describe.each([onSqlite, onPostgres])(
  'the reports of a visit, sent through $name,',
  { timeout: 900_000 },
  ({ store }) => {
    let storage: Awaited<ReturnType<typeof store>>
    let office: Office
    let bruno: Installer
    let listener: Listener
    let proxy: CuttingProxy
    beforeAll(async () => {
      storage = await store()
      office = await openOffice(storage)
      listener = await listen(office.api, { host: '127.0.0.1', port: 0 })
      proxy = new CuttingProxy(listener.url)
      await proxy.listen()
    })
    afterAll(async () => {
      await proxy.close()
      await listener.close()
      await storage.close()
    })

    const send = (phone: Kitchen) =>
      phone.send((path, init) => {
        const own = { cookie: bruno.cookie, origin: proxy.url, 'sec-fetch-site': 'same-origin' }
        return fetch(proxy.url + path, {
          ...init,
          headers: { ...Object.fromEntries(new Headers(init.headers)), ...own },
        })
      })

    /** Queues the reports on a visit: its beginning, a close with three photos and a signature, and comments. */
    async function told(phone: Kitchen, run: number) {
      const visit = await office.visit(bruno)
      const [avant, apres, autre] = [await phone.photo(600_000), await phone.photo(300_000), await phone.photo(9_000)]
      const signature = await phone.keep(Buffer.concat([png, Buffer.from(String(run))]))
      const files = [avant, apres, autre, signature]
      const survenu_a = new Date(Date.now() - 3_600_000).toISOString()
      const tell = (...[name, rest, brought]: [string, Parameters<typeof fact>[2], string[]?]) =>
        phone.tell({
          ...fact(`${name}-${visit.rdv_id}`, visit.rdv_id, rest, brought),
          ...{ sav_id: visit.sav_id, version: visit.version, survenu_a },
        })
      tell('debut', { operation: 'debut', body: {} })
      const photos = [
        { sha256: avant, moment: 'avant' as const },
        { sha256: apres, moment: 'apres' as const },
        { sha256: autre, moment: 'autre' as const },
      ]
      const cloture = { resolution, signataire_nom: 'Alice Durand', signature, reserves: ['Vitre rayée.'], vu: 'Lu.' }
      const body = { resultat: 'resolu' as const, compte_rendu: resolution, commentaires: ['Vu.'], photos, cloture }
      tell('intervention', { operation: 'intervention', body }, files)
      tell('commentaire', { operation: 'commentaire', body: { texte: 'Prévoir un joint.' } })
      return { ...visit, files, avant, apres, autre, signature }
    }

    it(`arrive once, with all their files, wherever the calls are cut: ${runs} times`, async () => {
      const waysOf = new Map<string, Set<Cut>>()
      for (let run = 0; run < runs; run += 1) {
        if (run % 50 === 0) bruno = await office.installer(`Bruno ${run}`)
        const phone = new Kitchen(bruno.person)
        const visit = await told(phone, run)
        const seen = new Map<string, number>()
        const cutOf = (call: string) => {
          const times = (seen.get(call) ?? 0) + 1
          seen.set(call, times)
          const at = [...seen.keys()].indexOf(call)
          // Each call succeeds at the second or third attempt. Before each attempt the phone calls /session, which is
          // cut less often.
          if (times > 1 + (run % 2) || (call.endsWith('/session') && (seen.size + run) % 3 > 0)) return null
          const cut = cuts[(at + times + run) % cuts.length] ?? 'before'
          const plain = call.replace(/\d+\/(?=debut|inter|comm)|[0-9a-f]{64}/, '')
          waysOf.set(plain, (waysOf.get(plain) ?? new Set()).add(cut))
          return cut
        }
        proxy.cutOf = cutOf
        for (let round = 0; round < 100 && unsentCount(phone.kept) > 0; round += 1) {
          phone.hurry()
          await send(phone)
        }
        proxy.cutOf = () => null

        expect(phone.kept.items.map(({ state }) => (state.is === 'refused' ? state.refusal : state.is))).toEqual(
          Array(3).fill('received'),
        )
        const found = await office.sav.cases.get('default', visit.sav_id)
        const { interventions, photos, historique, preuve } = found
        expect(interventions.map(({ rdv_id, compte_rendu }) => [rdv_id, compte_rendu])).toEqual([
          [visit.rdv_id, resolution],
        ])
        expect(photos.map((photo) => 'sha256' in photo && photo.sha256)).toEqual([visit.autre])
        const { avant: photo_avant, apres: photo_apres, signature: signature_client } = visit
        expect(found).toMatchObject({ statut: 'clos', photo_avant, photo_apres, signature_client, addenda: [] })
        expect(preuve).toHaveLength(1)
        expect(await storage.reads.of(fieldStore).uploadedBytes('default', bruno.person)).toBe(0)
        for (const sha256 of visit.files) {
          const { content } = await office.sav.cases.file('default', visit.sav_id, sha256)
          expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
        }
        const { items } = await office.sav.cases.comments('default', visit.sav_id, {})
        expect(items.map(({ texte }) => texte).toSorted()).toEqual(['Prévoir un joint.', 'Vu.'])
        const kinds = historique.map(({ type }) => type)
        expect(
          kinds.filter((type) => ['intervention', 'cloture', 'commentaire', 'photo'].includes(type)).toSorted(),
        ).toEqual(['cloture', 'commentaire', 'commentaire', 'intervention', 'photo'])
      }
      // Each call was cut at every place in `cuts`.
      expect(waysOf.size).toBeGreaterThan(9)
      for (const [call, ways] of waysOf) expect([call, ways.size]).toEqual([call, cuts.length])
      expect((await office.sav.evidence.verify('default')).broken).toEqual([])
    })
  },
)
