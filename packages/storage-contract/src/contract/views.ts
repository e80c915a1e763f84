import { twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

export function viewContract({ describe, it, expect }: Suite): void {
  describe('saved views', () => {
    it('views are replaced as a whole, for each id of each account', async (storage) => {
      await twoOwners(storage)
      const urgent = { nom: 'Urgents sans poseur', adresse: '/dossiers?priorite=urgente' }
      const week = { nom: 'Ma semaine', adresse: '/planning' }
      const put = (account_id: string, id: string, views: (typeof week)[]) =>
        storage.transaction((tx) => tx.views.put(account_id, id, views))
      await put('ours', 'usr_a', [urgent])
      await put('ours', 'key_1', [week])
      await put('theirs', 'usr_a', [])
      await put('ours', 'usr_a', [week, urgent])
      const { views } = storage.reads
      expect(await views.list('ours', 'usr_a')).toEqual([week, urgent])
      expect(await views.list('ours', 'key_1')).toEqual([week])
      expect(await views.list('theirs', 'usr_a')).toEqual([])
      expect(await views.list('ours', 'usr_b')).toEqual([])
    })
  })
}
