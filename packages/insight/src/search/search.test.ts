import { describe, expect, it } from 'vitest'
import { openPlanning } from '../../../planning/test/planning.js'
import { numberIn } from './search.js'

const everything = { clients: true, rdv: true }

async function openShop() {
  const { sav, actor, clock, poseur } = await openPlanning()
  const add = (nom: string, telephone: string, lieu: { ligne1: string; ville: string }) =>
    sav.directory.clients.add(actor, { nom, prenom: 'Alice', telephone, lieu })
  const garnier = await add('Garnier', '04.72.00.00.01', { ligne1: '12 rue des Acacias', ville: 'Givors' })
  const roux = await add('Roux', '+33 6 92 34 56 78', { ligne1: '3 quai de Saône', ville: 'Lyon' })
  const create = async (client_id: number, description: string) => {
    await clock.advance(60_000)
    return sav.cases.create(actor, { client_id, description })
  }
  const leak = await create(garnier.id, 'Fuite sous l’évier de la cuisine.')
  const hinge = await create(roux.id, 'Charnière cassée, cuisine de 2019.')
  const book = (debut: string, of: { readonly sav_id: number } | { readonly client_id: number }) =>
    sav.planning.book(actor, { poseur_id: poseur.id, debut, duree_minutes: 60, ...of })
  const visit = await book('2026-03-18T09:00:00+01:00', { sav_id: leak.id })
  const later = await book('2026-03-20T09:00:00+01:00', { client_id: garnier.id })
  const find = async (q: string, seen = everything, limite?: number) => {
    const { dossiers, clients, rdv } = await sav.search('default', { q, ...(limite && { limite }) }, seen)
    return [dossiers, clients, rdv].map((found) => found.map(({ id }) => id))
  }
  return { sav, find, create, garnier, roux, leak, hinge, visit, later }
}

describe('a search from anywhere', () => {
  it('finds cases, clients and appointments by a caller’s words', async () => {
    const { find, garnier, roux, leak, hinge, visit, later } = await openShop()
    expect(await find('cuisine givors fuite')).toEqual([[leak.id], [], [visit.id]])
    expect(await find('cuisines')).toEqual([[hinge.id, leak.id], [], [visit.id]])
    for (const words of [
      '0472000001',
      '+33 4 72 00 00 01',
      '00 33 472 00 00 01',
      '00 00 01',
      '000001',
      'acacias',
      'givors',
      'GARNIER',
    ])
      expect([words, await find(words)]).toEqual([words, [[leak.id], [garnier.id], [later.id, visit.id]]])
    expect(await find('quai saône')).toEqual([[hinge.id], [roux.id], []])
    expect(await find('nulle part')).toEqual([[], [], []])
  })

  it('finds the text of a comment as soon as it is written, but not once the client is erased', async () => {
    const { sav, find, leak, garnier } = await openShop()
    const actor = { account_id: 'default', type: 'cli', id: null, nom: 'test' } as const
    expect((await find('vérins'))[0]).toEqual([])
    await sav.cases.comment(actor, leak.id, { texte: 'Le vérin du meuble haut a lâché aussi.' })
    expect((await find('vérins'))[0]).toEqual([leak.id])
    await sav.directory.clients.erase(actor, garnier.id)
    for (const words of ['vérins', 'fuite', 'givors', '0472000001'])
      expect([words, await find(words)]).toEqual([words, [[], [], []]])
  })

  it('returns with each result the data that a row of the results shows', async () => {
    const { sav, garnier, leak, visit } = await openShop()
    const client = { id: garnier.id, nom: 'Garnier', prenom: 'Alice' }
    expect(await sav.search('default', { q: 'fuite' }, everything)).toEqual({
      dossiers: [
        {
          id: leak.id,
          reference: leak.reference,
          client,
          ville: 'Givors',
          statut: 'ouvert',
          description: 'Fuite sous l’évier de la cuisine.',
        },
      ],
      clients: [],
      rdv: [{ id: visit.id, debut: visit.debut, client, ville: 'Givors' }],
    })
    const { clients } = await sav.search('default', { q: 'garnier' }, everything)
    expect(clients).toEqual([{ ...client, telephone: '04.72.00.00.01', ville: 'Givors' }])
  })

  it('begins with the case whose number is one of the words', async () => {
    const { sav, find, create, roux, leak } = await openShop()
    const number = leak.reference.replace(/\D*\d+-0*/, '')
    const newer = await create(roux.id, `Commande ${number}1 : façade rayée.`)
    expect((await find(number))[0]).toEqual([leak.id, newer.id])
    expect((await find(number, everything, 1))[0]).toEqual([leak.id])
    const { dossiers } = await sav.search('default', { q: number, limite: 1 }, everything)
    expect(dossiers).toMatchObject([{ id: leak.id, ville: 'Givors' }])
    expect((await find(leak.reference))[0]).toEqual([leak.id])
  })

  it('leaves out what the caller may not see', async () => {
    const { find, leak, garnier, visit, later } = await openShop()
    expect(await find('givors', { clients: false, rdv: true })).toEqual([[leak.id], [], [later.id, visit.id]])
    expect(await find('givors', { clients: true, rdv: false })).toEqual([[leak.id], [garnier.id], []])
  })

  it('finds nothing of another account, and at most the requested number of each kind', async () => {
    const { sav, find, hinge } = await openShop()
    await sav.accounts.add({ account_id: 'default', type: 'cli', id: null, nom: 'test' }, 'other')
    expect(await sav.search('other', { q: 'cuisine' }, everything)).toEqual({ dossiers: [], clients: [], rdv: [] })
    expect((await find('cuisine', everything, 1))[0]).toEqual([hinge.id])
    await expect(find('cuisine', everything, 51)).rejects.toThrow(/limite: must be at most 50/)
    await expect(find('…')).rejects.toThrow(/^Validation failed: q: /)
  })
})

it.each([
  ['170', { annee: null, numero: 170 }],
  ['00170', { annee: null, numero: 170 }],
  ['SAV-2026-00170', { annee: 2026, numero: 170 }],
  ['sav 2026 170', { annee: 2026, numero: 170 }],
  ['sav 170', { annee: null, numero: 170 }],
  ['07/2026', { annee: 2026, numero: 7 }],
  ['SAV 170 / 2026', { annee: 2026, numero: 170 }],
  ['0', null],
  ['170 givors', null],
  ['06 12 34 56 78', null],
])('the search %j contains the case number %j', (q, found) => {
  expect(numberIn(q)).toEqual(found)
})
