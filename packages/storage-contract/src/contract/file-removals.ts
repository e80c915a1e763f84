import type { FileRemoval } from '@sav/core/ports'
import { digest, instant } from '../samples/samples.js'
import type { Suite } from './suite.js'

const removal = (fields: Partial<FileRemoval> = {}): FileRemoval => ({
  account_id: 'ours',
  sha256: digest(1),
  remove_at: instant(),
  begun_at: null,
  ...fields,
})

export function fileRemovalContract({ describe, it, expect }: Suite): void {
  describe('removals of files', () => {
    it('are found by account and content, and replaced', async (storage) => {
      const { fileRemovals } = storage.reads
      await storage.transaction(async (tx) => {
        await tx.fileRemovals.save(removal())
        expect(await tx.fileRemovals.find('ours', digest(1))).toEqual(removal())
      })
      expect(await fileRemovals.find('ours', digest(1))).toEqual(removal())
      expect(await fileRemovals.find('ours', digest(2))).toBeNull()
      expect(await fileRemovals.find('theirs', digest(1))).toBeNull()
      const begun = removal({ remove_at: instant(1000), begun_at: instant() })
      await storage.transaction((tx) => tx.fileRemovals.save(begun))
      expect(await fileRemovals.find('ours', digest(1))).toEqual(begun)
    })

    it('are due from their instant on, the earliest first', async (storage) => {
      const [first, second, third] = [
        removal({ sha256: digest(3), remove_at: instant(1) }),
        removal({ account_id: 'theirs', sha256: digest(2), remove_at: instant(2), begun_at: instant() }),
        removal({ sha256: digest(1), remove_at: instant(3) }),
      ]
      await storage.transaction(async (tx) => {
        for (const each of [third, second, first]) await tx.fileRemovals.save(each)
      })
      const { fileRemovals } = storage.reads
      expect(await fileRemovals.due(instant(0), 10)).toEqual([])
      expect(await fileRemovals.due(instant(2), 10)).toEqual([first, second])
      expect(await fileRemovals.due(instant(3), 2)).toEqual([first, second])
      expect(await fileRemovals.due(instant(3), 10)).toEqual([first, second, third])
    })

    it('can be cancelled until they have begun, and forgotten at any time', async (storage) => {
      const begun = removal({ sha256: digest(2), begun_at: instant() })
      await storage.transaction(async (tx) => {
        for (const each of [removal(), removal({ account_id: 'theirs' }), begun]) await tx.fileRemovals.save(each)
      })
      await storage.transaction(async (tx) => {
        expect(await tx.fileRemovals.cancel('ours', digest(1))).toBe(true)
        expect(await tx.fileRemovals.cancel('ours', digest(1))).toBe(false)
        expect(await tx.fileRemovals.cancel('ours', digest(2))).toBe(false)
      })
      const { fileRemovals } = storage.reads
      expect(await fileRemovals.find('ours', digest(1))).toBeNull()
      expect(await fileRemovals.find('theirs', digest(1))).not.toBeNull()
      expect(await fileRemovals.find('ours', digest(2))).toEqual(begun)
      await storage.transaction((tx) => tx.fileRemovals.forget('ours', digest(2)))
      expect(await fileRemovals.find('ours', digest(2))).toBeNull()
    })
  })
}
