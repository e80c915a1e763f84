import type { Transaction } from '@sav/core/ports'
import {
  account,
  addCase,
  addOwner,
  apiKey,
  changeCase,
  client,
  ended,
  endpoint,
  enqueue,
  evidence,
  file,
  historyEntry,
  insertCase,
  instant,
  type Owner,
  poseur,
  twoOwners,
} from '../samples/samples.js'
import { call } from './audit.js'
import { kept } from './idempotency.js'
import type { Suite } from './suite.js'

/** Writes a record of every kind. Resolves to their ids. */
async function writeEverything(tx: Transaction, owner: Owner) {
  const { account_id } = owner
  await tx.accounts.add(account('newcomer'))
  await tx.keys.add(apiKey(account_id, 'key_1'))
  const client_id = await tx.directory.addClient(account_id, client())
  const poseur_id = await tx.directory.addPoseur(account_id, poseur())
  const inserted = await insertCase(tx, owner)
  await tx.cases.appendHistory(account_id, inserted.id, [historyEntry({ type: 'creation' })])
  const stored = file(Uint8Array.of(1, 2, 3))
  await tx.files.put(account_id, inserted.id, stored)
  await tx.evidence.lockHead(account_id)
  const link = evidence(inserted, 1)
  await tx.evidence.append(link, '{}')
  await tx.endpoints.add(endpoint(account_id, 'wh_1'))
  const delivery_id = await enqueue(tx, { account_id, name: '1', target: 'wh_1' })
  await tx.facts.set('colour', 'blue')
  await tx.audit.add([call('1')])
  await tx.idempotency.add(kept(), instant())
  await tx.processes.noteAlive({ id: 'a', at: instant() }, instant())
  return { client_id, poseur_id, case_id: inserted.id, sha256: stored.sha256, link, delivery_id }
}

function gate(): { readonly opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

export function transactionContract({ describe, it, expect }: Suite): void {
  describe('transactions', () => {
    it('a transaction resolves to the result of its work, and rejects with its error', async (storage) => {
      expect(await storage.transaction(async () => 'returned')).toBe('returned')
      const thrown = new Error('thrown')
      const failing = storage.transaction(async () => {
        throw thrown
      })
      await expect(failing).rejects.toBe(thrown)
    })

    it('a transaction whose work throws before its first await rejects as well', async (storage) => {
      const thrown = new Error('thrown at once')
      const failing = storage.transaction(() => {
        throw thrown
      })
      await expect(failing).rejects.toBe(thrown)
      expect(await storage.transaction(async () => 'next')).toBe('next')
    })

    it('a creation sees its own writes in every kind of read', async (storage) => {
      const { ours } = await twoOwners(storage)
      const { account_id } = ours
      await storage.transaction(async (tx) => {
        const { id } = await insertCase(tx, ours)
        await tx.cases.appendHistory(account_id, id, [historyEntry({ type: 'creation' })])
        await enqueue(tx, { account_id, name: '1', target: 'wh_1' })
        const [history, deliveries, list] = await Promise.all([
          tx.cases.history(account_id, id),
          tx.deliveries.list(account_id, { limit: 10 }),
          tx.cases.list(account_id, {}, { page: 1, limite: 10 }),
        ])
        expect([history.length, deliveries.length, list.total, list.items.length]).toEqual([1, 1, 1, 1])
        const another = await enqueue(tx, { account_id, name: '2', target: 'wh_1' })
        expect(await tx.deliveries.reopen(account_id, another, instant(1))).toBe(true)
      })
    })

    it('a transaction sees its own writes', async (storage) => {
      const { ours } = await twoOwners(storage)
      await storage.transaction(async (tx) => {
        const written = await writeEverything(tx, ours)
        expect(await tx.accounts.find('newcomer')).toEqual(account('newcomer'))
        expect(await tx.keys.findByHash('hash of key_1')).toEqual(apiKey(ours.account_id, 'key_1'))
        expect(await tx.directory.findClient(ours.account_id, written.client_id)).not.toBeNull()
        expect(await tx.directory.findPoseur(ours.account_id, written.poseur_id)).not.toBeNull()
        expect(await tx.cases.findByReference(ours.account_id, { annee: 2026, numero: 1 })).not.toBeNull()
        expect((await tx.cases.list(ours.account_id, {}, { page: 1, limite: 10 })).total).toBe(1)
        expect(await tx.cases.history(ours.account_id, written.case_id)).toHaveLength(1)
        expect(await tx.files.find(ours.account_id, written.case_id, written.sha256)).not.toBeNull()
        expect(await tx.evidence.lockHead(ours.account_id)).toEqual(written.link)
        expect(await tx.endpoints.find(ours.account_id, 'wh_1')).not.toBeNull()
        expect(await tx.deliveries.find(ours.account_id, written.delivery_id)).not.toBeNull()
        expect(await tx.outbox.subscribers(ours.account_id, 'sav.created')).toEqual(['wh_1'])
        expect(await tx.events.since(ours.account_id, '', 9)).toHaveLength(1)
        expect(await tx.facts.get('colour')).toBe('blue')
      })
    })

    it('a rejecting transaction leaves none of its writes', async (storage) => {
      const { ours } = await twoOwners(storage)
      const refusal = new Error('changed our mind')
      let written: Awaited<ReturnType<typeof writeEverything>> | undefined
      const failing = storage.transaction(async (tx) => {
        written = await writeEverything(tx, ours)
        throw refusal
      })
      await expect(failing).rejects.toBe(refusal)

      const { account_id } = ours
      const { client_id = 0, poseur_id = 0, case_id = 0, sha256 = '', link, delivery_id = '' } = written ?? {}
      expect(await storage.reads.accounts.find('newcomer')).toBeNull()
      expect((await storage.reads.accounts.list()).map(({ id }) => id)).toEqual(['ours', 'theirs'])
      expect(await storage.reads.keys.findByHash('hash of key_1')).toBeNull()
      expect(await storage.reads.keys.list(account_id)).toEqual([])
      expect(await storage.reads.directory.findClient(account_id, client_id)).toBeNull()
      expect((await storage.reads.directory.listClients(account_id, { page: 1, limite: 10 })).total).toBe(1)
      expect(await storage.reads.directory.findPoseur(account_id, poseur_id)).toBeNull()
      expect((await storage.reads.directory.listPoseurs(account_id, { page: 1, limite: 10 })).total).toBe(1)
      expect(await storage.reads.cases.find(account_id, case_id)).toBeNull()
      expect(await storage.reads.cases.findByReference(account_id, { annee: 2026, numero: 1 })).toBeNull()
      expect(await storage.reads.cases.list(account_id, {}, { page: 1, limite: 10 })).toEqual({ items: [], total: 0 })
      expect(await storage.reads.cases.history(account_id, case_id)).toEqual([])
      expect(await storage.reads.files.find(account_id, case_id, sha256)).toBeNull()
      expect(await storage.reads.evidence.find(account_id, 1)).toBeNull()
      expect(await storage.reads.evidence.walk(account_id, { afterSequence: 0, limit: 10 })).toEqual([])
      expect(await storage.reads.evidence.snapshot(account_id, link?.hash_dossier ?? '')).toBeNull()
      expect(await storage.reads.endpoints.find(account_id, 'wh_1')).toBeNull()
      expect(await storage.reads.endpoints.list(account_id)).toEqual([])
      expect(await storage.reads.deliveries.find(account_id, delivery_id)).toBeNull()
      expect(await storage.reads.deliveries.list(account_id, { limit: 10 })).toEqual([])
      expect(await storage.queue.due(instant())).toEqual([])
      expect(await storage.reads.endpoints.ofTarget('wh_1')).toBeNull()
      expect(await storage.reads.events.since(account_id, '', 9)).toEqual([])
      expect(await storage.reads.facts.get('colour')).toBeNull()
      expect(await storage.reads.audit.list(account_id, { limit: 9 })).toEqual([])
      expect(await storage.reads.idempotency.find(account_id, 'key_1', kept().request)).toBeNull()
      const others = await storage.transaction((tx) => tx.processes.noteAlive({ id: 'b', at: instant() }, instant()))
      expect(others).toBe(0)
    })

    it('a rejecting transaction restores what it changed', async (storage) => {
      const { ours } = await twoOwners(storage)
      const inserted = await addCase(storage, ours)
      await storage.transaction((tx) => tx.endpoints.add(endpoint(ours.account_id, 'wh_1')))
      await storage.transaction((tx) => tx.facts.set('colour', 'blue'))

      await ended(
        storage.transaction(async (tx) => {
          await tx.accounts.update(ours.account_id, { email: 'new@example.test' })
          await tx.directory.updateClient(ours.account_id, ours.client_id, { nom: 'Autre' })
          await tx.directory.updatePoseur(ours.account_id, ours.poseur_id, { nom: 'Autre' })
          await tx.cases.update(inserted, { statut: 'en_cours', date_modification: instant(1), version: 2 })
          await tx.endpoints.update(endpoint(ours.account_id, 'wh_1', { removed_at: instant() }))
          await tx.facts.set('colour', 'red')
          throw new Error('changed our mind')
        }),
      )

      expect(await storage.reads.accounts.find(ours.account_id)).toEqual(account('ours'))
      expect(await storage.reads.directory.findClient(ours.account_id, ours.client_id)).toMatchObject({
        nom: 'Client de ours',
      })
      expect(await storage.reads.directory.findPoseur(ours.account_id, ours.poseur_id)).toMatchObject({
        nom: 'Poseur de ours',
      })
      expect(await storage.reads.cases.find(ours.account_id, inserted.id)).toEqual(inserted)
      expect(
        (await storage.reads.cases.list(ours.account_id, { statut: 'ouvert' }, { page: 1, limite: 10 })).total,
      ).toBe(1)
      expect(
        (await storage.reads.cases.list(ours.account_id, { statut: 'en_cours' }, { page: 1, limite: 10 })).total,
      ).toBe(0)
      expect(await storage.reads.endpoints.find(ours.account_id, 'wh_1')).not.toBeNull()
      expect(await storage.reads.facts.get('colour')).toBe('blue')
    })

    it('one failing transaction among 50 concurrent ones rolls back alone', async (storage) => {
      const { ours } = await twoOwners(storage)
      const refusal = new Error('changed our mind')
      const ends = await Promise.allSettled(
        Array.from({ length: 50 }, (_, index) =>
          storage.transaction(async (tx) => {
            const inserted = await insertCase(tx, ours, { description: `Dossier numéro ${index}` })
            if (index === 25) throw refusal
            return inserted
          }),
        ),
      )

      expect(ends.filter(({ status }) => status === 'rejected')).toEqual([{ status: 'rejected', reason: refusal }])
      const { items, total } = await storage.reads.cases.list(ours.account_id, {}, { page: 1, limite: 100 })
      expect(total).toBe(49)
      expect(items.map(({ description }) => description)).not.toContain('Dossier numéro 25')
    })

    it('reads outside a transaction see none of its writes before its commit', async (storage) => {
      const { ours } = await twoOwners(storage)
      const written = gate()
      const finish = gate()
      const failing = ended(
        storage.transaction(async (tx) => {
          await insertCase(tx, ours)
          written.open()
          await finish.opened
          throw new Error('changed our mind')
        }),
      )
      await written.opened

      // A store may let the read wait for the end of the transaction, but need not.
      const reading = storage.reads.cases.list(ours.account_id, {}, { page: 1, limite: 10 })
      await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, 20))])
      finish.open()
      expect(await reading).toEqual({ items: [], total: 0 })
      await failing
    })

    it('concurrent transactions have the same effect as if they ran one after the other', async (storage) => {
      await storage.transaction((tx) => tx.facts.set('count', '0'))
      const increment = () =>
        storage.transaction(async (tx) => tx.facts.set('count', String(Number(await tx.facts.get('count')) + 1)))
      await Promise.all(Array.from({ length: 50 }, increment))
      expect(await storage.reads.facts.get('count')).toBe('50')
    })

    it('a transaction inside another one is refused, and the outer one can continue', async (storage) => {
      await storage.transaction(async (tx) => {
        await tx.facts.set('colour', 'blue')
        await expect(storage.transaction((inner) => inner.facts.set('colour', 'red'))).rejects.toThrow(/transaction/)
      })
      expect(await storage.reads.facts.get('colour')).toBe('blue')
      await storage.transaction((tx) => tx.facts.set('colour', 'green'))
      expect(await storage.reads.facts.get('colour')).toBe('green')
    })

    it('a record that was read does not change afterwards', async (storage) => {
      const owner = await addOwner(storage, 'ours')
      const inserted = await addCase(storage, owner)
      const copy = structuredClone(inserted)
      await changeCase(storage, inserted, { statut: 'en_cours' })
      expect(inserted).toEqual(copy)
    })
  })
}
