import { type Suite, twoOwners } from '@sav/storage-contract'
import { rdvPageStore } from '../customers/rdv-page-store.js'
import { addRdv, newRdv } from './rdv-samples.js'

const hashOf = (digit: string) => digit.repeat(64)

export function rdvPageContract({ describe, it, expect }: Suite): void {
  describe('pages of appointments', () => {
    it('are found by their hash, and removed with their appointment', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const own = await addRdv(storage, newRdv(ours, 8))
      const other = await addRdv(storage, newRdv(theirs, 8))
      const pages = [
        { hash: hashOf('a'), account_id: 'ours', rdv_id: own.id },
        { hash: hashOf('b'), account_id: 'ours', rdv_id: own.id },
        { hash: hashOf('c'), account_id: 'theirs', rdv_id: other.id },
      ]
      for (const page of pages) await storage.transaction((tx) => tx.of(rdvPageStore).add(page))
      const rdvPages = storage.reads.of(rdvPageStore)
      for (const page of pages) expect(await rdvPages.find(page.hash)).toEqual(page)
      expect(await rdvPages.find(hashOf('d'))).toBeNull()

      await storage.transaction((tx) => tx.of(rdvPageStore).remove('theirs', own.id))
      expect(await rdvPages.find(hashOf('a'))).not.toBeNull()
      await storage.transaction((tx) => tx.of(rdvPageStore).remove('ours', own.id))
      expect(await rdvPages.find(hashOf('a'))).toBeNull()
      expect(await rdvPages.find(hashOf('b'))).toBeNull()
      expect(await rdvPages.find(hashOf('c'))).toEqual(pages[2])
    })

    it('keep their account and appointment if the same hash is added again', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const own = await addRdv(storage, newRdv(ours, 8))
      const other = await addRdv(storage, newRdv(theirs, 8))
      const page = { hash: hashOf('a'), account_id: 'ours', rdv_id: own.id }
      const again = { ...page, account_id: 'theirs', rdv_id: other.id }
      for (const each of [page, again]) await storage.transaction((tx) => tx.of(rdvPageStore).add(each))
      expect(await storage.reads.of(rdvPageStore).find(page.hash)).toEqual(page)
    })
  })
}
