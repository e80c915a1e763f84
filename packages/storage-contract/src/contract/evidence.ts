import type { SavCase, Storage } from '@sav/core/ports'
import { addCase, addOwner, digest, ended, evidence, present, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

/** Appends the next entry of the account's chain, as a close does. */
async function appendNext(storage: Storage, from: SavCase): Promise<void> {
  await storage.transaction(async (tx) => {
    const head = await tx.evidence.lockHead(from.account_id)
    const sequence = (head?.sequence ?? 0) + 1
    const hash_precedent = head?.hash_entree ?? digest(0)
    await tx.evidence.append(evidence(from, sequence, { hash_precedent }), `{"sequence":${sequence}}`)
  })
}

export function evidenceContract({ describe, it, expect }: Suite): void {
  describe('evidence', () => {
    it('a chain is empty at first: no head, no entry, no snapshot', async (storage) => {
      const { id } = await addCase(storage, await addOwner(storage, 'ours'))
      expect(await storage.transaction((tx) => tx.evidence.lockHead('ours'))).toBeNull()
      expect(await storage.reads.evidence.find('ours', 1)).toBeNull()
      expect(await storage.reads.evidence.find('ours', Number.MAX_SAFE_INTEGER)).toBeNull()
      expect(await storage.reads.evidence.ofCase('ours', id)).toEqual([])
      expect(await storage.reads.evidence.walk('ours', { afterSequence: 0, limit: 10 })).toEqual([])
      expect(await storage.reads.evidence.snapshot('ours', digest(1))).toBeNull()
    })

    it('an entry and its snapshot read back as they were appended', async (storage) => {
      const from = await addCase(storage, await addOwner(storage, 'ours'))
      const entry = evidence(from, 1)
      const snapshot = '{"description":"Façade « rayée » 🪛","version":1}'
      await storage.transaction((tx) => tx.evidence.append(entry, snapshot))
      expect(await storage.reads.evidence.find('ours', 1)).toEqual(entry)
      expect(await storage.reads.evidence.ofCase('ours', from.id)).toEqual([entry])
      expect(await storage.reads.evidence.walk('ours', { afterSequence: 0, limit: 10 })).toEqual([{ entry, snapshot }])
      expect(await storage.reads.evidence.snapshot('ours', entry.hash_dossier)).toBe(snapshot)
      expect(await storage.transaction((tx) => tx.evidence.lockHead('ours'))).toEqual(entry)
    })

    it('the head is the newest entry, also after sequence 9', async (storage) => {
      const from = await addCase(storage, await addOwner(storage, 'ours'))
      for (let sequence = 1; sequence <= 11; sequence++) {
        await appendNext(storage, from)
        const head = await storage.transaction((tx) => tx.evidence.lockHead('ours'))
        expect(head?.sequence).toBe(sequence)
      }
    })

    it('a case has its own entries, oldest first', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const [first, second] = [await addCase(storage, owner), await addCase(storage, owner)]
      for (const from of [first, second, first, first]) await appendNext(storage, from)
      const sequences = async (id: number) =>
        (await storage.reads.evidence.ofCase('ours', id)).map(({ sequence }) => sequence)
      expect(await sequences(first.id)).toEqual([1, 3, 4])
      expect(await sequences(second.id)).toEqual([2])
    })

    it('a walk continues after a sequence, in order, up to a limit', async (storage) => {
      const from = await addCase(storage, await addOwner(storage, 'ours'))
      for (let count = 0; count < 12; count++) await appendNext(storage, from)
      const walk = async (afterSequence: number, limit: number) =>
        (await storage.reads.evidence.walk('ours', { afterSequence, limit })).map(({ entry }) => entry.sequence)
      expect(await walk(0, 100)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
      expect(await walk(0, 5)).toEqual([1, 2, 3, 4, 5])
      expect(await walk(5, 5)).toEqual([6, 7, 8, 9, 10])
      expect(await walk(10, 5)).toEqual([11, 12])
      expect(await walk(12, 5)).toEqual([])
    })

    it('two entries may share one snapshot', async (storage) => {
      const from = await addCase(storage, await addOwner(storage, 'ours'))
      const hash_dossier = digest(77)
      for (const sequence of [1, 2]) {
        await storage.transaction((tx) => tx.evidence.append(evidence(from, sequence, { hash_dossier }), '{}'))
      }
      const walked = await storage.reads.evidence.walk('ours', { afterSequence: 0, limit: 10 })
      expect(walked.map(({ snapshot }) => snapshot)).toEqual(['{}', '{}'])
    })

    it('50 concurrent appends, of which every fifth fails, make one unbroken chain', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const from = await addCase(storage, owner)
      const appending = Array.from({ length: 50 }, (_, index) =>
        storage.transaction(async (tx) => {
          const head = await tx.evidence.lockHead('ours')
          const sequence = (head?.sequence ?? 0) + 1
          const hash_precedent = head?.hash_entree ?? digest(0)
          // Every attempt has a different hash, so that an entry built on a rolled-back one would be detected.
          const hash_entree = digest(10_000 + index)
          await tx.evidence.append(evidence(from, sequence, { hash_precedent, hash_entree }), '{}')
          if (index % 5 === 0) throw new Error('changed our mind')
        }),
      )
      await Promise.allSettled(appending)
      const chain = (await storage.reads.evidence.walk('ours', { afterSequence: 0, limit: 100 })).map(
        ({ entry }) => entry,
      )
      expect(chain.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
      const precedents = [digest(0), ...chain.map(({ hash_entree }) => hash_entree)].slice(0, -1)
      expect(chain.map(({ hash_precedent }) => hash_precedent)).toEqual(precedents)
    })

    it('each account has its own chain', async (storage) => {
      const { ours, theirs } = await twoOwners(storage)
      const [own, foreign] = [await addCase(storage, ours), await addCase(storage, theirs)]
      await appendNext(storage, foreign)
      await appendNext(storage, foreign)
      const link = present(await storage.reads.evidence.find('theirs', 1))
      expect(await storage.reads.evidence.find('ours', 1)).toBeNull()
      expect(await storage.reads.evidence.ofCase('ours', foreign.id)).toEqual([])
      expect(await storage.reads.evidence.walk('ours', { afterSequence: 0, limit: 10 })).toEqual([])
      expect(await storage.reads.evidence.snapshot('ours', link.hash_dossier)).toBeNull()
      expect(await storage.transaction((tx) => tx.evidence.lockHead('ours'))).toBeNull()

      await appendNext(storage, own)
      expect(await storage.reads.evidence.find('ours', 1)).toMatchObject({ case_id: own.id })
      await ended(storage.transaction((tx) => tx.evidence.append(evidence(own, 2, { case_id: foreign.id }), '{}')))
      expect(await storage.reads.evidence.ofCase('theirs', foreign.id)).toHaveLength(2)
    })
  })
}
