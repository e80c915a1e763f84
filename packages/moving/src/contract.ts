import { usualCaseFields } from '@sav/core/feature'
import { addOwner, client, digest, instantAfter as instant, type Suite, twoOwners } from '@sav/storage-contract'
import { type ImportedCase, importStore } from './import-store.js'

const row = (cle: string, id: number, empreinte: string | null = 'aa') =>
  ({ type: 'clients', cle, id, empreinte }) as const

const imported = (account_id: string, client_id: number, numero: number): ImportedCase => ({
  ...{ account_id, annee: 2019, numero, client_id, description: 'La porte ne ferme plus.' },
  ...usualCaseFields,
  ...{ statut: 'ouvert', photos: [], poseur_id: null, closing: null, tete_historique: { numero: 1, hash: digest(1) } },
  ...{ date_creation: instant(), date_modification: instant(1), reference_origine: `TK${numero}` },
})

/** The contract of `importStore`, for `storageContract({ features })`. */
export function importContract({ describe, it, expect }: Suite): void {
  describe('rows that were imported', () => {
    it('are recognised by their keys, in each account separately', async (storage) => {
      await twoOwners(storage)
      await storage.transaction((tx) => tx.of(importStore).note('ours', [row('a', 1), row('b', 2)]))
      await storage.transaction((tx) => tx.of(importStore).note('ours', [row('b', 3, 'bb')]))
      const imports = storage.reads.of(importStore)
      const known = await imports.known('ours', 'clients', ['b', 'a', 'c'])
      expect(known.toSorted((one, other) => (one.cle < other.cle ? -1 : 1))).toEqual([row('a', 1), row('b', 3, 'bb')])
      expect(await imports.known('ours', 'cases', ['a'])).toEqual([])
      expect(await imports.known('theirs', 'clients', ['a'])).toEqual([])
    })

    it('are written by only one import at a time in an account', async (storage) => {
      await twoOwners(storage)
      const write = (id: number) =>
        storage.transaction(async (tx) => {
          await tx.of(importStore).lock('ours')
          const known = await tx.of(importStore).known('ours', 'clients', ['a'])
          if (known.length === 0) await tx.of(importStore).note('ours', [row('a', id)])
          return known.length
        })
      const found = await Promise.all([1, 2, 3].map(write))
      expect(found.toSorted()).toEqual([0, 1, 1])
    })

    it('are forgotten with their client, except for keys that reveal no content', async (storage) => {
      const { client_id } = await addOwner(storage, 'ours')
      await storage.transaction(async (tx) => {
        await tx.of(importStore).note('ours', [row('a', client_id), row('b', client_id + 1)])
        await tx.of(importStore).note('ours', [row('cc', client_id, 'cc'), row('dd', client_id + 1, 'dd')])
        await tx.of(importStore).forgetClient('ours', client_id)
      })
      const known = await storage.reads.of(importStore).known('ours', 'clients', ['a', 'b', 'cc', 'dd'])
      expect(known.toSorted((one, other) => (one.cle < other.cle ? -1 : 1))).toEqual([
        row('a', client_id, null),
        row('b', client_id + 1),
        row('dd', client_id + 1, 'dd'),
      ])
    })

    it('find clients by their whole e-mail address, in upper or lower case', async (storage) => {
      const { client_id } = await addOwner(storage, 'ours')
      const other = await addOwner(storage, 'theirs')
      await storage.transaction(async (tx) => {
        const added = client({ email: 'Zoe.Petit@example.fr' })
        const ids = [await tx.directory.addClient('ours', added), await tx.directory.addClient('ours', added)]
        await tx.directory.addClient('ours', client({ email: 'zoe.petit@example.fr.net' }))
        await tx.directory.addClient('ours', client({ email: 'zoe-petit@example.fr' }))
        await tx.directory.addClient('theirs', added)
        expect(await tx.of(importStore).clientsOfEmail('ours', 'zoe.petit@EXAMPLE.fr')).toEqual(ids)
        expect(ids).not.toContain(client_id)
        const kelvin = await tx.directory.addClient('ours', client({ email: 'karim@example.fr' }))
        expect(await tx.of(importStore).clientsOfEmail('ours', 'KARIM@example.fr')).toEqual([kelvin])
        expect(await tx.of(importStore).clientsOfEmail('ours', '\u212aarim@example.fr')).toEqual([])
      })
      expect(await storage.reads.of(importStore).clientsOfEmail('theirs', 'zoe.petit@example.fr')).not.toContain(
        other.client_id,
      )
      expect(await storage.reads.of(importStore).clientsOfEmail('ours', 'zoe@example.fr')).toEqual([])
    })

    it('of clients are added in order, and found together, in each account separately', async (storage) => {
      const { client_id } = await addOwner(storage, 'ours')
      const other = await addOwner(storage, 'theirs')
      const names = Array.from({ length: 70 }, (_, place) => `Client ${(place * 37) % 70}`)
      const added = names.map((nom) => client({ nom }))
      const ids = await storage.transaction((tx) => tx.of(importStore).addClients('ours', added))
      expect(new Set([client_id, other.client_id, ...ids]).size).toBe(72)
      const asked = [...ids, ...ids, client_id, other.client_id, 999_999]
      const found = await storage.transaction((tx) => tx.of(importStore).findClients('ours', asked))
      expect(found).toHaveLength(71)
      const byId = new Map(found.map(({ id, nom }) => [id, nom]))
      expect(ids.map((id) => byId.get(id))).toEqual(names)
      expect(byId.has(other.client_id)).toBe(false)
      const one = await storage.reads.directory.findClient('ours', ids[0] ?? 0)
      expect(found.find(({ id }) => id === ids[0])).toEqual(one)
    })

    it('get reference numbers together, without a gap, and give them back after a failure', async (storage) => {
      await twoOwners(storage)
      const taken = (count: number) => storage.transaction((tx) => tx.of(importStore).nextNumbers('ours', 2019, count))
      expect(await taken(3)).toEqual([1, 2, 3])
      const failed = storage.transaction(async (tx) => {
        await tx.of(importStore).nextNumbers('ours', 2019, 5)
        throw new Error('refused')
      })
      await expect(failed).rejects.toThrow('refused')
      expect(await storage.transaction((tx) => tx.cases.nextNumber('ours', 2019))).toBe(4)
      expect(await taken(2)).toEqual([5, 6])
      expect(await storage.transaction((tx) => tx.of(importStore).nextNumbers('ours', 2020, 1))).toEqual([1])
    })

    it('of cases are added with their former number, and can be found by it', async (storage) => {
      const { client_id } = await addOwner(storage, 'ours')
      const cases = Array.from({ length: 70 }, (_, place) => imported('ours', client_id, place + 1))
      const ids = await storage.transaction((tx) => tx.of(importStore).addCases(cases))
      const { items, total } = await storage.reads.cases.list('ours', {}, { page: 1, limite: 200 })
      expect(total).toBe(70)
      expect(new Set(items.map(({ id }) => id))).toEqual(new Set(ids))
      expect(await storage.reads.of(importStore).caseOfOrigin('ours', 'TK7')).toBe(ids[6])
      expect(await storage.reads.of(importStore).caseOfOrigin('ours', 'TK71')).toBeNull()
      expect(await storage.reads.cases.find('ours', ids[6] ?? 0)).toMatchObject({ reference_origine: 'TK7' })
    })
  })
}
