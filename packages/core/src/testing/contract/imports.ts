import type { ImportedRow } from '../../moving/import-store.js'
import { addOwner, digest, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

const imported = (cle: string, fields: Partial<ImportedRow> = {}): ImportedRow => ({
  type: 'clients',
  cle,
  objet_id: 1,
  client_id: 1,
  empreinte: digest(1),
  ...fields,
})

export function importContract({ describe, it, expect }: Suite): void {
  describe('imported rows', () => {
    it('are found by their keys, each account and each type its own', async (storage) => {
      await twoOwners(storage)
      const rows = [imported('CU-1'), imported('CU-2', { objet_id: 2 }), imported('CU-1', { type: 'cases' })]
      await storage.transaction(async (tx) => {
        await tx.imports.put('ours', rows)
        await tx.imports.put('theirs', [imported('CU-3')])
      })
      const find = (...cles: string[]) => storage.reads.imports.find('ours', 'clients', cles)
      expect((await find('CU-2', 'CU-1', 'CU-3')).toSorted((a, b) => a.objet_id - b.objet_id)).toEqual(rows.slice(0, 2))
      expect(await find()).toEqual([])
    })

    it('one that is put again is replaced, and hundreds are put at once', async (storage) => {
      await addOwner(storage, 'ours')
      const rows = Array.from({ length: 300 }, (_, index) => imported(`CU-${index}`, { objet_id: index + 1 }))
      await storage.transaction((tx) => tx.imports.put('ours', rows))
      await storage.transaction((tx) =>
        tx.imports.put('ours', [imported('CU-7', { empreinte: digest(2), objet_id: 8 })]),
      )
      const found = await storage.reads.imports.find(
        'ours',
        'clients',
        rows.map(({ cle }) => cle),
      )
      expect(found).toHaveLength(300)
      expect(found.filter(({ empreinte }) => empreinte === digest(2)).map(({ cle }) => cle)).toEqual(['CU-7'])
    })

    it('an erasure leaves the keys of a client alone', async (storage) => {
      await addOwner(storage, 'ours')
      const other = imported('CU-2', { client_id: 2 })
      await storage.transaction((tx) => tx.imports.put('ours', [imported('CU-1'), other]))
      await storage.transaction((tx) => tx.imports.erase('ours', 1))
      const found = await storage.reads.imports.find('ours', 'clients', ['CU-1', 'CU-2'])
      expect(found.toSorted((a, b) => (a.cle < b.cle ? -1 : 1))).toEqual([imported('CU-1', { empreinte: '' }), other])
    })
  })
}
