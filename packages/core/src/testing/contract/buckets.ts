import type { StoredBucket } from '../../access/bucket-store.js'
import type { Storage } from '../../storage.js'
import { ended } from '../samples/samples.js'
import type { Suite } from './suite.js'

const byName = (a: StoredBucket, b: StoredBucket) => (a.name < b.name ? -1 : 1)

const claim = async (storage: Storage, ...names: string[]) =>
  (await storage.transaction((tx) => tx.buckets.claim(names))).toSorted(byName)

const save = (storage: Storage, full: Readonly<Record<string, number>>) =>
  storage.transaction(async (tx) => {
    await tx.buckets.claim(Object.keys(full).toSorted())
    await tx.buckets.save(Object.entries(full).map(([name, full_at]) => ({ name, full_at })))
  })

/** Of the year 2026, in microseconds. */
const now = 1_768_473_000_123_456

export function bucketContract({ describe, it, expect }: Suite): void {
  describe('buckets', () => {
    it('one that nobody saved is full since 0', async (storage) => {
      expect(await claim(storage, 'reads key_1')).toEqual([{ name: 'reads key_1', full_at: 0 }])
      expect(await claim(storage, 'reads key_1')).toEqual([{ name: 'reads key_1', full_at: 0 }])
    })

    it('each reads back as it was saved last, to the microsecond, inside the transaction and after it', async (storage) => {
      await save(storage, { 'reads é 🔧': now, 'writes key_1': now + 1 })
      const saved = [
        { name: 'reads é 🔧', full_at: now },
        { name: 'writes key_1', full_at: now + 3 },
      ]
      await storage.transaction(async (tx) => {
        await tx.buckets.claim(['writes key_1'])
        await tx.buckets.save([{ name: 'writes key_1', full_at: now + 3 }])
        expect((await tx.buckets.claim(['reads é 🔧', 'writes key_1'])).toSorted(byName)).toEqual(saved)
      })
      expect(await claim(storage, 'reads é 🔧', 'writes key_1')).toEqual(saved)
    })

    it('no bucket at all can be claimed and saved, and 500 at once', async (storage) => {
      await save(storage, {})
      expect(await claim(storage)).toEqual([])
      const names = Array.from({ length: 500 }, (_, n) => `reads key_${1000 + n}`)
      await save(storage, Object.fromEntries(names.map((name, n) => [name, now + n])))
      expect(await claim(storage, ...names)).toEqual(names.map((name, n) => ({ name, full_at: now + n })))
    })

    it('a transaction that fails leaves its buckets as they were', async (storage) => {
      await save(storage, { a: now })
      await ended(
        storage.transaction(async (tx) => {
          await tx.buckets.claim(['a', 'b'])
          await tx.buckets.save(['a', 'b'].map((name) => ({ name, full_at: now + 9 })))
          throw new Error('changed our mind')
        }),
      )
      expect((await claim(storage, 'a', 'b')).map(({ full_at }) => full_at)).toEqual([now, 0])
    })

    it('of 20 transactions that add to two buckets at once, known or new, none is lost', async (storage) => {
      await save(storage, { a: 1 })
      const adding = Array.from({ length: 20 }, () =>
        storage.transaction(async (tx) => {
          const found = await tx.buckets.claim(['a', 'b'])
          await tx.buckets.save(found.map(({ name, full_at }) => ({ name, full_at: full_at + 1 })))
        }),
      )
      await Promise.all(adding)
      expect((await claim(storage, 'a', 'b')).map(({ full_at }) => full_at)).toEqual([21, 20])
    })

    it('those that were full before the bound are forgotten, the others stay', async (storage) => {
      await save(storage, { a: now - 1, b: now, c: now + 1 })
      await storage.transaction((tx) => tx.buckets.forget(now))
      expect((await claim(storage, 'a', 'b', 'c')).map(({ full_at }) => full_at)).toEqual([0, now, now + 1])
    })
  })
}
