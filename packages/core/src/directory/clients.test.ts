import { describe, expect, it } from 'vitest'
import { badFields } from '../../test/case-samples.js'
import { as, openSav } from '../../test/open-sav.js'

const zoe = { nom: 'Moreau', prenom: 'Zoé' }

describe('a client', () => {
  it('has the given fields, and null for the rest', async () => {
    const { sav } = await openSav()
    const added = await sav.directory.clients.add(as('default'), { ...zoe, nom: '  Moreau ' })
    expect(added).toEqual({
      id: expect.any(Number),
      ...zoe,
      raison_sociale: null,
      email: null,
      telephone: null,
      adresse: null,
      lieu: null,
      whatsapp: false,
      efface_le: null,
    })
    expect(await sav.directory.clients.get('default', added.id)).toEqual(added)
  })

  it('that is a company needs no first name, and an erasure removes its name', async () => {
    const { sav } = await openSav()
    const company = { nom: 'Menuiserie Petit', prenom: '', raison_sociale: 'Menuiserie Petit SARL' }
    const { id } = await sav.directory.clients.add(as('default'), company)
    expect(await sav.directory.clients.get('default', id)).toMatchObject(company)
    const { items } = await sav.directory.clients.list('default', { recherche: 'sarl' })
    expect(items.map((client) => client.id)).toEqual([id])
    expect(await sav.directory.clients.erase(as('default'), id)).toMatchObject({ raison_sociale: null })
  })

  it('without a first name is refused, unless a company is named', async () => {
    const { sav } = await openSav()
    const { clients } = sav.directory
    expect(await badFields(clients.add(as('default'), { nom: 'Moreau', prenom: ' ' }))).toEqual(['prenom'])
    const { id } = await clients.add(as('default'), { nom: 'Moreau', prenom: '', raison_sociale: 'Moreau SA' })
    expect(await badFields(clients.update(as('default'), id, { raison_sociale: null }))).toEqual(['prenom'])
    expect(await clients.update(as('default'), id, { raison_sociale: null, prenom: 'Zoé' })).toMatchObject(zoe)
    expect(await badFields(clients.update(as('default'), id, { prenom: '' }))).toEqual(['prenom'])
  })

  it('has only the given fields changed by an update', async () => {
    const { sav } = await openSav()
    const { id } = await sav.directory.clients.add(as('default'), {
      ...zoe,
      email: 'zoe@moreau.example',
      whatsapp: true,
    })
    expect(await sav.directory.clients.update(as('default'), id, { telephone: '0612345678' })).toMatchObject({
      ...zoe,
      email: 'zoe@moreau.example',
      telephone: '0612345678',
      whatsapp: true,
    })
    const updated = await sav.directory.clients.update(as('default'), id, {
      email: null,
      whatsapp: false,
      nom: 'Moreau-Petit',
    })
    expect(updated).toMatchObject({ nom: 'Moreau-Petit', email: null, telephone: '0612345678', whatsapp: false })
    expect(await sav.directory.clients.get('default', id)).toEqual(updated)
  })

  it('keeps the time of its first consent to WhatsApp', async () => {
    const { sav, storage, clock } = await openSav()
    const { id } = await sav.directory.clients.add(as('default'), { ...zoe, whatsapp: true })
    const since = (await storage.reads.directory.findClient('default', id))?.whatsapp_depuis
    await clock.advance(1_000)
    await sav.directory.clients.update(as('default'), id, { whatsapp: true })
    expect((await storage.reads.directory.findClient('default', id))?.whatsapp_depuis).toBe(since)
  })

  it.each([
    [['nom', 'prenom'], {}],
    [['nom'], { ...zoe, nom: '' }],
    [['nom'], { ...zoe, nom: 'x'.repeat(121) }],
    [['prenom'], { ...zoe, prenom: null }],
    [['email'], { ...zoe, email: 'zoe' }],
    [['telephone'], { ...zoe, telephone: 612345678 }],
    [['telephone'], { ...zoe, telephone: '06 12 34 56 7' }],
    [['whatsapp'], { ...zoe, whatsapp: 'oui' }],
    [['prénom'], { ...zoe, prénom: 'Zoé' }],
    [['email', 'nom', 'tel'], { ...zoe, nom: 5, email: 'x', tel: '06' }],
  ])('is refused for %j: %j', async (fields, input) => {
    const { sav } = await openSav()
    expect(await badFields(sav.directory.clients.add(as('default'), JSON.parse(JSON.stringify(input))))).toEqual(fields)
    expect(await sav.directory.clients.list('default', {})).toMatchObject({ total: 1 })
  })

  it('has a nom of 1 to 120 characters', async () => {
    const { sav } = await openSav()
    for (const nom of ['X', 'x'.repeat(120), '🔧'.repeat(120)])
      expect((await sav.directory.clients.add(as('default'), { ...zoe, nom })).nom).toBe(nom)
  })
})

describe('the list of clients', () => {
  it.each([
    ['limite', 0],
    ['limite', 201],
    ['page', 0],
    ['recherche', ''],
    ['tri', 'nom'],
  ])('refuses %s = %j', async (field, value) => {
    const { sav } = await openSav()
    expect(await badFields(sav.directory.clients.list('default', { [field]: value }))).toEqual([field])
  })
})
