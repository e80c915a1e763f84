import { describe, expect, it } from 'vitest'
import { closed, durand, open, opened } from '../test/open-import.js'

const says = (pattern: RegExp) => [expect.stringMatching(pattern)]

describe('a client who was imported before', () => {
  async function typedIn() {
    const shop = await opened()
    await shop.load('clients', { ...durand, whatsapp: 'oui' })
    const { clients } = shop.sav.directory
    const id = (await clients.list('default', { recherche: 'durand lyon' })).items[0]?.id ?? 0
    const lieu = { ligne1: '12 rue des Lilas', ville: 'Lyon', acces: 'Code 14B', lat: 45.75, lon: 4.85 }
    await clients.update(shop.actor, id, { telephone: '0472000001', lieu, whatsapp: false })
    return { ...shop, client: () => clients.get('default', id) }
  }

  it('keeps the shop’s own data, and a row does not restore a consent that was withdrawn', async () => {
    const { load, client } = await typedIn()
    const again = { ...durand, whatsapp: 'oui', email: 'b@durand.example', telephone: '', acces: null }
    expect(await load('clients', again)).toEqual(says(/^updated; whatsapp stays as it is here/))
    expect(await client()).toMatchObject({
      email: 'b@durand.example',
      telephone: '0472000001',
      whatsapp: false,
      lieu: { ligne1: '12 rue des Lilas', ville: 'Lyon', acces: 'Code 14B', lat: 45.75, lon: 4.85 },
    })
  })

  it('loses the coordinates of the old address when a row changes the address', async () => {
    const { load, client } = await typedIn()
    await load('clients', { ...durand, ville: 'Givors', nom: 'Durand et fils' })
    expect(await client()).toMatchObject({
      nom: 'Durand et fils',
      raison_sociale: 'Durand et fils',
      lieu: { ville: 'Givors', acces: 'Code 14B', lat: null, lon: null },
    })
  })

  it('gets an address of several lines as a single line', async () => {
    const { load, client } = await typedIn()
    await load('clients', { ...durand, ligne1: 'Résidence Les Lilas \r\n\r\n 12 rue des Acacias\n' })
    expect((await client()).lieu?.ligne1).toBe('Résidence Les Lilas, 12 rue des Acacias')
  })

  it('stays a person if the shop has changed the company into a person', async () => {
    const { load, client, sav, actor } = await typedIn()
    const { id } = await client()
    await sav.directory.clients.update(actor, id, { prenom: 'Zoé', raison_sociale: null })
    await load('clients', { ...durand, nom: 'Durant' })
    expect(await client()).toMatchObject({ nom: 'Durant', prenom: 'Zoé', raison_sociale: null })
  })
})

describe('a case that was imported before', () => {
  it('keeps the fields that its row leaves out', async () => {
    const { load, caseOf, sav, actor } = await opened()
    await load('clients', durand)
    const { id_externe, client_id_externe, description, date_creation, reference_origine } = open
    const row = { id_externe, client_id_externe, description, date_creation, reference_origine }
    await load('cases', { ...row, commentaires: open.commentaires })
    const { id } = await caseOf('TK2403-0013')
    const poseur = await sav.directory.poseurs.add(actor, { nom: 'Lucie' })
    const typed = { statut: 'en_cours', priorite: 'urgente', type_probleme: 'reglage', poseur_id: poseur.id } as const
    await sav.cases.update(actor, id, typed)
    const comments = [...open.commentaires, { date: '05/01/2024 10:00', auteur: 'Zoé', texte: 'Posée.' }]
    expect(await load('cases', { ...row, commentaires: comments })).toEqual(['updated'])
    const { poseur_id: _, ...kept } = typed
    expect(await caseOf('TK2403-0013')).toMatchObject({ ...kept, poseur_assigne: { nom: 'Lucie' } })
  })

  it('has each comment only once, even of thousands', async () => {
    const { load, caseOf } = await opened()
    await load('clients', durand)
    const comments = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => ({ date: '2024-01-05', auteur: 'Zoé', texte: `Appel ${from + n}.` }))
    await load('cases', { ...open, commentaires: comments(0, 900) })
    await load('cases', { ...open, commentaires: comments(900, 900) })
    await load('cases', { ...open, commentaires: comments(0, 901) })
    const { historique } = await caseOf('TK2403-0013')
    expect(historique.filter(({ type }) => type === 'commentaire')).toHaveLength(1800)
  })
})

it('an import refuses a visit of an erased client that names a case by its former number', async () => {
  const { load, sav, actor } = await opened()
  await load('clients', durand)
  await load('cases', open)
  const visit = { id_externe: 'V1', reference_origine: 'TK2403-0013', poseur: 'Karim', debut: '03/04/2024' }
  const [client] = (await sav.directory.clients.list('default', { recherche: 'durand lyon' })).items
  await sav.directory.clients.erase(actor, client?.id ?? 0)
  expect(await load('visits', { ...visit, notes: 'Sonner chez Durand.' })).toEqual(
    says(/reference_origine concerns a person who was erased/),
  )
  expect((await sav.planning.list('default', { du: '2024-04-03', au: '2024-04-03' })).items).toEqual([])
})

describe('the dates of rows', () => {
  it('must lie between 1990 and tomorrow, and a case must not close before it opens', async () => {
    const { load, clock } = await opened()
    await load('clients', durand)
    const day = 86_400_000
    const at = (ms: number) => new Date(clock.now() + ms).toISOString()
    const made = (id_externe: string, dates: object) => ({ ...closed, id_externe, commentaires: [], ...dates })
    expect(
      await load(
        'cases',
        made('A', { date_creation: '1990-01-01', date_cloture: at(day) }),
        made('B', { date_creation: '1989-12-30' }),
        made('C', { date_creation: '0001-01-01' }),
        made('D', { date_cloture: at(day + 1) }),
        made('E', { date_creation: '2024-04-03 10:00', date_cloture: '2024-04-03 10:00' }),
        made('F', { date_creation: '2024-04-03 10:00', date_cloture: '2024-04-03 09:59' }),
      ),
    ).toEqual([
      'created',
      ...says(/^date_creation must be in 1990/),
      ...says(/^date_creation must be in 1990/),
      ...says(/^date_cloture must be in 1990/),
      'created',
      ...says(/^date_cloture must not be before/),
    ])
  })

  it('of a visit may be at most twelve hours apart', async () => {
    const { load } = await opened()
    await load('clients', durand)
    const visit = { client_id_externe: 'T1', poseur: 'Karim' }
    const from = (debut: string, rest: object) => ({ ...visit, debut, ...rest })
    expect(
      await load(
        'visits',
        from('2020-01-01 08:00', { fin: '2020-01-01 20:00' }),
        from('2020-01-02 08:00', { fin: '2020-01-02 20:01' }),
        from('2020-01-01', { fin: '2030-01-01' }),
        from('2020-01-03', { duree_minutes: 720 }),
        from('2020-01-04', { duree_minutes: '721' }),
      ),
    ).toEqual([
      'created',
      ...says(/fin makes the visit longer than 720/),
      ...says(/fin makes the visit longer than 720/),
      'created',
      ...says(/duree_minutes/),
    ])
  })
})

describe('poseurs', () => {
  it('that the import of a case has added by name are not added again', async () => {
    const { load, sav } = await opened()
    await load('clients', durand)
    await load('cases', open)
    expect(await load('poseurs', { id_externe: 'P1', nom: 'KARIM', email: 'k@pose.example' })).toEqual(['created'])
    expect(await load('poseurs', { id_externe: 'P1', nom: 'Karim', couleur: '#112233' })).toEqual(['updated'])
    expect((await sav.directory.poseurs.list('default', {})).items).toMatchObject([
      { nom: 'Bruno Petit' },
      { nom: 'Karim', email: 'k@pose.example', couleur: '#112233' },
    ])
  })

  it('with the same name but different ids are different poseurs', async () => {
    const { load, sav } = await opened()
    await load('poseurs', { id_externe: 'P1', nom: 'Karim' }, { id_externe: 'P2', nom: 'Karim' })
    expect((await sav.directory.poseurs.list('default', {})).total).toBe(3)
  })

  it('that are named only in refused rows are not added', async () => {
    const { load, sav } = await opened()
    await load('clients', durand)
    await load('cases', { ...open, poseur: '' })
    const visit = { poseur: 'Refusé', debut: '2031-04-03 09:00', reference_origine: 'TK2403-0012' }
    await load('cases', closed)
    expect(await load('visits', visit)).toEqual(says(/is closed/))
    expect((await sav.directory.poseurs.list('default', {})).items.map(({ nom }) => nom)).toEqual([
      'Bruno Petit',
      'Karim',
    ])
  })
})

it('a visit that the customer confirmed needs a new confirmation after an import moves it', async () => {
  const { load, sav, actor } = await opened()
  await load('clients', durand)
  const visit = { id_externe: 'V1', client_id_externe: 'T1', poseur: 'Karim', debut: '2031-04-03 09:00' }
  await load('visits', { ...visit, notes: 'Sonner.', type: 'pose', duree_minutes: 90 })
  const found = async () => (await sav.planning.list('default', { du: '2031-04-03', au: '2031-04-03' })).items[0]
  const id = (await found())?.id ?? 0
  const fenetre_client = { debut: '2031-04-03T06:00:00.000Z', fin: '2031-04-03T10:00:00.000Z' }
  await sav.planning.change(actor, id, { statut: 'confirme', fenetre_client })
  await load('visits', { ...visit, notes: 'Sonner deux fois.' })
  expect(await found()).toMatchObject({
    ...{ statut: 'confirme', duree_minutes: 90, type: 'pose', notes: 'Sonner deux fois.', fenetre_client },
  })
  await load('visits', { ...visit, debut: '2031-04-03 09:15' })
  expect(await found()).toMatchObject({
    ...{ statut: 'planifie', duree_minutes: 90, type: 'pose', notes: 'Sonner deux fois.', fenetre_client: null },
  })
  await sav.planning.change(actor, id, { statut: 'confirme' })
  await load('visits', { ...visit, debut: '2031-04-03 09:15', poseur: 'Lucie' })
  expect(await found()).toMatchObject({ statut: 'planifie', poseur: { nom: 'Lucie' } })
})

it('an import refuses a row that names its client by an e-mail address of several clients', async () => {
  const { load } = await opened()
  await load(
    'clients',
    durand,
    { ...durand, id_externe: 'T2', nom: 'Durand Fils' },
    { nom: 'Petit', email: 'p@x.example' },
  )
  const byEmail = (client_email: string) => ({
    ...open,
    id_externe: client_email,
    client_id_externe: '',
    client_email,
  })
  expect(await load('cases', byEmail('A@durand.example'), byEmail('p@x.example'))).toEqual([
    ...says(/client_email several clients have A@durand\.example \(Menuiserie Durand, \d+; Durand Fils, \d+\)/i),
    'created',
  ])
})

it('a close without a time of day may be on the day of the creation, but not on the day before', async () => {
  const { load, caseOf } = await opened()
  await load('clients', durand)
  const sameDay = { ...closed, date_creation: '03/04/2024 14:30', date_cloture: '03/04/2024', commentaires: [] }
  expect(await load('cases', sameDay)).toEqual(['created'])
  expect(await load('cases', sameDay)).toEqual(['unchanged'])
  const { date_creation, date_cloture } = await caseOf(closed.reference_origine)
  expect(date_cloture).toBe(date_creation)
  const before = { ...sameDay, id_externe: 'K9', date_cloture: '02/04/2024' }
  expect(await load('cases', before)).toEqual([expect.stringMatching(/^date_cloture/)])
})

it('an import deactivates a poseur who is inactive in a later file, unless the poseur has planned visits', async () => {
  const { sav, actor, load, client } = await opened()
  const karim = { id_externe: 'P1', nom: 'Karim' }
  await load('poseurs', karim)
  const found = async () => (await sav.directory.poseurs.list('default', {})).items.find(({ nom }) => nom === 'Karim')
  const { id: poseur_id = 0 } = (await found()) ?? {}
  const visit = { poseur_id, client_id: client.id, debut: '2031-04-03T09:00:00.000Z', duree_minutes: 60 }
  const { id } = await sav.planning.book(actor, visit)
  expect(await load('poseurs', { ...karim, actif: 'non' })).toEqual([expect.stringMatching(/^actif .*rdv to come/)])
  expect(await found()).toMatchObject({ actif: true })
  await sav.planning.change(actor, id, { statut: 'annule', motif_annulation: 'Karim part.' })
  expect(await load('poseurs', { ...karim, actif: 'non' })).toEqual(['updated'])
  expect(await found()).toMatchObject({ actif: false })
})

it('an erased case that was imported closed keeps its reference in the entry of the import', async () => {
  const { sav, actor, load, broken, falsify } = await opened()
  await load('clients', durand)
  await load('cases', closed)
  const [client] = (await sav.directory.clients.list('default', { recherche: 'durand lyon' })).items
  await sav.directory.clients.erase(actor, client?.id ?? 0)
  expect(await broken()).toEqual([])
  await falsify('numero', '9')
  expect(await broken()).toContain('its reference differs from the one in the entry of its import')
})
