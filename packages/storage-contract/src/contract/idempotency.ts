import type { KeptAnswer, Storage } from '@sav/core/ports'
import { digest, ended, instant, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

const day = 86_400_000

/** An answer of `ours`, kept for `key_1`. */
export function kept(fields: Partial<KeptAnswer> = {}): KeptAnswer {
  return {
    account_id: 'ours',
    key_id: 'key_1',
    request: digest(1),
    body: digest(2),
    status: 201,
    answer: '{"headers":["Location","/é"],"body":"{\\"success\\":true}"}',
    created_at: instant(),
    client_id: null,
    case_id: null,
    ...fields,
  }
}

const add = (storage: Storage, answer: KeptAnswer, notBefore = instant(-day)) =>
  storage.transaction((tx) => tx.idempotency.add(answer, notBefore))

const find = (storage: Storage, { account_id, key_id, request }: KeptAnswer) =>
  storage.reads.idempotency.find(account_id, key_id, request)

export function idempotencyContract({ describe, it, expect }: Suite): void {
  describe('kept answers', () => {
    it('an answer reads back as it was kept, inside the transaction and after it', async (storage) => {
      await twoOwners(storage)
      const answer = kept({ answer: 'é 🔧'.repeat(10_000), status: 200 })
      await storage.transaction(async (tx) => {
        expect(await tx.idempotency.add(answer, instant(-day))).toBe(true)
        expect(await tx.idempotency.find('ours', 'key_1', answer.request)).toEqual(answer)
      })
      expect(await find(storage, answer)).toEqual(answer)
    })

    it('an answer belongs to its account, key and request', async (storage) => {
      await twoOwners(storage)
      await add(storage, kept())
      const others = [kept({ account_id: 'theirs' }), kept({ key_id: 'key_2' }), kept({ request: digest(9) })]
      for (const other of others) expect(await find(storage, other)).toBeNull()
      for (const other of others) expect(await add(storage, { ...other, status: 202 })).toBe(true)
      expect(await find(storage, kept())).toEqual(kept())
      for (const other of others) expect(await find(storage, other)).toEqual({ ...other, status: 202 })
    })

    it('an answer kept at or after the bound is not replaced', async (storage) => {
      await twoOwners(storage)
      const first = kept({ created_at: instant(5) })
      expect(await add(storage, first, instant())).toBe(true)
      const second = kept({ created_at: instant(9), status: 202, body: digest(3) })
      expect(await add(storage, second, instant(4))).toBe(false)
      expect(await add(storage, second, instant(5))).toBe(false)
      expect(await find(storage, first)).toEqual(first)
    })

    it('an answer kept before the bound is replaced completely', async (storage) => {
      await twoOwners(storage)
      await add(storage, kept({ created_at: instant(5) }))
      const second = kept({ created_at: instant(9), status: 202, body: digest(3), answer: 'other' })
      expect(await add(storage, second, instant(6))).toBe(true)
      expect(await find(storage, second)).toEqual(second)
    })

    it('an erasure empties answers about a client or a case, and keeps their requests', async (storage) => {
      await twoOwners(storage)
      const client = kept({ request: digest(1), client_id: 7 })
      const inCase = kept({ request: digest(2), case_id: 7 })
      const others = [
        kept({ request: digest(3), client_id: 8, case_id: 9 }),
        kept({ request: digest(4) }),
        kept({ account_id: 'theirs', request: digest(5), client_id: 7 }),
      ]
      for (const answer of [client, inCase, ...others]) await add(storage, answer)
      await storage.transaction((tx) => tx.idempotency.erase('ours', { client_id: 7 }))
      expect(await find(storage, client)).toEqual({ ...client, answer: '', body: '' })
      expect(await find(storage, inCase)).toEqual(inCase)
      await storage.transaction((tx) => tx.idempotency.erase('ours', { case_id: 7 }))
      expect(await find(storage, inCase)).toEqual({ ...inCase, answer: '', body: '' })
      for (const other of others) expect(await find(storage, other)).toEqual(other)
      expect(await add(storage, client)).toBe(false)
    })

    it('a transaction can continue after a refused answer', async (storage) => {
      await twoOwners(storage)
      await add(storage, kept())
      await storage.transaction(async (tx) => {
        expect(await tx.idempotency.add(kept({ status: 202 }), instant(-day))).toBe(false)
        expect(await tx.idempotency.find('ours', 'key_1', digest(1))).toEqual(kept())
        await tx.facts.set('colour', 'blue')
      })
      expect(await storage.reads.facts.get('colour')).toBe('blue')
    })

    it('of 10 answers added at once exactly one is kept, and the other transactions can roll back', async (storage) => {
      await twoOwners(storage)
      const ends = await Promise.allSettled(
        Array.from({ length: 10 }, (_, n) =>
          storage.transaction(async (tx) => {
            await tx.facts.set(`effect ${n}`, 'done')
            if (!(await tx.idempotency.add(kept({ status: 200 + n }), instant(-day)))) throw new Error('overtaken')
            return n
          }),
        ),
      )
      const winners = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
      expect(winners).toHaveLength(1)
      expect(await find(storage, kept())).toEqual(kept({ status: 200 + (winners[0] ?? 0) }))
      const effects = await Promise.all(ends.map((_, n) => storage.reads.facts.get(`effect ${n}`)))
      expect(effects.filter((effect) => effect !== null)).toHaveLength(1)
    })

    it('a purge deletes answers of every account before its bound, up to the limit', async (storage) => {
      await twoOwners(storage)
      const old = [1, 2, 3].map((n) => kept({ request: digest(n), created_at: instant(1) }))
      await add(storage, { ...kept(), account_id: 'theirs', created_at: instant(1) })
      for (const answer of old) await add(storage, answer)
      const standing = kept({ request: digest(4), created_at: instant(2) })
      await add(storage, standing)
      const before = instant(2)
      const purge = () => storage.transaction((tx) => tx.idempotency.purge(before, 3))
      expect(await storage.reads.idempotency.purgeable(before)).toBe(4)
      expect(await storage.reads.idempotency.purgeable(instant(1))).toBe(0)
      expect(await storage.transaction((tx) => tx.idempotency.purge(instant(1), 3))).toBe(0)
      const gone: number[] = []
      for (let round = 0; round < 3; round += 1) gone.push(await purge())
      expect(gone).toEqual([3, 1, 0])
      expect(await storage.reads.idempotency.purgeable(before)).toBe(0)
      expect(await find(storage, standing)).toEqual(standing)
      for (const answer of old) expect(await find(storage, answer)).toBeNull()
    })

    it('a purge counts what is left inside its transaction, and deletes nothing if that rolls back', async (storage) => {
      await twoOwners(storage)
      const answers = [1, 2].map((n) => kept({ request: digest(n) }))
      for (const answer of answers) await add(storage, answer)
      await ended(
        storage.transaction(async (tx) => {
          expect(await tx.idempotency.purge(instant(1), 1)).toBe(1)
          expect(await tx.idempotency.purgeable(instant(1))).toBe(1)
          throw new Error('changed our mind')
        }),
      )
      expect(await storage.reads.idempotency.purgeable(instant(1))).toBe(2)
      for (const answer of answers) expect(await find(storage, answer)).toEqual(answer)
    })
  })
}
