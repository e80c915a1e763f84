import { describe, expect, it } from 'vitest'
import { closed, durand, open, opened } from '../test/open-import.js'

const says = (pattern: RegExp) => [expect.stringMatching(pattern)]

async function withCases() {
  const shop = await opened()
  await shop.load('clients', durand, { ...durand, id_externe: 'T2', nom: 'Petit', email: null })
  await shop.load('cases', closed, open)
  return shop
}

it('a cell that was emptied changes nothing, and its row counts as unchanged', async () => {
  const { load, sav, caseOf } = await withCases()
  const visit = {
    id_externe: 'V1',
    client_id_externe: 'T1',
    poseur: 'Karim',
    debut: '03/04/2031 09:00',
    type: 'pose',
  }
  await load('visits', { ...visit, notes: 'Sonner.' })
  const before = [await caseOf(open.reference_origine), (await sav.planning.list('default', {})).items]
  expect(await load('clients', { ...durand, email: '', ville: null })).toEqual(['unchanged'])
  expect(await load('cases', { ...open, poseur: '', statut: '', commentaires: [] })).toEqual(['unchanged'])
  expect(await load('visits', { ...visit, notes: '', type: '' })).toEqual(['unchanged'])
  expect([await caseOf(open.reference_origine), (await sav.planning.list('default', {})).items]).toEqual(before)
  expect((await sav.directory.clients.list('default', { recherche: durand.email })).total).toBe(1)
})

describe('the fields of a case that no import changes', () => {
  it.each([
    ['client_id', { client_id_externe: 'T2' }],
    ['reference_origine', { reference_origine: 'TK9' }],
    ['description', { description: 'Autre.' }],
    ['date_creation', { date_creation: '30/12/2023' }],
    ['photos', { photos: ['https://photos.example/1.jpg'] }],
  ])('are reported by name, but only once: %s', async (field, change) => {
    const { load } = await withCases()
    const outcome = `kept; ${field} stays as it is here: no import changes it`
    expect(await load('cases', { ...open, ...change })).toEqual([outcome])
    expect(await load('cases', { ...open, ...change })).toEqual(['unchanged'])
    expect(await load('cases', { ...open, ...change, priorite: 'haute' })).toEqual([outcome.replace('kept', 'updated')])
  })

  it.each([
    ['type_probleme', { type_probleme: 'reglage' }],
    ['priorite', { priorite: 'haute' }],
    ['poseur', { poseur: 'Lucie' }],
    ['date_cloture', { date_cloture: '04/04/2024' }],
    ['resolution', { resolution: 'Autre.' }],
    ['signataire_nom', { signataire_nom: 'Zoé' }],
    ['reserves', { reserves: ['Un joint.'] }],
  ])('include this field if the case is closed, and the import reports it: %s', async (field, change) => {
    const { load, sav } = await withCases()
    expect(await load('cases', { ...closed, ...change })).toEqual([
      `kept; ${field} stays as it is here: the case is closed`,
    ])
    expect((await sav.directory.poseurs.list('default', {})).items.map(({ nom }) => nom)).not.toContain('Lucie')
  })

  it('do not include the notes, which can change even in a closed case without invalidating its evidence', async () => {
    const { load, caseOf, broken } = await withCases()
    expect(await load('cases', { ...closed, notes_internes: 'Clé chez le gardien.' })).toEqual(['updated'])
    expect(await load('cases', { ...closed, notes_internes: '' })).toEqual(['unchanged'])
    expect(await caseOf(closed.reference_origine)).toMatchObject({ notes_internes: 'Clé chez le gardien.' })
    expect(await broken()).toEqual([])
  })
})

describe('a case whose status here is not that of the other system', () => {
  const again = { ...closed, statut: 'en cours', date_cloture: '', resolution: '' }

  it('is reopened here if the other system has reopened it, and then can be closed only here', async () => {
    const { load, caseOf, broken, sav, actor, storage } = await withCases()
    expect(await load('cases', { ...again, priorite: 'haute' })).toEqual(['updated'])
    const found = await caseOf(closed.reference_origine)
    expect(found).toMatchObject({ statut: 'en_cours', date_cloture: null, resolution: null, priorite: 'haute' })
    expect(found.historique.map(({ type }) => type).slice(-2)).toEqual(['reouverture', 'modification'])
    expect(await broken()).toEqual([])
    expect(await storage.reads.deliveries.list('default', { limit: 10 })).toEqual([])
    const done = { ...closed, date_cloture: '06/04/2024' }
    expect(await load('cases', done)).toEqual(says(/^kept; statut stays open: the case was closed before/))
    expect(await load('cases', done)).toEqual(['unchanged'])
    await sav.cases.close(actor, found.id, { resolution: 'Charnière et vis changées.' })
    expect(await load('cases', again)).toEqual(['kept; statut stays closed: the case was closed here'])
    expect(await broken()).toEqual([])
  })

  it('stays open if it was reopened here, which is reported only once', async () => {
    const { load, caseOf, sav, actor } = await withCases()
    const { id } = await caseOf(closed.reference_origine)
    await sav.cases.reopen(actor, id, { motif: 'La charnière lâche encore.' })
    expect(await load('cases', closed)).toEqual(['unchanged'])
    const changed = { ...closed, priorite: 'urgente' }
    expect(await load('cases', changed)).toEqual(says(/^updated; statut stays open/))
    expect(await load('cases', changed)).toEqual(['unchanged'])
    expect(await caseOf(closed.reference_origine)).toMatchObject({ statut: 'en_cours', priorite: 'urgente' })
  })

  it('stays closed if it was closed here', async () => {
    const { load, caseOf, sav, actor } = await withCases()
    const { id } = await caseOf(open.reference_origine)
    await sav.cases.close(actor, id, { resolution: 'Charnière changée.' })
    expect(await load('cases', { ...open, priorite: 'haute' })).toEqual([
      expect.stringMatching(/^kept; statut stays closed: the case was closed here; priorite stays as it is/),
    ])
    expect(await caseOf(open.reference_origine)).toMatchObject({ statut: 'clos' })
  })
})

describe('a visit that was imported before', () => {
  const visit = { id_externe: 'V1', client_id_externe: 'T1', poseur: 'Karim', debut: '03/04/2024 09:00' }
  const changed = { ...visit, debut: '04/04/2024 10:00', notes: 'Charnière réglée.', poseur: 'Lucie', type: 'pose' }

  it('still changes with its row when it is over, if it was imported as done', async () => {
    const { load, sav } = await withCases()
    await load('visits', { ...visit, notes: 'Réglée.' })
    expect(await load('visits', changed)).toEqual(['updated'])
    expect(await load('visits', { ...changed, notes: '' })).toEqual(['unchanged'])
    const { items } = await sav.planning.list('default', { du: '2024-04-04', au: '2024-04-04' })
    expect(items).toMatchObject([
      {
        ...{ debut: '2024-04-04T08:00:00.000Z', duree_minutes: 60, notes: 'Charnière réglée.', type: 'pose' },
        ...{ statut: 'realise', compte_rendu: 'Charnière réglée.', poseur: { nom: 'Lucie' } },
      },
    ])
  })

  it('does not change when it is over, if this shop reported on it or its row moves it into the future', async () => {
    const { load, sav, actor, clock } = await withCases()
    const coming = { ...visit, debut: '03/04/2031 09:00' }
    await load('visits', visit, { ...coming, id_externe: 'V2' })
    const fields = 'debut stays as it is here: the visit is over'
    expect(await load('visits', coming)).toEqual([`kept; ${fields}`])
    const [planned] = (await sav.planning.list('default', { du: '2031-04-03', au: '2031-04-03' })).items
    const report = { statut: 'realise', resultat: 'resolu', compte_rendu: 'Fait.' } as const
    await sav.planning.change(actor, planned?.id ?? 0, report)
    clock.advance(6 * 365 * 86_400_000)
    expect(await load('visits', { ...changed, id_externe: 'V2' })).toEqual([
      expect.stringMatching(/^kept; debut .*; type .*; notes .*; poseur .* the visit is over$/),
    ])
    expect((await sav.directory.poseurs.list('default', {})).items.map(({ nom }) => nom)).not.toContain('Lucie')
  })

  it('keeps the poseur that the shop chose if its row has only a default poseur', async () => {
    const { load, sav, actor } = await withCases()
    const { poseur: _, ...row } = { ...visit, debut: '03/04/2031 09:00', poseur_defaut: 'À affecter' }
    await load('visits', row)
    const found = async () => (await sav.planning.list('default', { du: '2031-04-03', au: '2031-04-03' })).items[0]
    expect(await found()).toMatchObject({ poseur: { nom: 'À affecter' } })
    const { id: poseur_id } = await sav.directory.poseurs.add(actor, { nom: 'Lucie' })
    await sav.planning.change(actor, (await found())?.id ?? 0, { poseur_id })
    expect(await load('visits', { ...row, notes: 'Sonner.' })).toEqual(['updated'])
    expect(await found()).toMatchObject({ poseur: { nom: 'Lucie' }, notes: 'Sonner.' })
    expect(await load('visits', { ...row, poseur: 'Karim' })).toEqual(['updated'])
    expect(await found()).toMatchObject({ poseur: { nom: 'Karim' } })
    expect(await load('visits', { ...row, poseur_defaut: '', id_externe: 'V9' })).toEqual(['poseur required'])
  })

  it('keeps its client and its case, even if its row names others', async () => {
    const { load } = await withCases()
    const coming = { ...visit, id_externe: 'V2', debut: '03/04/2031 09:00', reference_origine: open.reference_origine }
    await load('visits', visit, coming)
    expect(
      await load(
        'visits',
        { ...visit, client_id_externe: 'T2' },
        { ...coming, reference_origine: closed.reference_origine },
      ),
    ).toEqual([...says(/^kept; client_id stays/), ...says(/^kept; reference_origine stays/)])
  })
})

describe('the people of an import', () => {
  it('keep a refusal of WhatsApp and an inactive state, even if a later row says otherwise', async () => {
    const { load } = await withCases()
    expect(await load('clients', { ...durand, whatsapp: 'non' })).toEqual(['unchanged'])
    expect(await load('clients', { ...durand, whatsapp: 'oui' })).toEqual(says(/^kept; whatsapp stays/))
    const karim = { id_externe: 'P1', nom: 'Karim' }
    await load('poseurs', { ...karim, actif: 'non' })
    expect(await load('poseurs', { ...karim, actif: 'oui' })).toEqual(says(/^kept; actif stays/))
  })

  it('are persons instead of companies once their row has a first name', async () => {
    const { load, sav } = await withCases()
    expect(await load('clients', { ...durand, nom: 'Durand', prenom: 'Alice' })).toEqual(['updated'])
    expect((await sav.directory.clients.list('default', { recherche: durand.email })).items).toMatchObject([
      { nom: 'Durand', prenom: 'Alice', raison_sociale: null },
    ])
  })
})
