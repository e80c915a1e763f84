import { type CaseOrder, type ClientFields, caseOrders, nowhere, statuts } from '@sav/core/feature'
import { type CaseFilter, type SavCase, type Storage, sortKey } from '@sav/core/ports'
import { addMixedCases, filterNames, matches, newestFirst, singleFilters } from '../samples/mixed-cases.js'
import {
  addCase,
  addOwner,
  changeCase,
  client,
  closing,
  ended,
  historyEntry,
  insertCase,
  instant,
  present,
  twoOwners,
} from '../samples/samples.js'
import type { Suite } from './suite.js'

const day = 86_400_000

export function caseListContract({ describe, it, expect }: Suite): void {
  /** Expects that the whole list, read page by page, has the cases that the same filter finds among `cases`. */
  async function expectList(storage: Storage, account_id: string, filter: CaseFilter, cases: readonly SavCase[]) {
    const expected = cases.filter((found) => matches(found, filter)).toSorted(newestFirst)
    const limite = 40
    const listed: number[] = []
    for (let page = 1; page <= Math.floor(expected.length / limite) + 1; page++) {
      const { items, total } = await storage.reads.cases.list(account_id, filter, { page, limite })
      expect({ filter, total }).toEqual({ filter, total: expected.length })
      listed.push(...items.map(({ id }) => id))
    }
    expect({ filter, listed }).toEqual({ filter, listed: expected.map(({ id }) => id) })
  }

  describe('list of cases', () => {
    it('an account without cases has an empty list', async (storage) => {
      await addOwner(storage, 'ours')
      const empty = { items: [], total: 0 }
      expect(await storage.reads.cases.list('ours', {}, { page: 1, limite: 50 })).toEqual(empty)
      expect(await storage.reads.cases.list('ours', { statut: 'clos' }, { page: 3, limite: 50 })).toEqual(empty)
      expect(await storage.reads.cases.list('nobody', {}, { page: 1, limite: 50 })).toEqual(empty)
    })

    it('shows exactly the summary of each case', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const lieu = { ...nowhere, ligne1: 'dit "ville":"Lyon"', ville: "L'Haÿ-les-Roses" }
      await storage.transaction((tx) =>
        tx.directory.updateClient('ours', owner.client_id, { telephone: '+33472000001', lieu }),
      )
      const inserted = await addCase(storage, owner)
      await changeCase(storage, inserted, { statut: 'clos', closing: closing(), poseur_id: owner.poseur_id })
      const { items } = await storage.reads.cases.list('ours', {}, { page: 1, limite: 50 })
      expect(items).toEqual([
        {
          id: inserted.id,
          reference: 'SAV-2026-00001',
          client: { id: owner.client_id, nom: 'Client de ours', prenom: 'Alice' },
          description: inserted.description,
          statut: 'clos',
          priorite: 'normale',
          date_creation: instant(),
          poseur_assigne: { id: owner.poseur_id, nom: 'Poseur de ours' },
          ville: lieu.ville,
          telephone: '+33472000001',
        },
      ])
    })

    it('shows a town as it was written, and null without one', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      await addCase(storage, owner)
      for (const ville of ['"', 'Saint "Priest"', 'a\\b', '\\', 'a\nb', null, undefined]) {
        const lieu = ville === undefined ? null : { ...nowhere, ville, acces: 'Code "12"' }
        await storage.transaction((tx) => tx.directory.updateClient('ours', owner.client_id, { lieu }))
        const { items } = await storage.reads.cases.list('ours', {}, { page: 1, limite: 50 })
        expect(items).toMatchObject([{ ville: ville ?? null, telephone: null }])
      }
    })

    it('is newest first, then by descending id, page by page with the true total', async (storage) => {
      const cases = await addMixedCases(storage, 'ours')
      const expected = cases.toSorted(newestFirst).map(({ id }) => id)
      for (const limite of [1, 29, 30, 45, 90, 200]) {
        const listed: number[] = []
        const pages = Math.min(Math.ceil(90 / limite), 4)
        for (let page = 1; page <= pages; page++) {
          const { items, total } = await storage.reads.cases.list('ours', {}, { page, limite })
          expect(total).toBe(90)
          listed.push(...items.map(({ id }) => id))
        }
        expect(listed).toEqual(expected.slice(0, pages * limite))
      }
    })

    it('a page past the end is empty, with the true total', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      for (let count = 0; count < 4; count++) await addCase(storage, owner)
      const list = (page: number, filter: CaseFilter = {}) =>
        storage.reads.cases.list('ours', filter, { page, limite: 2 })
      expect((await list(2)).items).toHaveLength(2)
      expect(await list(3)).toEqual({ items: [], total: 4 })
      expect(await list(1_000_000_000)).toEqual({ items: [], total: 4 })
      expect(await list(3, { statut: 'ouvert', client_id: owner.client_id })).toEqual({ items: [], total: 4 })
      expect(await list(3, { statut: 'clos' })).toEqual({ items: [], total: 0 })
    })

    it('returns the rows of each single filter', async (storage) => {
      const cases = await addMixedCases(storage, 'ours')
      for (const filter of singleFilters(cases)) await expectList(storage, 'ours', filter, cases)
    })

    it('returns the rows of any two filters', async (storage) => {
      const cases = await addMixedCases(storage, 'ours')
      const singles = singleFilters(cases)
      for (const [index, first] of singles.entries()) {
        // Tests every second pair. Each pair of names still occurs, with several values, in half the time.
        for (const second of singles.slice(index + 1).filter((_, rank) => (rank + index) % 2 === 0)) {
          const names = new Set([...Object.keys(first), ...Object.keys(second)])
          if (names.size === 2) await expectList(storage, 'ours', { ...first, ...second }, cases)
        }
      }
    })

    it('returns the rows of many filters, and treats an undefined filter as absent', async (storage) => {
      const cases = await addMixedCases(storage, 'ours')
      const depuis = instant(-10 * day)
      const client_id = present(cases[0]).client.id
      await expectList(storage, 'ours', { statut: 'ouvert', client_id, depuis, modifie_depuis: depuis }, cases)
      await expectList(storage, 'ours', { statut: 'clos', depuis: instant(2 * day), recherche: 'facade' }, cases)
      const none = Object.fromEntries(filterNames.map((name) => [name, undefined]))
      await expectList(storage, 'ours', none, cases)
    })

    it('can be in every order, with the newest of equal cases first, as can the rows of an export', async (storage) => {
      const cases = await addMixedCases(storage, 'ours')
      const rank = { basse: 0, normale: 1, haute: 2, urgente: 3 }
      const by: Record<CaseOrder, (found: SavCase) => string> = {
        '-date_creation': ({ date_creation }) => date_creation,
        date_creation: ({ date_creation }) => date_creation,
        '-date_modification': ({ date_modification }) => date_modification,
        date_modification: ({ date_modification }) => date_modification,
        '-priorite': ({ priorite }) => String(rank[priorite]),
        priorite: ({ priorite }) => String(rank[priorite]),
        '-client': ({ client: { nom, prenom } }) => sortKey(nom, prenom),
        client: ({ client: { nom, prenom } }) => sortKey(nom, prenom),
        // None of these clients has a town.
        '-ville': () => '',
        ville: () => '',
      }
      for (const tri of caseOrders) {
        const sign = tri.startsWith('-') ? -1 : 1
        const value = by[tri]
        const expected = cases
          .toSorted((a, b) => sign * (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) || b.id - a.id)
          .map(({ id }) => id)
        const { items } = await storage.reads.cases.list('ours', {}, { page: 1, limite: 200, tri })
        expect({ tri, ids: items.map(({ id }) => id) }).toEqual({ tri, ids: expected })
        expect(await storage.reads.cases.ids('ours', {}, { tri, limit: 3 })).toEqual(expected.slice(0, 3))
        expect((await storage.reads.cases.rows('ours', expected)).map(({ id }) => id)).toEqual(expected)
      }
      expect(await storage.reads.cases.rows('theirs', [cases[0]?.id ?? 0])).toEqual([])
      const sought = { statut: 'clos', recherche: 'tiroir' } as const
      const [row] = await storage.reads.cases.rows('ours', await storage.reads.cases.ids('ours', sought, { limit: 1 }))
      const { items } = await storage.reads.cases.list('ours', sought, { page: 1, limite: 1 })
      const found = present(cases.find(({ id }) => id === row?.id))
      const { type_probleme, date_modification } = found
      const date_cloture = found.statut === 'clos' ? found.date_cloture : null
      expect(row).toEqual({ ...items[0], type_probleme, date_modification, date_cloture, raison_sociale: null })
    })

    it('is sorted by the current towns of clients, on any page and with any filter', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const ids: number[] = []
      for (const ville of ['Zürich', 'Albi', 'Évreux', null, 'Lyon 3e', 'albi']) {
        const fields = client({ nom: `Client ${ids.length}`, lieu: { ...nowhere, ville } })
        const client_id = await storage.transaction((tx) => tx.directory.addClient('ours', fields))
        ids.push(client_id)
        for (let n = 0; n < 2; n++) await addCase(storage, { ...owner, client_id })
      }
      const sorted = async (tri: CaseOrder, filter: CaseFilter = {}) => {
        const page = (page: number) => storage.reads.cases.list('ours', filter, { page, limite: 5, tri })
        const all = [...(await page(1)).items, ...(await page(2)).items, ...(await page(3)).items]
        return all.map((found) => ids.indexOf(found.client.id)).join(' ')
      }
      expect(await sorted('ville')).toBe('5 5 1 1 2 2 4 4 0 0 3 3')
      expect(await sorted('-ville')).toBe('3 3 0 0 4 4 2 2 1 1 5 5')
      expect(await sorted('ville', { client_id: present(ids[4]) })).toBe('4 4')
      for (const filter of [{ statut: 'ouvert' as const }, { priorite: 'normale' as const }, { recherche: 'client' }])
        expect(await sorted('ville', filter)).toBe('5 5 1 1 2 2 4 4 0 0 3 3')
      await storage.transaction(async (tx) => {
        await tx.directory.updateClient('ours', present(ids[1]), { lieu: null })
        await tx.directory.updateClient('ours', present(ids[3]), { lieu: { ...nowhere, ville: 'Bron' } })
      })
      expect(await sorted('ville')).toBe('5 5 3 3 2 2 4 4 0 0 1 1')
    })

    it('depuis and modifie_depuis include their instant, and exclude the millisecond before', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const midnight = Date.UTC(2026, 0, 16) - Date.UTC(2026, 0, 15, 10, 30)
      for (const ms of [midnight - day, midnight - 1, midnight, midnight + 1, midnight + day]) {
        await addCase(storage, owner, { date_creation: instant(ms) })
      }
      const page = { page: 1, limite: 50 }
      for (const [ms, total] of [
        [midnight - day, 5],
        [midnight - day + 1, 4],
        [midnight - 1, 4],
        [midnight, 3],
        [midnight + 1, 2],
        [midnight + 2, 1],
        [midnight + day, 1],
        [midnight + day + 1, 0],
      ] as const) {
        for (const filter of [{ depuis: instant(ms) }, { modifie_depuis: instant(ms) }]) {
          const list = await storage.reads.cases.list('ours', filter, page)
          expect({ filter, total: list.total, listed: list.items.length }).toEqual({ filter, total, listed: total })
        }
      }
    })

    it('totals follow every committed change of statut', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const totals = async () => {
        const counts: number[] = []
        for (const filter of [{}, ...statuts.map((statut) => ({ statut }))]) {
          for (const depuis of [undefined, instant(-day), instant(1)]) {
            const { items, total } = await storage.reads.cases.list(
              'ours',
              { ...filter, depuis },
              { page: 1, limite: 50 },
            )
            expect(total).toBe(items.length)
            counts.push(total)
          }
        }
        return counts.join(' ')
      }
      const first = await addCase(storage, owner, { date_creation: instant(-2 * day) })
      const second = await addCase(storage, owner)
      await addCase(storage, owner, { date_creation: instant(2 * day) })
      expect(await totals()).toBe('3 2 1 3 2 1 0 0 0 0 0 0')
      await changeCase(storage, first, { statut: 'en_cours' })
      expect(await totals()).toBe('3 2 1 2 2 1 1 0 0 0 0 0')
      await changeCase(storage, first, { statut: 'en_cours', priorite: 'haute' })
      await changeCase(storage, second, { statut: 'clos', closing: closing() })
      expect(await totals()).toBe('3 2 1 1 1 1 1 0 0 1 1 0')
      await changeCase(storage, second, { statut: 'en_cours', closing: null })
      expect(await totals()).toBe('3 2 1 1 1 1 2 1 0 0 0 0')
      await ended(
        storage.transaction(async (tx) => {
          const found = present(await tx.cases.lock('ours', second.id))
          await tx.cases.update(found, { statut: 'ouvert', date_modification: instant(9), version: 9 })
          expect((await tx.cases.list('ours', { statut: 'ouvert' }, { page: 1, limite: 50 })).total).toBe(2)
          await insertCase(tx, owner)
          throw new Error('changed our mind')
        }),
      )
      expect(await totals()).toBe('3 2 1 1 1 1 2 1 0 0 0 0')
    })

    it('totals are correct after 40 concurrent changes of statut', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const cases = await Promise.all(Array.from({ length: 10 }, () => addCase(storage, owner)))
      const changing = (['en_cours', 'ouvert', 'ouvert', 'en_cours'] as const).flatMap((statut, round) =>
        cases.map((found, index) =>
          changeCase(storage, found, { statut: (index + round) % 4 === 0 ? 'ouvert' : statut }),
        ),
      )
      await Promise.all(changing)
      const now = await Promise.all(cases.map(({ id }) => storage.reads.cases.find('ours', id)))
      for (const statut of statuts) {
        const { total } = await storage.reads.cases.list('ours', { statut }, { page: 1, limite: 1 })
        expect(total).toBe(now.filter((found) => found?.statut === statut).length)
      }
    })

    it('a search finds cases if all its words begin words of theirs, without accents', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const add = async (nom: string, description: string) => {
        const client_id = await storage.transaction((tx) => tx.directory.addClient('ours', client({ nom })))
        return (await addCase(storage, owner, { client_id, description })).reference
      }
      const facade = await add('Lefèvre', 'FAÇADE du tiroir gonflée, remise 100%')
      const hinge = await add('Garçon', String.raw`Charnière cassée sous_évier \o/ d'angle`)
      const search = async (text: string) => {
        const found = await storage.reads.cases.list('ours', { recherche: text }, { page: 1, limite: 50 })
        expect(found.total).toBe(found.items.length)
        if (text !== '')
          expect(await storage.reads.cases.search('ours', { recherche: text, limit: 1 })).toEqual(
            found.items.slice(0, 1),
          )
        return found.items.map(({ reference }) => reference)
      }
      expect(await search('façade')).toEqual([facade])
      expect(await search('Facade LEFEVRE')).toEqual([facade])
      expect(await search(facade)).toEqual([facade])
      expect(await search('sav-2026')).toEqual([hinge, facade])
      expect(await search('alice garcon charniere')).toEqual([hinge])
      expect(await search('garcon facade')).toEqual([])
      expect(await search('tiroirs')).toEqual([facade])
      expect(await search('charnières cassées')).toEqual([hinge])
      expect(await search('gonflement des tiroirs')).toEqual([facade])
      expect(await search('gonflement des portes')).toEqual([])
      expect(await search('tir gonf')).toEqual([facade])
      expect(await search('iroir')).toEqual([])
      expect(await search('100%')).toEqual([facade])
      expect(await search('s%e')).toEqual([hinge])
      expect(await search('sous_evier')).toEqual([hinge])
      expect(await search('t_roir')).toEqual([])
      expect(await search("d'angle")).toEqual([hinge])
      expect(await search('sous évier, qui est dans leur')).toEqual([hinge])
      expect(await search('or and not near')).toEqual([])
      expect(await search('')).toEqual([hinge, facade])
    })

    it('a search finds clients by name, telephone and place as they are now, and later texts of the case', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const inserted = await addCase(storage, owner, { numero: 170 })
      const found = async (recherche: string) => {
        const filter = { recherche, client_id: owner.client_id }
        const page = { page: 1, limite: 50 }
        const both = [
          await storage.reads.cases.list('ours', { recherche }, page),
          await storage.reads.cases.list('ours', filter, page),
        ]
        return both.map(({ total }) => total).join(' ')
      }
      const update = (fields: Partial<ClientFields>) =>
        storage.transaction((tx) => tx.directory.updateClient('ours', owner.client_id, fields))
      const lieu = { ...nowhere, ligne1: '12 rue des Acacias', code_postal: '69700', ville: 'Givors' }
      await update({ telephone: '+33 4 72 00 00 01', lieu })
      for (const recherche of ['04.72.00.00.01', '0472', 'acacia givors', '69700', '170', 'sav-2026-00170'])
        expect([recherche, await found(recherche)]).toEqual([recherche, '1 1'])
      await update({ telephone: null, lieu: null, adresse: '3 quai de Saône, Lyon' })
      for (const recherche of ['0472000001', 'givors'])
        expect([recherche, await found(recherche)]).toEqual([recherche, '0 0'])
      expect(await found('saone lyon')).toBe('1 1')
      await storage.transaction((tx) =>
        tx.cases.appendHistory('ours', inserted.id, [
          historyEntry({ type: 'reouverture', commentaire: 'Le vérin lâche de nouveau.' }),
          historyEntry({ type: 'cloture', commentaire: 'Inhabituel.' }),
        ]),
      )
      expect(await found('vérins lâchés')).toBe('1 1')
      expect(await found('inhabituel')).toBe('0 0')
      await update({ nom: 'Évrard' })
      expect([await found('evrard'), await found('client')]).toEqual(['1 1', '0 0'])
      await storage.transaction((tx) => tx.cases.erase('ours', inserted.id, '(effacé)'))
      expect([await found('vérin'), await found('meuble')]).toEqual(['0 0', '0 0'])
      expect(await found('170')).toBe('1 1')
    })

    it('shows and counts nothing of another account, with any filter', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const foreign = await addCase(storage, theirs)
      await changeCase(storage, foreign, { poseur_id: theirs.poseur_id })
      const own = await addCase(storage, ours)
      await changeCase(storage, own, { poseur_id: ours.poseur_id })
      for (const filter of [
        { client_id: theirs.client_id },
        { poseur_id: theirs.poseur_id },
        { client_id: theirs.client_id, statut: 'ouvert' as const },
        { recherche: 'theirs' },
      ]) {
        expect(await storage.reads.cases.list('ours', filter, { page: 1, limite: 50 })).toEqual({ items: [], total: 0 })
      }
      for (const filter of [{}, { statut: 'ouvert' as const }, { depuis: instant() }, { recherche: 'sav 2026' }]) {
        const { items, total } = await storage.reads.cases.list('ours', filter, { page: 1, limite: 50 })
        expect(total).toBe(1)
        expect(items.map(({ id }) => id)).toEqual([own.id])
      }
    })
  })
}
