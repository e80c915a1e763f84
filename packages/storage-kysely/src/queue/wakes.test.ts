import type { EndpointRecord, Transaction } from '@sav/core/ports'
import { describe, expect, it, onTestFinished } from 'vitest'
import { account } from '../../../storage-contract/src/samples/samples.js'
import { openFresh } from '../../test/databases.js'
import { newFile, openMigrated, openThreaded } from '../../test/files.js'
import type { OpenedStorage } from '../storage/opened-storage.js'

const at = '2026-01-15T10:30:00.000Z'
const later = '2026-01-15T10:45:00.000Z'

const endpoint: EndpointRecord = {
  ...{
    account_id: 'ours',
    id: 'wh_1',
    url: 'https://atelier.example/hooks',
    description: null,
    events: ['sav.created'],
  },
  ...{ sealed_secret: 'sealed', previous_secrets: [], sealed_headers: null },
  ...{
    disabled_at: null,
    disabled_reason: null,
    removed_at: null,
    failing_since: null,
    failures: null,
    created_at: at,
    updated_at: at,
  },
}

const enqueue = (tx: Transaction, n: number, targets: readonly string[] = ['wh_1']) =>
  tx.outbox.add({
    ...{ account_id: 'ours', id: `evt_${n}`, event: 'sav.created', body: '{}', created_at: at },
    deliveries: targets.map((target) => ({ id: `dlv_${n}`, channel: 'webhook', target })),
  })

for (const [name, open] of [
  ['SQLite', () => openMigrated(newFile())],
  ['SQLite, its queue in a thread', () => openThreaded(newFile())],
  // It does not listen: what wakes is this process alone.
  ['PostgreSQL', () => openFresh({ direct: null })],
] as const)
  describe(`a worker of the process that commits, on ${name}`, () => {
    /** A store with an endpoint, and how often a step wakes by the time that it is done. */
    async function watched() {
      const storage: OpenedStorage = await open()
      onTestFinished(() => storage.close())
      await storage.transaction(async (tx) => {
        await tx.accounts.add(account('ours'))
        await tx.endpoints.add(endpoint)
      })
      let wakes = 0
      onTestFinished(
        storage.queue.watch(() => {
          wakes += 1
        }),
      )
      const wakesOf = async (step: Promise<unknown>) => {
        const before = wakes
        await step
        return wakes - before
      }
      const write = (work: (tx: Transaction) => Promise<unknown>) => wakesOf(storage.transaction(work))
      const claim = () =>
        storage.queue.claim(
          (['first', 'retry'] as const).map((lane) => ({ lane, target: 'wh_1', channel: 'webhook', limit: 5 })),
          { now: later, leasedUntil: '2026-01-15T10:45:15.000Z', token: 'token' },
        )
      return { storage, write, wakesOf, claim }
    }

    it('is woken by new deliveries, once they are committed', async () => {
      const { write } = await watched()
      expect(await write((tx) => enqueue(tx, 1))).toBe(1)
      const both = async (tx: Transaction) => {
        await enqueue(tx, 2)
        await enqueue(tx, 3)
      }
      expect(await write(both)).toBe(1)
    })

    it('is woken by deliveries that are reopened, given back, or due at a re-enabled endpoint', async () => {
      const { storage, write, wakesOf, claim } = await watched()
      await write((tx) => enqueue(tx, 1))
      expect(await write((tx) => tx.deliveries.reopen('ours', 'dlv_1', later))).toBe(1)
      const claimed = await claim()
      expect(claimed).toHaveLength(1)
      expect(await wakesOf(storage.queue.release(claimed))).toBe(1)
      expect(await write((tx) => tx.endpoints.update({ ...endpoint, url: 'https://new.example/hooks' }))).toBe(1)
    })

    it('sleeps on when nothing is due by it', async () => {
      const { storage, write, wakesOf, claim } = await watched()
      expect(await write((tx) => enqueue(tx, 1, []))).toBe(0)
      expect(await write((tx) => tx.deliveries.reopen('ours', 'dlv_9', later))).toBe(0)
      expect(await write((tx) => tx.endpoints.update({ ...endpoint, disabled_at: at }))).toBe(0)
      expect(await write((tx) => tx.endpoints.update({ ...endpoint, removed_at: at }))).toBe(0)
      expect(await write((tx) => tx.endpoints.update({ ...endpoint, id: 'wh_9' }))).toBe(0)
      expect(await write((tx) => tx.facts.set('last_ready_at', at))).toBe(0)
      expect(await wakesOf(claim())).toBe(0)
      const strange = { id: 'dlv_9', account_id: 'ours', created_at: later, lease_token: 'token' }
      expect(await wakesOf(storage.queue.release([strange]))).toBe(0)
      const failing = async (tx: Transaction) => {
        await enqueue(tx, 2)
        throw new Error('changed our mind')
      }
      expect(await wakesOf(expect(storage.transaction(failing)).rejects.toThrow('changed our mind'))).toBe(0)
    })

    it('is not woken any more once it stops watching', async () => {
      const { storage } = await watched()
      let wakes = 0
      const wake = () => {
        wakes += 1
      }
      const [unwatch, unwatchSame] = [storage.queue.watch(wake), storage.queue.watch(wake)]
      await storage.transaction((tx) => enqueue(tx, 1))
      unwatch()
      await storage.transaction((tx) => enqueue(tx, 2))
      unwatchSame()
      await storage.transaction((tx) => enqueue(tx, 3))
      expect(wakes).toBe(3)
    })
  })
