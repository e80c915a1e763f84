import { caseOrders, nowhere } from '@sav/core/feature'
import type { CaseFilter } from '@sav/core/ports'
import { addMixedCases, singleFilters } from '../samples/mixed-cases.js'
import { addCase, addOwner, changeCase, client, closing, instant, poseur, present } from '../samples/samples.js'
import type { Suite } from './suite.js'
import { type List, walked, walksOf } from './walking.js'

export function walkContract({ describe, it, expect }: Suite): void {
  const expectWalks = walksOf(expect)

  describe('walks of lists by position', () => {
    it('return each case once, in every order and with every filter', async (storage) => {
      const cases = await addMixedCases(storage, 'ours')
      const towns = ['Évreux', 'Albi', null]
      for (const [index, id] of [...new Set(cases.map((each) => each.client.id))].entries()) {
        const lieu = { ...nowhere, ville: towns[index] ?? null }
        await storage.transaction((tx) => tx.directory.updateClient('ours', id, { lieu }))
      }
      const listOf =
        (filter: CaseFilter, tri?: (typeof caseOrders)[number]): List =>
        (page) =>
          storage.reads.cases.list('ours', filter, { ...page, ...(tri && { tri }) })
      for (const tri of caseOrders) await expectWalks(listOf({}, tri), 90)
      for (const [index, filter] of singleFilters(cases).entries()) {
        const tri = present(caseOrders[index % caseOrders.length])
        for (const order of [undefined, tri])
          await expectWalks(listOf(filter, order), (await listOf(filter)({ page: 1, limite: 1 })).total)
      }
    })

    it('return each client and poseur once, even if several have the same name', async (storage) => {
      await addOwner(storage, 'ours')
      await storage.transaction(async (tx) => {
        for (const prenom of ['Zoé', 'Alice', 'Alice', '', 'Alice', 'Éric'])
          await tx.directory.addClient('ours', client({ nom: 'Durand', prenom, raison_sociale: 'SARL' }))
        for (const nom of ['Petit', 'Adam', 'Petit', 'Petit']) await tx.directory.addPoseur('ours', poseur({ nom }))
      })
      await expectWalks((page) => storage.reads.directory.listClients('ours', page), 7)
      await expectWalks((page) => storage.reads.directory.listClients('ours', { ...page, recherche: 'alice' }), 4)
      await expectWalks((page) => storage.reads.directory.listPoseurs('ours', page), 5)
    })

    it('a position outside the filtered period returns only rows that pass the filter', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const { id } = await addCase(storage, owner)
      const cases = async (filter: CaseFilter, after: string) =>
        (await storage.reads.cases.list('ours', filter, { page: 1, limite: 5, after: [after, 1] })).items.map(
          (each) => each.id,
        )
      expect(await cases({ avant: instant(1), depuis: instant() }, instant(9))).toEqual([id])
      expect(await cases({ avant: instant() }, instant(9))).toEqual([])
      expect(await cases({ depuis: instant() }, instant(-9))).toEqual([])
    })

    it('return each open case once, though each is closed as soon as it is returned and newer cases are created meanwhile', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const { client_id, poseur_id } = owner
      for (const tri of [
        '-date_creation',
        'date_creation',
        'priorite',
        '-date_modification',
        'client',
        '-ville',
      ] as const)
        for (const limite of [1, 3]) {
          const open: { id: number }[] = []
          for (let n = 0; n < 7; n++)
            open.push(await addCase(storage, owner, { date_creation: instant(Math.floor(n / 2)) }))
          const list: List = (page) =>
            storage.reads.cases.list('ours', { statut: 'ouvert', client_id }, { ...page, tri })
          const met = await walked(list, limite, async ({ id }) => {
            const found = present(await storage.reads.cases.find('ours', id))
            const changed = { ...found, account_id: 'ours' }
            await changeCase(storage, changed, { statut: 'clos', closing: closing(), date_modification: instant(99) })
            // Adds a newer case that leaves the list at once.
            const newer = await addCase(storage, owner, { date_creation: instant(1000 + id) })
            await changeCase(storage, newer, { statut: 'en_cours', poseur_id })
          })
          expect({ tri, limite, ids: met.toSorted() }).toEqual({
            tri,
            limite,
            ids: open.map(({ id }) => id).toSorted(),
          })
        }
    })

    it('continue after the name that the last item had when it was returned', async (storage) => {
      await addOwner(storage, 'ours')
      const ids: number[] = []
      for (const nom of ['Adam', 'Bernard', 'Durand', 'Petit'])
        ids.push(await storage.transaction((tx) => tx.directory.addClient('ours', client({ nom }))))
      const clients: List = (page) => storage.reads.directory.listClients('ours', page)
      const all = (await clients({ page: 1, limite: 9 })).items.map(({ id }) => id)
      // Changes the name of each client, as an erasure does.
      const met = await walked(clients, 1, async ({ id }) => {
        await storage.transaction((tx) => tx.directory.updateClient('ours', id, { nom: '(effacé)', prenom: '' }))
      })
      expect(met).toEqual(all)
    })
  })
}
