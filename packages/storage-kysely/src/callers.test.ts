import { describe, expect, it } from 'vitest'
import { actor, png, serviceOn } from '../test/shop.js'
import { peculiarTeams, teams } from '../test/teams.js'

describe.each([...teams.slice(1), ...peculiarTeams])('inside %s', (_, open) => {
  it('a case is created, closed, reopened and closed again, and its ids and counts are read as numbers', async () => {
    const { storage, within, rows } = await open()
    const ours = serviceOn(storage)
    await ours.accounts.add(actor, 'default')
    await ours.webhooks.endpoints.add(actor, { url: 'https://erp.example/', events: ['sav.created', 'sav.closed'] })
    const client = await ours.directory.clients.add(actor, { nom: 'Durand', prenom: 'Alice', telephone: '0612345678' })
    const poseur = await ours.directory.poseurs.add(actor, { nom: 'Bruno Petit' })
    let id = 0
    await within(1, async (inside) => {
      const sav = ours.inTransaction(inside)
      const description = 'La façade « chêne » s’écaille sous l’évier.'
      id = (await sav.cases.create(actor, { client_id: client.id, description, photos: [png] })).id
      expect(await sav.cases.update(actor, id, { notes_internes: 'Code 4711', poseur_id: poseur.id })).toMatchObject({
        version: 2,
        client: { id: client.id },
      })
      await sav.cases.close(actor, id, { resolution: 'Façade remplacée.', signature_client: png })
      await sav.cases.reopen(actor, id, { motif: 'La façade s’écaille à nouveau.' })
      await sav.cases.close(actor, id, { resolution: 'Façade remplacée.' })
      const { total } = await sav.cases.list('default', {})
      expect(total).toBe(1)
    })
    const found = await ours.cases.get('default', id)
    expect(found).toMatchObject({ id, version: 5, statut: 'clos', preuve: [{ sequence: 1 }, { sequence: 2 }] })
    expect((await ours.directory.clients.get('default', client.id)).telephone).toBe('0612345678')
    expect(await ours.evidence.verify('default')).toMatchObject({ checked: 2, broken: [] })
    const { items } = await ours.webhooks.deliveries.list('default', {})
    expect(items.map(({ event }) => event).toSorted()).toEqual(['sav.closed', 'sav.closed', 'sav.created'])
    expect(await rows()).toEqual([1])
  })

  it('a rollback by the caller undoes its writes and ours', async () => {
    const { storage, within, rows } = await open()
    const ours = serviceOn(storage)
    await ours.accounts.add(actor, 'default')
    const client = await ours.directory.clients.add(actor, { nom: 'Durand', prenom: 'Alice' })
    const refusal = new Error('the order was refused')
    const failing = within(1, async (inside) => {
      const description = 'La porte ne ferme plus.'
      await ours.inTransaction(inside).cases.create(actor, { client_id: client.id, description })
      throw refusal
    })
    await expect(failing).rejects.toBe(refusal)
    expect((await ours.cases.list('default', {})).total).toBe(0)
    expect(await rows()).toEqual([])
  })
})
