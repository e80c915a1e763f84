import { expect, it } from 'vitest'
import { as, openSav } from '../../test/open-sav.js'
import type { Lieu } from './lieu.js'

const lieu = { ligne1: '12 quai Tilsitt', code_postal: '69002', ville: 'Lyon' }
const point = { lat: 45.7541, lon: 4.8271 }

/** A service with a map that knows every place, or gives these answers. */
async function openWithMap(answer: (lieu: Lieu) => Promise<typeof point | null> = async () => point) {
  const asked: (string | null)[] = []
  const locate = async (place: Lieu) => {
    asked.push(place.ligne1)
    return answer(place)
  }
  return { ...(await openSav({ locate })), asked }
}

it('a place without coordinates is looked up when it is saved', async () => {
  const { sav, asked } = await openWithMap()
  const actor = as('default')
  const { clients, poseurs } = sav.directory
  const client = await clients.add(actor, { nom: 'Moreau', prenom: 'Zoé', lieu })
  expect(client.lieu).toEqual({ ...lieu, ...point, acces: null })
  expect((await clients.update(actor, client.id, { lieu: { ...lieu, ligne1: '3 rue Ney' } })).lieu).toMatchObject(point)
  const poseur = await poseurs.add(actor, { nom: 'Karim Benali', lieu, lieu_retour: lieu })
  expect([poseur.lieu, poseur.lieu_retour]).toMatchObject([point, point])
  expect((await poseurs.update(actor, poseur.id, { lieu_retour: lieu })).lieu_retour).toMatchObject(point)
  expect((await sav.accounts.update(actor, { lieu })).lieu).toMatchObject(point)
  expect(asked).toEqual(['12 quai Tilsitt', '3 rue Ney', ...Array.from({ length: 4 }, () => '12 quai Tilsitt')])
})

it('the map is not called for a place that has coordinates, no street, or no fields at all', async () => {
  const { sav, asked } = await openWithMap()
  const { clients } = sav.directory
  for (const known of [{ ...lieu, lat: 1, lon: 2 }, { ville: 'Lyon' }, null, undefined])
    await clients.add(as('default'), { nom: 'Moreau', prenom: 'Zoé', lieu: known })
  const { id } = await clients.add(as('default'), { nom: 'Moreau', prenom: 'Zoé' })
  expect((await clients.update(as('default'), id, { nom: 'Petit' })).lieu).toBeNull()
  expect(asked).toEqual([])
})

it.each([
  ['does not know it', async () => null],
  ['fails', () => Promise.reject(new Error('away'))],
])('a place is saved without coordinates if the map %s', async (_, answer) => {
  const { sav } = await openWithMap(answer)
  const saved = await sav.directory.clients.add(as('default'), { nom: 'Moreau', prenom: 'Zoé', lieu })
  expect(saved.lieu).toMatchObject({ ...lieu, lat: null, lon: null })
})

it('a transaction of the caller’s does not wait for the map', async () => {
  const { sav, storage, asked } = await openWithMap()
  const { clients } = sav.inTransaction(storage).directory
  expect(await clients.add(as('default'), { nom: 'Moreau', prenom: 'Zoé', lieu })).toMatchObject({
    lieu: { lat: null },
  })
  expect(asked).toEqual([])
})
