import { nowhere } from '@sav/core/feature'
import { account, addCase, addOwner, client, ended, instant, poseur, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

const wholeList = { page: 1, limite: 100 }

export function directoryContract({ describe, it, expect }: Suite): void {
  describe('directory', () => {
    it('a client and a poseur read back as they were added', async (storage) => {
      await addOwner(storage, 'ours')
      const fields = client({
        nom: 'Lefèvre',
        prenom: 'Zoé',
        email: 'zoe@example.test',
        telephone: '+33 6 00 00 00 00',
        adresse: '3 rue des Étaux',
        whatsapp_depuis: instant(1),
      })
      const id = await storage.transaction((tx) => tx.directory.addClient('ours', fields))
      expect(await storage.reads.directory.findClient('ours', id)).toEqual({ id, ...fields })
      expect(await storage.reads.directory.findClient('ours', id + 1000)).toBeNull()
      expect(await storage.reads.directory.findClient('ours', Number.MAX_SAFE_INTEGER)).toBeNull()

      const retired = poseur({ nom: 'Ismaël Roy', inactif_depuis: instant(2) })
      const poseur_id = await storage.transaction((tx) => tx.directory.addPoseur('ours', retired))
      expect(await storage.reads.directory.findPoseur('ours', poseur_id)).toEqual({ id: poseur_id, ...retired })
      expect(await storage.reads.directory.findPoseur('ours', poseur_id + 1000)).toBeNull()
    })

    it('ids are positive integers, and no two accounts share one', async (storage) => {
      await twoOwners(storage)
      const owners = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'ours' : 'theirs'))
      const adding = (add: (account_id: string) => Promise<number>) => Promise.all(owners.map(add))
      const clients = await adding((id) => storage.transaction((tx) => tx.directory.addClient(id, client())))
      const poseurs = await adding((id) => storage.transaction((tx) => tx.directory.addPoseur(id, poseur())))
      for (const ids of [clients, poseurs]) {
        expect(ids.every((id) => Number.isSafeInteger(id) && id > 0)).toBe(true)
        expect(new Set(ids).size).toBe(20)
      }
    })

    it('an update changes the given fields of that record only', async (storage) => {
      await addOwner(storage, 'ours')
      const first = await storage.transaction((tx) => tx.directory.addClient('ours', client({ telephone: '1' })))
      const second = await storage.transaction((tx) => tx.directory.addClient('ours', client()))
      await storage.transaction((tx) =>
        tx.directory.updateClient('ours', first, { nom: 'Roux', prenom: undefined, telephone: null }),
      )
      expect(await storage.reads.directory.findClient('ours', first)).toEqual({ id: first, ...client({ nom: 'Roux' }) })
      expect(await storage.reads.directory.findClient('ours', second)).toEqual({ id: second, ...client() })

      const id = await storage.transaction((tx) => tx.directory.addPoseur('ours', poseur()))
      await storage.transaction((tx) =>
        tx.directory.updatePoseur('ours', id, { nom: undefined, inactif_depuis: instant() }),
      )
      expect(await storage.reads.directory.findPoseur('ours', id)).toEqual({
        id,
        ...poseur({ inactif_depuis: instant() }),
      })
      await storage.transaction((tx) => tx.directory.updatePoseur('ours', id, { inactif_depuis: null }))
      expect(await storage.reads.directory.findPoseur('ours', id)).toEqual({ id, ...poseur() })
    })

    it('nothing of another account is found, listed or changed', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      expect(await storage.reads.directory.findClient('ours', theirs.client_id)).toBeNull()
      expect(await storage.reads.directory.findPoseur('ours', theirs.poseur_id)).toBeNull()
      const clients = await storage.reads.directory.listClients('ours', wholeList)
      expect(clients.items.map(({ id }) => id)).toEqual([ours.client_id])
      expect(clients.total).toBe(1)
      const poseurs = await storage.reads.directory.listPoseurs('ours', wholeList)
      expect(poseurs.items.map(({ id }) => id)).toEqual([ours.poseur_id])
      expect(poseurs.total).toBe(1)

      await ended(storage.transaction((tx) => tx.directory.updateClient('ours', theirs.client_id, { nom: 'X' })))
      await ended(storage.transaction((tx) => tx.directory.updatePoseur('ours', theirs.poseur_id, { nom: 'X' })))
      expect(await storage.reads.directory.findClient('theirs', theirs.client_id)).toMatchObject({
        nom: 'Client de theirs',
      })
      expect(await storage.reads.directory.findPoseur('theirs', theirs.poseur_id)).toMatchObject({
        nom: 'Poseur de theirs',
      })
    })

    it('clients are listed by nom, prenom and id, page by page, with the true total', async (storage) => {
      await storage.transaction(async (tx) => {
        await tx.accounts.add(account('ours'))
        for (const [nom, prenom] of [
          ['Durand', 'Chloe'],
          ['Bernard', 'Zoe'],
          ['Durand', 'Alice'],
          ['Durand', 'Alice'],
          ['Adam', 'Paul'],
        ] as const) {
          await tx.directory.addClient('ours', client({ nom, prenom }))
        }
      })
      const { items, total } = await storage.reads.directory.listClients('ours', wholeList)
      expect(total).toBe(5)
      const names = items.map(({ nom, prenom }) => `${nom} ${prenom}`)
      expect(names).toEqual(['Adam Paul', 'Bernard Zoe', 'Durand Alice', 'Durand Alice', 'Durand Chloe'])
      expect(items[2]?.id).toBeLessThan(items[3]?.id ?? 0)

      const second = await storage.reads.directory.listClients('ours', { page: 2, limite: 2 })
      expect(second).toMatchObject({ items: items.slice(2, 4), total: 5 })
      const third = await storage.reads.directory.listClients('ours', { page: 3, limite: 2 })
      expect(third).toEqual({ items: items.slice(4), total: 5 })
      const past = await storage.reads.directory.listClients('ours', { page: 4, limite: 2 })
      expect(past).toEqual({ items: [], total: 5 })
    })

    it('poseurs are listed by nom and id, including inactive ones, page by page, with the true total', async (storage) => {
      await storage.transaction(async (tx) => {
        await tx.accounts.add(account('ours'))
        await tx.directory.addPoseur('ours', poseur({ nom: 'Roux' }))
        await tx.directory.addPoseur('ours', poseur({ nom: 'Adam', inactif_depuis: instant() }))
        await tx.directory.addPoseur('ours', poseur({ nom: 'Petit' }))
      })
      const { items, total } = await storage.reads.directory.listPoseurs('ours', wholeList)
      expect(total).toBe(3)
      expect(items.map(({ nom }) => nom)).toEqual(['Adam', 'Petit', 'Roux'])
      expect(await storage.reads.directory.listPoseurs('ours', { page: 2, limite: 2 })).toEqual({
        items: items.slice(2),
        total: 3,
      })
      expect(await storage.reads.directory.listPoseurs('ours', { page: 3, limite: 2 })).toEqual({ items: [], total: 3 })
    })

    it('clients and poseurs are listed in the order of a French dictionary', async (storage) => {
      const names = ['Éluard', 'Zola', 'de Vigny', 'eluard', 'Œuvrard', 'Oetker', 'd’Arc', 'Dupont-Aignan', 'Dupont']
      await storage.transaction(async (tx) => {
        await tx.accounts.add(account('ours'))
        for (const nom of names) {
          await tx.directory.addClient('ours', client({ nom }))
          await tx.directory.addPoseur('ours', poseur({ nom }))
        }
      })
      const ordered = names.toSorted(new Intl.Collator('fr').compare)
      for (const list of ['listClients', 'listPoseurs'] as const) {
        const [first, second] = [1, 2].map((page) => storage.reads.directory[list]('ours', { page, limite: 5 }))
        const items = [...((await first)?.items ?? []), ...((await second)?.items ?? [])]
        expect(items.map(({ nom }) => nom)).toEqual(ordered)
      }
    })

    it('a search finds clients if all its words begin words of theirs, without case or accents', async (storage) => {
      await storage.transaction(async (tx) => {
        await tx.accounts.add(account('ours'))
        await tx.accounts.add(account('theirs'))
        await tx.directory.addClient('ours', client({ nom: 'Lefèvre', prenom: 'Zoé', email: 'zoe@Example.test' }))
        await tx.directory.addClient('ours', client({ nom: 'Lefebvre', prenom: 'Zélie' }))
        await tx.directory.addClient('ours', client({ nom: 'Garçon', prenom: 'Noël', email: '100%_a@example.test' }))
        await tx.directory.addClient('theirs', client({ nom: 'Lefèvre', prenom: 'Zoé' }))
      })
      const search = async (text: string) => {
        const found = await storage.reads.directory.listClients('ours', { ...wholeList, recherche: text })
        expect(found.total).toBe(found.items.length)
        if (text !== '') {
          const newest = await storage.reads.directory.searchClients('ours', { recherche: text, limit: 2 })
          expect(newest).toEqual(found.items.toSorted((a, b) => b.id - a.id).slice(0, 2))
        }
        return found.items.map(({ nom }) => nom)
      }
      expect(await search('LEFEVRE')).toEqual(['Lefèvre'])
      expect(await search('Zoé lefè')).toEqual(['Lefèvre'])
      expect(await search('example zoe')).toEqual(['Lefèvre'])
      expect(await search('lef')).toEqual(['Lefebvre', 'Lefèvre'])
      expect(await search('lef garcon')).toEqual([])
      expect(await search('100%_a')).toEqual(['Garçon'])
      expect(await search('efebvre')).toEqual([])
      expect(await search('l_f')).toEqual([])
      expect(await search('')).toHaveLength(3)
    })

    it('a search without contact data finds clients and their cases only by name and town', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const contact = { email: 'zoe@atelier.test', telephone: '04 72 00 00 01', raison_sociale: 'Menuiserie Kerbrat' }
      const lieu = { ...nowhere, ligne1: '12 rue des Acacias', code_postal: '69700', ville: 'Givors' }
      // `Acacias` is in the name and in the address, so it is also found without contact data.
      const fields = client({ ...contact, nom: 'Acacias', prenom: 'Zoé', lieu })
      const client_id = await storage.transaction((tx) => tx.directory.addClient('ours', fields))
      await addCase(storage, { ...owner, client_id })
      const found = async (recherche: string, only: { withoutContact?: true }) => {
        const query = { recherche, limit: 5, ...only }
        const ville = { ville: recherche, ...only }
        const lists = [
          await storage.reads.cases.search('ours', query),
          (await storage.reads.cases.list('ours', { recherche, ...only }, wholeList)).items,
          // With `client_id`, a list searches the words of each row instead of the index of words.
          (await storage.reads.cases.list('ours', { recherche, client_id, ...only }, wholeList)).items,
          (await storage.reads.cases.list('ours', ville, wholeList)).items,
          await storage.reads.directory.searchClients('ours', query),
        ]
        return lists.map(({ length }) => length).join('')
      }
      for (const recherche of ['acacias', 'zoe', 'givors']) {
        expect([recherche, await found(recherche, { withoutContact: true })]).toEqual([recherche, '11111'])
        expect([recherche, await found(recherche, {})]).toEqual([recherche, '11111'])
      }
      for (const recherche of ['kerbrat', 'rue', '69700', '0472', 'acacias 697']) {
        expect([recherche, await found(recherche, { withoutContact: true })]).toEqual([recherche, '00000'])
        expect([recherche, await found(recherche, {})]).toEqual([recherche, '11111'])
      }
      expect(await found('atelier', { withoutContact: true })).toBe('00000')
      expect(await found('atelier', {})).toBe('00001')
    })

    it('a search follows a change of name', async (storage) => {
      const { ours } = await twoOwners(storage)
      await storage.transaction((tx) => tx.directory.updateClient('ours', ours.client_id, { nom: 'Évrard' }))
      expect((await storage.reads.directory.listClients('ours', { ...wholeList, recherche: 'evrard' })).total).toBe(1)
      expect((await storage.reads.directory.listClients('ours', { ...wholeList, recherche: 'client' })).total).toBe(0)
    })
  })
}
