import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noteMissing } from '../../../test/needs.js'
import { caseOnTheWire } from '../src/links.js'
import { listen } from '../src/node-server/listener.js'
import { as } from './composed.js'
import { fuzz, type KnownValues, whyNot } from './fuzz/schemathesis.js'
import { openService, type Service, sqliteInTemporaryFile } from './service.js'

const seed = Number(process.env['SAV_TEST_SEED'] ?? 1)
const description = 'La porte du meuble bas ne ferme plus.'
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const image = `data:image/png;base64,${png}`

// Takes minutes: `npm run test:fuzz`. In the other tests, `heldToContract` compares each answer with the contract.
describe.runIf(process.env['SAV_TEST_FUZZ'] === '1')('the API under Schemathesis', () => {
  let service: Service
  beforeAll(async () => {
    service = await openService(await sqliteInTemporaryFile())
  })
  afterAll(() => service.storage.close())

  /** One thing of each kind for calls to change, and other things for bodies to refer to. */
  async function knownOf({ sav, clock, client_id, poseur_id }: Service): Promise<KnownValues> {
    const actor = as('default')
    const { id } = await sav.cases.create(actor, { client_id, description, photos: [image] })
    const { photos } = caseOnTheWire(await sav.cases.get('default', id))
    const client = await sav.directory.clients.add(as('default'), { nom: 'Petit', prenom: 'Zoé' })
    const poseur = await sav.directory.poseurs.add(as('default'), { nom: 'Petit' })
    const endpoint = await sav.webhooks.endpoints.add(as('default'), {
      url: 'https://receiver.example/',
      events: ['sav.created'],
    })
    const { delivery_id } = await sav.webhooks.endpoints.test(as('default'), endpoint.id)
    const replay = await sav.webhooks.replays.start(as('default'), {})
    const debut = '2026-03-16T08:00:00.000Z'
    const rdv = await sav.planning.book(actor, { sav_id: id, poseur_id, debut, duree_minutes: 60 })
    const key = await sav.keys.create(as('default'), { nom: 'autre', permissions: ['sav:read'] })
    return {
      timestamp: String(Math.floor(clock.now() / 1000)),
      ids: [
        ['/api/v1/sav/', { id, sha256: photos[0]?.url.split('/').at(-1) }],
        ['/api/v1/clients/', { id: client.id }],
        ['/api/v1/poseurs/', { id: poseur.id }],
        ['/api/v1/webhooks/', { endpoint: endpoint.id, delivery: delivery_id, replay: replay.id }],
        ['/api/v1/cles/', { key: key.id }],
        ['/api/v1/planning/poseurs/', { id: poseur.id }],
        ['/v1/planning/poseurs/', { id: poseur.id }],
        ['/api/v1/planning/', { id: rdv.id }],
        ['/v1/planning/', { id: rdv.id }],
      ],
      values: {
        client_id,
        poseur_id,
        rdv_id: rdv.id,
        deplacements: [{ rdv_id: rdv.id, debut: '2026-03-17T08:00:00.000Z', poseur_id }],
        recherche: 'porte',
        debut,
        du: '2026-03-16',
        au: '2026-03-16',
        equipiers: [],
        poseur_ids: [poseur_id],
        code_postal: '69002',
        fenetre: '08:00-12:00',
        pas: 15,
        fuseau: 'Europe/Paris',
        lieu: { code_postal: '69002', ville: 'Lyon' },
        lieu_retour: { code_postal: '69002', ville: 'Lyon' },
        periodes: [],
        exceptions: [],
        absences: [],
        photos: [image],
        photo_avant: image,
        photo_apres: image,
        signature_client: image,
        logo: image,
        url: 'https://receiver.example/',
        url_publique: 'https://sav.example',
        headers: { 'X-Token': 'a value' },
        ips: ['192.0.2.0/24'],
        expire: new Date(clock.now() + 86_400_000).toISOString(),
      },
    }
  }

  // About 140 requests for each operation, at 6 a second on a busy machine.
  it('answers generated calls as the contract says', { timeout: 3_000_000 }, async ({ skip }) => {
    const reason = await whyNot()
    if (reason !== undefined) {
      noteMissing('Schemathesis (Python)', 'that whatever it makes of the contract is answered as the contract says')
      skip(reason)
    }
    const listener = await listen(service.api, { host: '127.0.0.1', port: 0 })
    const key = await service.key(['admin'])
    const known = await knownOf(service)
    const extent = { examples: 40, phases: ['examples', 'coverage', 'fuzzing', 'stateful'] as const }
    const { generated, found } = await fuzz(listener.url, { key, known, seed, ...extent })
    await listener.close()
    console.log(`Schemathesis made ${generated} requests (SAV_TEST_SEED=${seed}).`)
    expect(found).toBeNull()
    expect(generated).toBeGreaterThanOrEqual(3000)
    expect(
      service.failures.map(({ error }) => error).filter((error) => !String(error).includes('being drawn')),
    ).toEqual([])
  })
})
