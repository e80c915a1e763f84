import { expect, it } from 'vitest'
import { as } from '../../../http-node/test/composed.js'
import { fetchDoor, openService } from '../../../http-node/test/service.js'

it('the API moves a visit and undoes that, and lists a missed visit until it is marked as done', async () => {
  const service = await openService()
  const { sav, client_id, poseur_id } = service
  const door = fetchDoor(service.api)
  const key = await service.key(['sav:read', 'sav:write', 'planning:read', 'planning:write'])
  const call = async (method: string, path: string, body?: object) => {
    const headers = service.auth({ authorization: `Bearer ${key}` })
    return door.call(method, path, { headers, ...(body && { body: JSON.stringify(body) }) })
  }
  const actor = as('default')
  const { id } = await sav.cases.create(actor, { client_id, description: 'La porte du meuble bas ne ferme plus.' })

  const helper = await sav.directory.poseurs.add(actor, { nom: 'Ismaël Roy' })
  const booking = { poseur_id, debut: '2026-03-16T08:00:00Z', duree_minutes: 60 }
  const rdv = await sav.planning.book(actor, { ...booking, sav_id: id })
  const deplacements = [{ rdv_id: rdv.id, debut: '2026-03-17T08:00:00Z', poseur_id: helper.id }]
  const moved = await call('POST', '/v1/planning/replacer', { deplacements, prevenir: false })
  expect(moved.json.data).toMatchObject({ rdv: [{ id: rdv.id, poseur: { id: helper.id } }] })
  const undone = await call('POST', '/v1/planning/tournees/annuler', { version: moved.json.data.version })
  expect(undone.json.data.rdv).toMatchObject([{ id: rdv.id, poseur: { id: poseur_id } }])
  const { json: ofCase } = await call('GET', `/api/v1/sav/${id}/rdv`)
  expect(ofCase.data).toMatchObject([{ id: rdv.id, debut: rdv.debut }])

  await call('PATCH', `/v1/planning/${rdv.id}`, { statut: 'absent' })
  const { json: toDo } = await call('GET', '/api/v1/a-traiter')
  expect(toDo.data).toMatchObject([{ type: 'client_absent', rdv_id: rdv.id, sav_id: id, client: { id: client_id } }])
  const other = await sav.planning.book(actor, { ...booking, client_id })
  const taken = await call('PATCH', `/v1/planning/${rdv.id}`, { statut: 'planifie' })
  expect([taken.status, taken.json.conflit.id, taken.json.alternatives.length]).toEqual([409, other.id, 3])
  const done = await call('POST', `/api/v1/a-traiter/${toDo.data[0].id}/fait`)
  expect([done.status, done.json.data]).toMatchObject([200, { fait_par: { type: 'cle', nom: 'test' } }])
  expect((await call('GET', '/api/v1/a-traiter')).json.data).toEqual([])
  expect((await call('POST', '/api/v1/a-traiter/client_absent-9-9/fait')).status).toBe(404)
  await door.close()
})

it('the list of cases shows the town, with directory:read the telephone, and as CSV the company', async () => {
  const service = await openService()
  const { sav } = service
  const actor = as('default')
  const company = { nom: 'Accueil', prenom: '', raison_sociale: 'Cuisines du Rhône', telephone: '+33472000001' }
  const client = await sav.directory.clients.add(actor, { ...company, lieu: { ville: 'Givors' } })
  await sav.cases.create(actor, { client_id: client.id, description: 'La porte du meuble bas ne ferme plus.' })
  const door = fetchDoor(service.api)
  const got = async (path: string, permissions: Parameters<typeof service.key>[0]) => {
    const headers = service.auth({ authorization: `Bearer ${await service.key(permissions)}` })
    return door.call('GET', path, { headers })
  }
  const withoutClients = await got('/api/v1/sav', ['sav:read', 'planning:read'])
  expect(withoutClients.json.data).toMatchObject([{ ville: 'Givors' }])
  expect(withoutClients.json.data[0]).not.toHaveProperty('telephone')
  const whole = await got('/api/v1/sav', ['sav:read', 'directory:read'])
  expect(whole.json.data).toMatchObject([{ ville: 'Givors', telephone: '+33472000001' }])
  const sheet = await got('/api/v1/sav/export?format=csv', ['sav:read', 'directory:read'])
  const [heads = '', row = ''] = sheet.text.split(/\r?\n/)
  expect(heads).toContain('client_nom;client_prenom;raison_sociale;telephone;ville')
  expect(row).toContain('Accueil;;Cuisines du Rhône;')
  await door.close()
})
