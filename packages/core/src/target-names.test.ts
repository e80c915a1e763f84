import { expect, it } from 'vitest'
import { as, openSav } from '../test/open-sav.js'

it('on request, audited calls are listed with the current names of their targets', async () => {
  const { sav, storage } = await openSav()
  const actor = as('default')
  const alice = await sav.directory.clients.add(actor, { nom: 'Durand', prenom: 'Alice' })
  const [nom, raison_sociale] = ['Roux', 'Cuisines du Rhône']
  const company = await sav.directory.clients.add(actor, { nom, prenom: '', raison_sociale })
  const poseur = await sav.directory.poseurs.add(actor, { nom: 'Karim Benali' })
  const { id } = await sav.cases.create(actor, { client_id: alice.id, description: 'La porte ne ferme plus.' })
  const visit = { poseur_id: poseur.id, debut: '2027-03-16T08:00:00Z', duree_minutes: 60 }
  const rdv = await sav.planning.book(actor, { ...visit, sav_id: id })
  const user = await sav.users.add(actor, { nom: 'Claire Petit', email: 'claire@shop.example', role: 'gestion' })
  const key = await sav.keys.create(actor, { nom: 'Caisse', permissions: ['sav:read'] })
  const endpoint = await sav.webhooks.endpoints.add(actor, { url: 'https://shop.example/sav', events: ['sav.created'] })
  const photo = { sha256: 'a'.repeat(64), media_type: 'image/jpeg', content: Uint8Array.of(1) }
  await storage.transaction((tx) => tx.files.put('default', id, photo))
  await sav.planning.change(actor, rdv.id, { statut: 'absent' })
  const [waiting] = await sav.followUps.list('default', { receivers: false })
  await sav.followUps.done(actor, waiting?.id ?? '', { receivers: false })
  const names = [
    [`fichiers:${photo.sha256}`, 'SAV-2026-00001'],
    [`fichiers:${'b'.repeat(64)}`, null],
    [`a-traiter:${waiting?.id}`, 'Alice Durand'],
    [`a-traiter:recepteur_en_echec-${endpoint.id}-1760000000000`, 'https://shop.example/sav'],
    ['a-traiter:client_absent-999-1', null],
    [`case:${id}`, 'SAV-2026-00001'],
    [`client:${alice.id}`, 'Alice Durand'],
    [`client:${company.id}`, 'Cuisines du Rhône'],
    [`poseur:${poseur.id}`, 'Karim Benali'],
    [`rdv:${rdv.id}`, 'Alice Durand'],
    [`user:${user.id}`, 'Claire Petit'],
    [`key:${key.id}`, 'Caisse'],
    [`endpoint:${endpoint.id}`, 'https://shop.example/sav'],
    ['case:999', null],
    ['client:999', null],
    ['account:default', null],
    [null, null],
  ] as const
  const call = { ip: '192.0.2.7', method: 'PUT', endpoint: '/', status: 200, duration_ms: 1 }
  const about = { ...call, account_id: 'default', key_id: null, user_id: null }
  await storage.transaction(async (tx) => {
    for (const [n, [target]] of names.entries())
      await sav.audit.record(tx, { ...about, target, time: n, request_id: `r${n}` })
  })
  const { items } = await sav.audit.list('default', { noms: 'true' })
  expect(items.map(({ target, nom }) => [target, nom]).toReversed()).toEqual(names)
  const plain = await sav.audit.list('default', {})
  expect(plain.items.filter((call) => 'nom' in call)).toEqual([])
  const others = await sav.audit.list('other', { noms: 'true' })
  expect(others.items).toEqual([])
})
