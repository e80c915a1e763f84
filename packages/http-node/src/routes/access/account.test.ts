import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../../test/memory-storage.js'
import { type Door, doors, fetchDoor, openService, type Service } from '../../../test/service.js'

describe.each(doors)('the account through the $name door', ({ open }) => {
  let service: Service
  let door: Door
  beforeEach(async () => {
    service = await openService()
    door = await open(service.api)
  })
  afterEach(() => door.close())

  const put = (body: object) =>
    door.call('PUT', '/api/v1/compte', { headers: service.auth(), body: JSON.stringify(body) })

  it('is read and changed, its own alone', async () => {
    const changed = await put({
      ...{ raison_sociale: 'Cuisines Petit', fuseau: 'Indian/Reunion', signature_requise: true },
      ...{ repondre_a: 'reponses@petit.example', url_publique: 'https://sav.petit.example/' },
    })
    expect(changed.status).toBe(200)
    const { json } = await door.call('GET', '/api/v1/compte', { headers: service.auth() })
    expect(json).toEqual(changed.json)
    expect(json.data).toEqual({
      id: 'default',
      raison_sociale: 'Cuisines Petit',
      adresse: null,
      siret: null,
      email: null,
      telephone: null,
      assureur: null,
      mediateur: null,
      logo: false,
      signature_requise: true,
      confirmation_rdv: false,
      rappel_rdv: false,
      prevenir_bureau: false,
      lieu: null,
      zone_feries: 'FR',
      fuseau: 'Indian/Reunion',
      nom_expediteur: null,
      repondre_a: 'reponses@petit.example',
      url_publique: 'https://sav.petit.example',
      textes_terrain: [],
      dossiers_par_mois: null,
      stockage_octets: null,
      pas: 15,
    })
    const theirs = await door.call('GET', '/api/v1/compte', { headers: service.otherAuth })
    expect(theirs.json.data).toMatchObject({ id: 'other', raison_sociale: null })
  })

  it('names every field that is none', async () => {
    const bad = { siret: '123', fuseau: 'Mars/Olympus', id: 'other', logo: 'x' }
    const answer = await put({
      ...bad,
      nom_expediteur: '',
      repondre_a: 'petit',
      url_publique: 'https://petit.example/?a',
    })
    expect(answer.status).toBe(422)
    const fields = answer.json.details.map(({ field }: { field: string }) => field)
    expect(fields.toSorted()).toEqual([...Object.keys(bad), 'nom_expediteur', 'repondre_a', 'url_publique'].toSorted())
  })
})

it('the channels of letters are those of the service, and a store without a description is not named', async () => {
  const { describe: _, ...silent } = await memoryStorage()
  const { api, auth } = await openService(silent, { letters: ['email'] })
  const { json } = await fetchDoor(api).call('GET', '/api/v1/sante', { headers: auth() })
  expect(json.data).toMatchObject({ canaux: ['webhook', 'email'], base: null })
})
