import type { ImportedCase } from '../../moving/import-store.js'
import { addOwner, client, instant, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

const row = (cle: string, id: number, empreinte: string | null = 'aa') =>
  ({ type: 'clients', cle, id, empreinte }) as const

const imported = (account_id: string, client_id: number, numero: number): ImportedCase => ({
  ...{ account_id, annee: 2019, numero, client_id, description: 'La porte ne ferme plus.' },
  ...({ type_probleme: 'autre', priorite: 'normale', statut: 'ouvert' } as const),
  ...{ photos: [], poseur_id: null, closing: null, notes_internes: null, tete_historique: null },
  ...{ date_creation: instant(), date_modification: instant(1), reference_origine: `TK${numero}` },
})

export function importContract({ describe, it, expect }: Suite): void {
  describe('rows that were imported', () => {
    it('are known again by their keys, each account its own', async (storage) => {
      await twoOwners(storage)
      await storage.transaction((tx) => tx.imports.note('ours', [row('a', 1), row('b', 2)]))
      await storage.transaction((tx) => tx.imports.note('ours', [row('b', 3, 'bb')]))
      const { imports } = storage.reads
      const known = await imports.known('ours', 'clients', ['b', 'a', 'c'])
      expect(known.toSorted((one, other) => (one.cle < other.cle ? -1 : 1))).toEqual([row('a', 1), row('b', 3, 'bb')])
      expect(await imports.known('ours', 'cases', ['a'])).toEqual([])
      expect(await imports.known('theirs', 'clients', ['a'])).toEqual([])
    })

    it('are brought by one import into an account after the other', async (storage) => {
      await twoOwners(storage)
      const bring = (id: number) =>
        storage.transaction(async (tx) => {
          await tx.imports.lock('ours')
          const known = await tx.imports.known('ours', 'clients', ['a'])
          if (known.length === 0) await tx.imports.note('ours', [row('a', id)])
          return known.length
        })
      const found = await Promise.all([1, 2, 3].map(bring))
      expect(found.toSorted()).toEqual([0, 1, 1])
    })

    it('are forgotten with a client, but for keys that do not tell what they said', async (storage) => {
      const { client_id } = await addOwner(storage, 'ours')
      await storage.transaction(async (tx) => {
        await tx.imports.note('ours', [row('a', client_id), row('b', client_id + 1)])
        await tx.imports.note('ours', [row('cc', client_id, 'cc'), row('dd', client_id + 1, 'dd')])
        await tx.imports.forgetClient('ours', client_id)
      })
      const known = await storage.reads.imports.known('ours', 'clients', ['a', 'b', 'cc', 'dd'])
      expect(known.toSorted((one, other) => (one.cle < other.cle ? -1 : 1))).toEqual([
        row('a', client_id, null),
        row('b', client_id + 1),
        row('dd', client_id + 1, 'dd'),
      ])
    })

    it('name clients by their whole e-mail, whatever its case', async (storage) => {
      const { client_id } = await addOwner(storage, 'ours')
      const other = await addOwner(storage, 'theirs')
      await storage.transaction(async (tx) => {
        const added = client({ email: 'Zoe.Petit@example.fr' })
        const ids = [await tx.directory.addClient('ours', added), await tx.directory.addClient('ours', added)]
        await tx.directory.addClient('ours', client({ email: 'zoe.petit@example.fr.net' }))
        await tx.directory.addClient('ours', client({ email: 'zoe-petit@example.fr' }))
        await tx.directory.addClient('theirs', added)
        expect(await tx.imports.clientsOfEmail('ours', 'zoe.petit@EXAMPLE.fr')).toEqual(ids)
        expect(ids).not.toContain(client_id)
      })
      expect(await storage.reads.imports.clientsOfEmail('theirs', 'zoe.petit@example.fr')).not.toContain(
        other.client_id,
      )
      expect(await storage.reads.imports.clientsOfEmail('ours', 'zoe@example.fr')).toEqual([])
    })

    it('that are cases are inserted with their number of before, and found by it', async (storage) => {
      const { client_id } = await addOwner(storage, 'ours')
      const cases = Array.from({ length: 70 }, (_, place) => imported('ours', client_id, place + 1))
      const ids = await storage.transaction((tx) => tx.imports.addCases(cases))
      const { items, total } = await storage.reads.cases.list('ours', {}, { page: 1, limite: 200 })
      expect(total).toBe(70)
      expect(new Set(items.map(({ id }) => id))).toEqual(new Set(ids))
      expect(await storage.reads.imports.caseOfOrigin('ours', 'TK7')).toBe(ids[6])
      expect(await storage.reads.imports.caseOfOrigin('ours', 'TK71')).toBeNull()
      expect(await storage.reads.cases.find('ours', ids[6] ?? 0)).toMatchObject({ reference_origine: 'TK7' })
    })
  })
}
