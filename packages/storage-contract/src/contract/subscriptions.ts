import type { Storage } from '@sav/core/ports'
import { claimOne, ids, outcome } from '../samples/queue-samples.js'
import { addEndpoint, addOwner, enqueue, instant, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

const crm = 'host:crm'

const subscribe = (storage: Storage, target: string, events: readonly string[]) =>
  storage.transaction((tx) => tx.outbox.subscribe(target, events))

const subscribers = (storage: Storage, event: string, account_id = 'ours') =>
  storage.transaction(async (tx) => (await tx.outbox.subscribers(account_id, event)).toSorted())

export function subscriptionContract({ describe, it, expect }: Suite): void {
  describe('subscriptions', () => {
    it('a handler of the host subscribes to its kinds of events in every account, beside endpoints', async (storage) => {
      await twoOwners(storage)
      await addEndpoint(storage, 'ours', 'wh_1', { events: ['sav.closed'] })
      await subscribe(storage, crm, ['sav.created', 'sav.closed'])
      await subscribe(storage, 'host:stock', ['sav.closed'])
      expect(await subscribers(storage, 'sav.closed')).toEqual([crm, 'host:stock', 'wh_1'])
      expect(await subscribers(storage, 'sav.created')).toEqual([crm])
      expect(await subscribers(storage, 'sav.created', 'theirs')).toEqual([crm])
      expect(await subscribers(storage, 'sav.updated')).toEqual([])
    })

    it('a new subscription replaces the previous one, and an empty one ends it', async (storage) => {
      await subscribe(storage, crm, ['sav.created', 'sav.closed'])
      await subscribe(storage, crm, ['sav.closed', 'rdv.created'])
      expect(await subscribers(storage, 'sav.created')).toEqual([])
      expect(await subscribers(storage, 'sav.closed')).toEqual([crm])
      expect(await subscribers(storage, 'rdv.created')).toEqual([crm])
      await subscribe(storage, crm, [])
      expect(await subscribers(storage, 'sav.closed')).toEqual([])
    })

    it('the same handler can be subscribed several times at once', async (storage) => {
      await Promise.all([1, 2, 3].map(() => subscribe(storage, crm, ['sav.closed', 'sav.created'])))
      expect(await subscribers(storage, 'sav.closed')).toEqual([crm])
    })

    it('deliveries for a removed handler fail; those for another continue', async (storage) => {
      await addOwner(storage, 'ours')
      await subscribe(storage, crm, ['sav.closed'])
      await subscribe(storage, 'host:stock', ['sav.closed'])
      await storage.transaction(async (tx) => {
        const waiting = { account_id: 'ours', created_at: instant() }
        await enqueue(tx, { ...waiting, name: 'retried', channel: crm, target: crm })
        await enqueue(tx, { ...waiting, name: 'held', channel: crm, target: crm, created_at: instant(1) })
        await enqueue(tx, { ...waiting, name: 'first', channel: crm, target: crm, created_at: instant(2) })
        await enqueue(tx, { ...waiting, name: 'stock', channel: 'host:stock', target: 'host:stock' })
      })
      const request = { channel: crm, target: crm, limit: 1 }
      await storage.queue.record([outcome(await claimOne(storage, request))])
      const held = await claimOne(storage, { ...request, at: 5 })
      expect(held.id).toBe('dlv_held')
      const expire = () =>
        storage.queue.expire({ now: instant(10), disabledBefore: instant(-30 * 86_400_000), limit: 100 })
      expect(await expire()).toBe(0)

      await subscribe(storage, crm, [])
      expect(await expire()).toBe(2)
      const failed = await storage.reads.deliveries.list('ours', { state: 'failed', limit: 9 })
      expect(ids(failed).toSorted()).toEqual(['dlv_first', 'dlv_retried'])
      expect(failed.map(({ last_error }) => last_error)).toEqual(['handler removed', 'handler removed'])
      const pending = await storage.reads.deliveries.list('ours', { state: 'pending', limit: 9 })
      expect(ids(pending).toSorted()).toEqual(['dlv_held', 'dlv_stock'])
    })
  })
}
