import type { ErasedAccount } from '@sav/core/feature'
import type { Storage } from '@sav/core/ports'
import { addDeliveries, claim, dueAt, ids, oldestDue } from '../samples/queue-samples.js'
import { addCase, addEndpoint, apiKey, digest, evidence, file, instant, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

const begun: ErasedAccount = {
  ...{ id: 'ours', begun_at: instant(1), begun_by: 'cli:marie', chain_erased_at: null, chain_erased_by: null },
  ...{ date: null, sequence: null, hash_entree: null },
}

async function eraseAll(storage: Storage, account_id: string, keepsChain: boolean): Promise<void> {
  while ((await storage.transaction((tx) => tx.erasedAccounts.eraseRows(account_id, { keepsChain }))) > 0);
  await storage.transaction((tx) => tx.erasedAccounts.remove(account_id))
}

async function twoShops(storage: Storage): Promise<void> {
  const { ours, theirs } = await twoOwners(storage)
  for (const owner of [ours, theirs]) {
    const found = await addCase(storage, owner)
    await storage.transaction(async (tx) => {
      await tx.files.put(owner.account_id, found.id, file(new Uint8Array([1, 2, 3])))
      for (const sequence of [1, 2]) await tx.evidence.append(evidence(found, sequence), `{"sequence":${sequence}}`)
      await tx.keys.add(apiKey(owner.account_id, `key_${owner.account_id}`))
    })
  }
}

export function erasedAccountContract({ describe, it, expect }: Suite): void {
  describe('erased accounts', () => {
    it('a record reads back as saved, and a later save does not change begun_at and begun_by', async (storage) => {
      expect(await storage.reads.erasedAccounts.find('ours')).toBeNull()
      await storage.transaction((tx) => tx.erasedAccounts.save(begun))
      const done = {
        ...begun,
        date: instant(9),
        sequence: 2,
        hash_entree: digest(2),
        chain_erased_at: instant(3),
        chain_erased_by: 'cli:root',
      }
      const again = { ...done, begun_at: instant(8), begun_by: null }
      await storage.transaction((tx) => tx.erasedAccounts.save(again))
      expect(await storage.reads.erasedAccounts.find('ours')).toEqual(done)
      expect(await storage.reads.erasedAccounts.list()).toEqual([done])
    })

    for (const keepsChain of [true, false])
      it(`all rows of the account are deleted, and no others; the chain is kept: ${keepsChain}`, async (storage) => {
        await twoShops(storage)
        await eraseAll(storage, 'ours', keepsChain)
        expect((await storage.reads.accounts.list()).map(({ id }) => id)).toEqual(['theirs'])
        expect(await storage.reads.evidence.walk('ours', { afterSequence: 0, limit: 9 })).toEqual([])
        const kept = await storage.reads.erasedAccounts.walk('ours', { afterSequence: 0, limit: 9 })
        expect(kept.map(({ account, sequence }) => [account, sequence])).toEqual(
          keepsChain
            ? [
                ['ours', 1],
                ['ours', 2],
              ]
            : [],
        )
        expect(await storage.reads.files.stored('ours')).toBe(0)
        expect(await storage.reads.files.stored('theirs')).toBe(3)
        expect(await storage.reads.evidence.walk('theirs', { afterSequence: 1, limit: 9 })).toHaveLength(1)
        expect(await storage.reads.keys.find('theirs', 'key_theirs')).not.toBeNull()
      })

    it('a walk continues after a sequence, up to a limit, and digests can be deleted later', async (storage) => {
      await twoShops(storage)
      await eraseAll(storage, 'ours', true)
      const walked = (afterSequence: number, limit: number) =>
        storage.reads.erasedAccounts.walk('ours', { afterSequence, limit })
      expect((await walked(0, 1)).map(({ sequence }) => sequence)).toEqual([1])
      expect((await walked(1, 9)).map(({ sequence }) => sequence)).toEqual([2])
      await eraseAll(storage, 'ours', false)
      expect(await walked(0, 9)).toEqual([])
    })
  })

  describe('disabled accounts', () => {
    const disable = (storage: Storage, desactive_le: string | null) =>
      storage.transaction((tx) => tx.accounts.update('ours', { desactive_le }))

    it('a key is found by its id, but not by its hash while its account is disabled', async (storage) => {
      await twoShops(storage)
      const { hash } = apiKey('ours', 'key_ours')
      await disable(storage, instant(5))
      expect(await storage.reads.keys.findByHash(hash)).toBeNull()
      expect(await storage.reads.keys.findByHash(apiKey('theirs', 'key_theirs').hash)).not.toBeNull()
      expect(await storage.reads.keys.find('ours', 'key_ours')).not.toBeNull()
      await disable(storage, null)
      expect(await storage.reads.keys.findByHash(hash)).not.toBeNull()
    })

    it('deliveries of the account wait, also at a target that other accounts share', async (storage) => {
      await twoShops(storage)
      await addEndpoint(storage, 'ours', 'wh_1')
      await addDeliveries(storage, { a: 0 })
      await addDeliveries(storage, { b: 1 }, { target: 'email' })
      await addDeliveries(storage, { c: 2 }, { target: 'email', account_id: 'theirs' })
      await disable(storage, instant(5))
      const letters = (at: number) => claim(storage, { at, target: 'email' })
      expect((await dueAt(storage, 9)).map(({ target }) => target)).toEqual(['email'])
      expect(ids(await claim(storage, { at: 9 }))).toEqual([])
      expect(ids(await letters(9))).toEqual(['dlv_c'])
      expect(await dueAt(storage, 9)).toEqual([])
      expect(await oldestDue(storage, 9)).toBeNull()
      await disable(storage, null)
      // For up to a second, a claim may skip a delivery that another process released. So these claims come later.
      expect((await dueAt(storage, 2000)).map(({ target }) => target)).toEqual(['email', 'wh_1'])
      expect(ids(await claim(storage, { at: 2000 }))).toEqual(['dlv_a'])
      expect(ids(await letters(2000))).toEqual(['dlv_b'])
    })
  })
}
