import { describe, expect, it } from 'vitest'
import { memoryStorage } from '../../../../../test/memory-storage.js'
import { fetchDoor, inMemory, openService, served } from '../../../test/service.js'

describe('the account', async () => {
  const { service, door } = await served(inMemory.open)

  const put = (body: object) =>
    door.call('PUT', '/api/v1/compte', { headers: service.auth(), body: JSON.stringify(body) })

  it('can be read and changed, without an effect on other accounts', async () => {
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
      couleur: '#17507a',
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
})

it('the health of deliveries names the letter channels, and no database if the storage describes none', async () => {
  const { describe: _, ...silent } = await memoryStorage()
  const { api, auth } = await openService(silent, { letters: ['email'] })
  const { json } = await fetchDoor(api).call('GET', '/api/v1/sante', { headers: auth() })
  expect(json.data).toMatchObject({ canaux: ['webhook', 'email'], base: null })
})
