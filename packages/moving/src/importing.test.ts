import { describe, expect, it } from 'vitest'
import { nextEntry } from '../../core/src/evidence/evidence.js'
import { importReference, importSnapshot } from '../../core/src/evidence/imported.js'
import { channelsThatReach } from '../../core/src/letters/client-address.js'
import { closed, durand, open, opened } from '../test/open-import.js'
import { importStore } from './import-store.js'

describe('clients of another system', () => {
  it('are imported once, and change with their rows', async () => {
    const { load, sav } = await opened()
    expect(await load('clients', durand, durand)).toEqual(['created', 'unchanged'])
    expect(await load('clients', durand)).toEqual(['unchanged'])
    expect(await load('clients', { ...durand, ville: 'Givors' })).toEqual(['updated'])
    const { items } = await sav.directory.clients.list('default', { recherche: 'durand givors' })
    expect(items).toMatchObject([{ nom: 'Menuiserie Durand', prenom: '', raison_sociale: 'Menuiserie Durand' }])
  })

  it('without an id are recognised if all their values are equal', async () => {
    const { load } = await opened()
    const petit = { nom: 'Petit', prenom: 'Zoé' }
    expect(await load('clients', petit, { ...petit, telephone: '0612345678' })).toEqual(['created', 'created'])
    expect(await load('clients', petit)).toEqual(['unchanged'])
  })

  it('keep a telephone number that cannot be dialled, but it is reported and no message is sent to it', async () => {
    const { sav, actor, storage } = await opened()
    const telephone = '06 12 34 56 7'
    const rows = [{ ...durand, telephone, whatsapp: 'oui' }]
    const [outcome] = await sav.imports.rows(actor, { type: 'clients', rows })
    expect(outcome).toMatchObject({
      outcome: 'created',
      unusable: [{ field: 'telephone', code: 'import_telephone_unusable', params: { found: telephone } }],
    })
    const { items } = await sav.directory.clients.list('default', { recherche: 'menuiserie' })
    expect(items).toMatchObject([{ telephone, whatsapp: true }])
    const client = await storage.reads.directory.findClient('default', items[0]?.id ?? 0)
    expect(client && channelsThatReach(client, ['whatsapp'])).toEqual([])
  })

  it('are refused if a field is wrong or an id is repeated, and the refusal names the field', async () => {
    const { load } = await opened()
    const [wrong, , twice] = await load('clients', { id_externe: 'T0', nom: '', email: 'pas une adresse' }, durand, {
      ...durand,
      nom: 'Autre',
    })
    expect(wrong).toMatch(/nom required.*email/)
    expect(twice).toMatch(/id_externe is already in an earlier row/)
  })
})

describe('cases of another system', () => {
  it('keep their dates, number and history, and send nothing', async () => {
    const { load, caseOf, sav, storage } = await opened()
    await load('clients', durand)
    expect(await load('cases', closed, open)).toEqual(['created', 'created'])
    expect(await caseOf('TK2403-0012')).toMatchObject({
      reference: 'SAV-2023-00001',
      reference_origine: 'TK2403-0012',
      statut: 'clos',
      date_creation: '2023-12-31T22:30:00.000Z',
      date_cloture: '2024-04-02T22:00:00.000Z',
      poseur_assigne: { nom: 'Karim' },
      preuve: [],
      historique: [
        { type: 'creation' },
        { type: 'commentaire', acteur: { nom: 'Zoé' }, commentaire: 'Pièce commandée chez Blum.' },
        { type: 'cloture', commentaire: 'Charnière changée.' },
      ],
    })
    expect(await caseOf('TK2403-0013')).toMatchObject({ statut: 'en_cours', resolution: null })
    for (const recherche of ['TK2403-0013', 'blum'])
      expect((await sav.cases.list('default', { recherche })).items.map(({ statut }) => statut)).toContain('en_cours')
    expect(await storage.reads.deliveries.list('default', { limit: 10 })).toEqual([])
    expect(await load('cases', closed, open)).toEqual(['unchanged', 'unchanged'])
  })

  it('change while they are open, and are closed with an entry in the chain', async () => {
    const { load, caseOf, broken } = await opened()
    await load('clients', durand)
    await load('cases', open)
    const comments = [...open.commentaires, { date: '05/01/2024 10:00', auteur: 'Zoé', texte: 'Posée.' }]
    expect(await load('cases', { ...open, priorite: 'haute', commentaires: comments })).toEqual(['updated'])
    expect((await caseOf('TK2403-0013')).historique.map(({ type }) => type)).toEqual([
      'creation',
      'commentaire',
      'modification',
      'commentaire',
    ])
    const done = { ...open, priorite: 'haute', commentaires: comments, statut: 'clos', date_cloture: '06/01/2024' }
    expect(await load('cases', done)).toEqual(['updated'])
    expect(await caseOf('TK2403-0013')).toMatchObject({ statut: 'clos', priorite: 'haute' })
    expect(await broken()).toEqual([])
    expect(await load('cases', { ...done, description: 'Autre chose.' })).toEqual([
      'kept; description stays as it is here: no import changes it',
    ])
  })

  it('are refused without a known client', async () => {
    const { load } = await opened()
    expect(await load('cases', closed, { ...closed, id_externe: 'K9', client_id_externe: '' })).toEqual([
      expect.stringMatching(/client_id_externe T1 exists neither/),
      expect.stringMatching(/client_id name the client by/),
    ])
  })
})

describe('the evidence of imported closes', () => {
  async function withCloses() {
    const shop = await opened()
    await shop.load('clients', durand)
    await shop.load('cases', closed, { ...closed, id_externe: 'K3', reference_origine: 'TK3' }, open)
    const { id } = await shop.caseOf('TK2403-0012')
    return { ...shop, id }
  }

  it('is a single entry in the chain for all of them, and later closes add entries after it', async () => {
    const { sav, actor, broken, id } = await withCloses()
    expect(await sav.evidence.verify('default')).toMatchObject({ checked: 1, broken: [] })
    await sav.cases.reopen(actor, id, { motif: 'La charnière a lâché.' })
    expect(await broken()).toEqual([])
    await sav.cases.update(actor, id, { priorite: 'urgente', poseur_id: null })
    await sav.cases.close(actor, id, { resolution: 'Charnière renforcée.' })
    expect(await sav.evidence.verify('default')).toMatchObject({ checked: 2, broken: [] })
    expect(await sav.evidence.verify('default', { case_id: id })).toMatchObject({ broken: [] })
  })

  it('covers the imported data', async () => {
    const { storage, broken, id } = await withCloses()
    const found = await storage.reads.cases.find('default', id)
    if (found === null) throw new Error('it is not there')
    const changes = { priorite: 'urgente', date_modification: found.date_modification, version: found.version } as const
    await storage.transaction((tx) => tx.cases.update(found, changes))
    expect(await broken()).toEqual(['the case differs from what its import recorded'])
  })

  it('does not hide that another case was closed without an entry', async () => {
    const { storage, broken, caseOf } = await withCloses()
    const found = await storage.reads.cases.find('default', (await caseOf('TK2403-0013')).id)
    if (found === null) throw new Error('it is not there')
    const { date_modification, version } = found
    await storage.transaction((tx) => tx.cases.update(found, { statut: 'clos', date_modification, version }))
    expect(await broken()).toEqual(['the case was closed, but the chain has no entry for it'])
  })

  it('is valid after an erasure, and no import restores anything of the client', async () => {
    const { sav, actor, broken, load, storage } = await withCloses()
    const [client] = (await sav.directory.clients.list('default', { recherche: 'durand lyon' })).items
    await sav.directory.clients.erase(actor, client?.id ?? 0)
    expect(await broken()).toEqual([])
    for (const [type, row] of [
      ['clients', durand],
      ['cases', closed],
    ] as const)
      expect(await load(type, row)).toEqual([expect.stringMatching(/was erased, and is not imported again/)])
    expect(await storage.reads.of(importStore).known('default', 'clients', [])).toEqual([])
  })
})

it('visits of another system are imported as done if they are over, and otherwise occupy their time', async () => {
  const { load, sav } = await opened()
  await load('clients', durand)
  await load('cases', open)
  const past = { id_externe: 'V1', client_id_externe: 'T1', poseur: 'Karim', debut: '03/04/2024' }
  const coming = { ...past, id_externe: 'V2', reference_origine: 'TK2403-0013', debut: '03/04/2031 09:00' }
  expect(await load('visits', past, { ...past, id_externe: 'V0' }, coming)).toEqual(['created', 'created', 'created'])
  expect(await load('visits', { ...coming, id_externe: 'V3', debut: '03/04/2031 09:30' })).toEqual([
    expect.stringMatching(/debut Karim is not free/),
  ])
  expect(await load('visits', { ...coming, duree_minutes: '30' })).toEqual(['updated'])
  expect(await load('visits', { ...coming, id_externe: 'V3', debut: '03/04/2031 09:30' })).toEqual(['created'])
  const { items } = await sav.planning.list('default', { du: '2031-04-03', au: '2031-04-03' })
  expect(items).toMatchObject([
    { statut: 'planifie', duree_minutes: 30, sav: { reference: 'SAV-2023-00001' } },
    { statut: 'planifie', duree_minutes: 60 },
  ])
})

describe('the evidence of a case that was imported closed', () => {
  /** Falsifies the stored row of the case `closed`. */
  async function withFalsified(...sets: Parameters<Awaited<ReturnType<typeof opened>>['falsify']>) {
    const shop = await opened()
    await shop.load('clients', durand)
    await shop.load('cases', closed)
    await shop.falsify(...sets)
    return shop
  }

  it.each([
    ['priorite', 'haute'],
    ['description', 'Autre chose.'],
    ['resolution', 'FAUX'],
    ['notes_internes', 'FAUX'],
    ['photos', JSON.stringify([{ url: 'https://photos.example/9.jpg', date: '2026-01-15T10:30:00.000Z' }])],
    ['statut', 'en_cours'],
  ])('shows that its %s was changed without a history line', async (column, value) => {
    const { broken } = await withFalsified(column, value)
    expect(await broken()).not.toEqual([])
  })

  it.each([
    ['statut', 'clos'],
    ['priorite', 'basse'],
    ['notes_internes', 'FAUX'],
  ])('still shows a falsified %s after the case is reopened', async (column, value) => {
    const { load, caseOf, sav, actor, broken, falsify } = await opened()
    await load('clients', durand)
    await load('cases', closed)
    const { id } = await caseOf('TK2403-0012')
    await sav.cases.reopen(actor, id, { motif: 'La charnière lâche encore.' })
    await sav.cases.update(actor, id, { priorite: 'urgente', notes_internes: 'À voir.' })
    await sav.cases.addPhotos(actor, id, { photos: ['https://photos.example/2.jpg'] })
    expect(await broken()).toEqual([])
    await falsify(column, value)
    expect(await broken()).not.toEqual([])
  })

  it('is still valid after the case is reopened and closed here, and no import closes a reopened case', async () => {
    const { load, caseOf, sav, actor, broken } = await opened()
    await load('clients', durand)
    await load('cases', closed)
    const { id } = await caseOf('TK2403-0012')
    await sav.cases.reopen(actor, id, { motif: 'La charnière lâche encore.' })
    const again = {
      ...closed,
      commentaires: [...closed.commentaires, { date: '2024-05-02', auteur: 'Zoé', texte: 'Rien.' }],
    }
    expect(await load('cases', again)).toEqual([expect.stringMatching(/^updated; statut stays open/)])
    await sav.cases.close(actor, id, { resolution: 'Charnière et vis changées.' })
    expect(await broken()).toEqual([])
    expect(await caseOf('TK2403-0012')).toMatchObject({ statut: 'clos', resolution: 'Charnière et vis changées.' })
  })

  it('is only its close here if the case was imported open instead', async () => {
    const { load, caseOf, sav, actor, broken } = await opened()
    await load('clients', durand)
    await load('cases', open)
    const { id } = await caseOf('TK2403-0013')
    await sav.cases.close(actor, id, { resolution: 'Charnière changée.' })
    await sav.cases.reopen(actor, id, { motif: 'La charnière lâche encore.' })
    const done = { ...open, statut: 'clos', date_cloture: '06/01/2024' }
    expect(await load('cases', done)).toEqual([expect.stringMatching(/^kept; statut stays open/)])
    expect(await broken()).toEqual([])
  })

  it('is its first import entry, and verification reports a second one for the same case', async () => {
    const { load, caseOf, storage, broken, falsify, clock } = await opened()
    await load('clients', durand)
    await load('cases', closed)
    const { id } = await caseOf('TK2403-0012')
    const [first] = await storage.reads.evidence.walk('default', { afterSequence: 0, limit: 1 })
    await falsify('priorite', 'haute')
    const date = new Date(clock.now()).toISOString()
    const { dossiers } = JSON.parse(first?.snapshot ?? '')
    const snapshot = importSnapshot('default', date, dossiers)
    await storage.transaction(async (tx) => {
      const head = await tx.evidence.lockHead('default')
      const about = { account: 'default', case_id: id, reference: importReference, date, snapshot }
      await tx.evidence.append(nextEntry(head, about), snapshot)
    })
    expect(await broken()).toContain(`it imports case ${id}, which entry 1 has imported already`)
  })
})
