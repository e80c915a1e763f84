import { addCase, addOwner, digest, ended, file, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

export function fileContract({ describe, it, expect }: Suite): void {
  describe('files', () => {
    it('a file reads back byte for byte through the case that holds it', async (storage) => {
      const { id } = await addCase(storage, await addOwner(storage, 'ours'))
      const content = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256)
      await storage.transaction((tx) => tx.files.put('ours', id, file(content, { media_type: 'image/webp' })))
      const found = await storage.reads.files.find('ours', id, digest(70_000))
      expect(found).toMatchObject({ sha256: digest(70_000), media_type: 'image/webp' })
      expect(Buffer.compare(found?.content ?? new Uint8Array(), content)).toBe(0)
      expect(await storage.reads.files.find('ours', id, digest(1))).toBeNull()
    })

    it('a file is not found through a case that does not hold it', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const [holder, other] = [await addCase(storage, owner), await addCase(storage, owner)]
      const stored = file(Uint8Array.of(1, 2, 3))
      await storage.transaction((tx) => tx.files.put('ours', holder.id, stored))
      expect(await storage.reads.files.find('ours', other.id, stored.sha256)).toBeNull()
      await storage.transaction((tx) => tx.files.put('ours', other.id, stored))
      expect(await storage.reads.files.find('ours', other.id, stored.sha256)).not.toBeNull()
    })

    it('the same file can be added twice to the same case', async (storage) => {
      const { id } = await addCase(storage, await addOwner(storage, 'ours'))
      const stored = file(Uint8Array.of(1, 2, 3))
      await storage.transaction((tx) => tx.files.put('ours', id, stored))
      await storage.transaction((tx) => tx.files.put('ours', id, stored))
      expect([...((await storage.reads.files.find('ours', id, stored.sha256))?.content ?? [])]).toEqual([1, 2, 3])
    })

    it('another account reaches neither the file nor the case that holds it', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const [own, foreign] = [await addCase(storage, ours), await addCase(storage, theirs)]
      const stored = file(Uint8Array.of(1, 2, 3))
      await storage.transaction((tx) => tx.files.put('theirs', foreign.id, stored))
      expect(await storage.reads.files.find('ours', foreign.id, stored.sha256)).toBeNull()
      expect(await storage.reads.files.find('ours', own.id, stored.sha256)).toBeNull()

      const planted = file(Uint8Array.of(9))
      await ended(storage.transaction((tx) => tx.files.put('ours', foreign.id, planted)))
      expect(await storage.reads.files.find('theirs', foreign.id, planted.sha256)).toBeNull()
      expect(await storage.reads.files.find('ours', foreign.id, planted.sha256)).toBeNull()
    })

    it('two accounts may hold the same file', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const stored = file(Uint8Array.of(1, 2, 3))
      for (const owner of [ours, theirs]) {
        const { id } = await addCase(storage, owner)
        await storage.transaction((tx) => tx.files.put(owner.account_id, id, stored))
        expect([...((await storage.reads.files.find(owner.account_id, id, stored.sha256))?.content ?? [])]).toEqual([
          1, 2, 3,
        ])
      }
    })
  })
}
