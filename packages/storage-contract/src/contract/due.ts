import {
  addDeliveries,
  claim,
  claimOne,
  dueAt,
  failed,
  ids,
  leaseMs,
  oldestDue,
  outcome,
  prepare,
  update,
  webhook,
} from '../samples/queue-samples.js'
import { addDelivery, addEndpoint, endpoint, instant, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

export function dueContract({ describe, it, expect }: Suite): void {
  describe('due deliveries', () => {
    it('an empty queue has nothing due, nothing to claim and nothing to record', async (storage) => {
      await prepare(storage)
      expect(await dueAt(storage, 0)).toEqual([])
      expect(await oldestDue(storage)).toBeNull()
      expect(await claim(storage)).toEqual([])
      expect(await claim(storage, { target: 'wh_unknown' })).toEqual([])
      expect(await storage.queue.claim([], { now: instant(), leasedUntil: instant(1), token: 'token' })).toEqual([])
      expect(await storage.queue.record([])).toEqual(new Set())
      await storage.queue.release([])
    })

    it('a delivery is due from its event’s instant on', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 100 })
      expect(await dueAt(storage, 99)).toEqual([])
      expect(await claim(storage, { at: 99 })).toEqual([])
      expect(await oldestDue(storage, 99)).toBeNull()
      expect(await dueAt(storage, 100)).toEqual([webhook('wh_1', 'first')])
      expect(await oldestDue(storage, 100)).toBe(instant(100))
      expect(ids(await claim(storage, { at: 100 }))).toEqual(['dlv_a'])
    })

    it('each target is listed once per lane', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0, b: 0, c: 0 })
      for (const delivery of (await claim(storage)).slice(0, 2)) await storage.queue.record([outcome(delivery)])
      await addDeliveries(storage, { d: 1, e: 2 })
      await addDeliveries(storage, { f: 1, g: 2 }, { target: 'wh_2' })
      expect(await dueAt(storage, 40_000)).toEqual([
        webhook('wh_1', 'first'),
        webhook('wh_1', 'retry'),
        webhook('wh_2', 'first'),
      ])
    })

    it('due deliveries of every account are found', async (storage) => {
      await twoOwners(storage)
      await addEndpoint(storage, 'ours', 'wh_1')
      await addEndpoint(storage, 'theirs', 'wh_2')
      await addDelivery(storage, { account_id: 'ours', name: '1', target: 'wh_1' })
      await addDelivery(storage, { account_id: 'theirs', name: '2', target: 'wh_2' })
      expect(await dueAt(storage, 0)).toEqual([webhook('wh_1', 'first'), webhook('wh_2', 'first')])
      expect(await claim(storage, { target: 'wh_2' })).toMatchObject([{ id: 'dlv_2', account_id: 'theirs' }])
    })

    it('a target is untouched while none of its first attempts is in progress and it has not failed', async (storage) => {
      await prepare(storage)
      const untouched = async (at: number) =>
        (await storage.queue.lateness({ now: instant(at), behindSince: instant(at) })).oldest_unclaimed
      await addDeliveries(storage, { a: 0, b: 1 })
      await addDeliveries(storage, { c: 2, d: 3 }, { target: 'wh_2' })
      expect(await untouched(10)).toBe(instant(0))
      // An attempt at `wh_1` is in progress, so its other delivery no longer counts: only `wh_2` is untouched.
      const one = await claimOne(storage, { limit: 1, at: 10 })
      expect(await untouched(10_000)).toBe(instant(2))
      await storage.queue.record([outcome(one, failed)])
      expect(await untouched(10_000)).toBe(instant(1))
      for (const [echecs_consecutifs, oldest] of [
        [1, instant(2)],
        [0, instant(1)],
      ] as const) {
        const record = { account_id: 'ours', endpoint_id: 'wh_1', minutes: [], echecs_consecutifs }
        const never = { echecs_depuis: null, dernier_echec: null, derniere_reponse: null }
        await storage.transaction((tx) => tx.endpoints.keepRecords([{ ...record, ...never }]))
        expect(await untouched(10_000)).toBe(oldest)
      }
      // Retries do not count: they are late because their receiver failed.
      for (const target of ['wh_1', 'wh_2'])
        for (const each of await claim(storage, { target, at: 10_000 })) await storage.queue.record([outcome(each)])
      expect(await dueAt(storage, 40_000)).toHaveLength(2)
      expect(await untouched(40_000)).toBeNull()
    })

    it('a target is untouched again once the lease of its attempt has expired', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      await claim(storage)
      const untouched = async (at: number) =>
        (await storage.queue.lateness({ now: instant(at), behindSince: instant() })).oldest_unclaimed
      expect([await untouched(leaseMs - 1), await untouched(leaseMs)]).toEqual([null, instant(0)])
    })

    it('a target with several deliveries due before the bound is counted as behind only once', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0, b: 5, c: 5 })
      await addDeliveries(storage, { d: 5 }, { target: 'wh_2' })
      const first = await claimOne(storage, { limit: 1 })
      await storage.queue.record([outcome(first, update({ next_attempt_at: instant(5) }))])
      const behind = async (since: number) =>
        (await storage.queue.lateness({ now: instant(10), behindSince: instant(since) })).targets_behind
      expect([await behind(5), await behind(6)]).toEqual([0, 2])
    })

    it('a channel without endpoints has its own targets', async (storage) => {
      await prepare(storage)
      const target = 'client@example.test'
      await addDeliveries(storage, { a: 0 }, { channel: 'email', target })
      expect(await dueAt(storage, 0)).toEqual([{ target, channel: 'email', lane: 'first' }])
      expect(await claim(storage, { target, channel: 'webhook' })).toEqual([])
      expect(ids(await claim(storage, { target, channel: 'email' }))).toEqual(['dlv_a'])
    })

    it('the oldest due delivery is the one that has waited longest for its next attempt', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      await storage.queue.record([outcome(await claimOne(storage))])
      await addDeliveries(storage, { b: 20_000, c: 10_000 }, { target: 'wh_2' })
      expect(await oldestDue(storage, 9_999)).toBeNull()
      expect(await oldestDue(storage, 40_000)).toBe(instant(10_000))
      await claim(storage, { target: 'wh_2', at: 40_000 })
      expect(await oldestDue(storage, 40_000)).toBe(instant(30_000))
    })

    it('deliveries of a disabled endpoint wait until it is enabled again', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0, b: 1 })
      const set = (disabled_at: string | null) =>
        storage.transaction((tx) => tx.endpoints.update(endpoint('ours', 'wh_1', { disabled_at })))
      await set(instant(2))
      expect(await dueAt(storage, 10)).toEqual([])
      expect(await claim(storage, { at: 10 })).toEqual([])
      expect(await oldestDue(storage, 10)).toBeNull()
      expect(await storage.reads.deliveries.find('ours', 'dlv_a')).toMatchObject({ state: 'pending' })

      await addDeliveries(storage, { c: 5 })
      await set(null)
      expect(await dueAt(storage, 10)).toEqual([webhook('wh_1', 'first')])
      expect(await oldestDue(storage, 10)).toBe(instant())
      expect(ids(await claim(storage, { at: 10 }))).toEqual(['dlv_a', 'dlv_b', 'dlv_c'])
    })

    it('a retry of a disabled endpoint waits as well', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      await storage.queue.record([outcome(await claimOne(storage))])
      const disabled = endpoint('ours', 'wh_1', { disabled_at: instant(2) })
      await storage.transaction((tx) => tx.endpoints.update(disabled))
      expect(await dueAt(storage, 40_000)).toEqual([])
      expect(await claim(storage, { at: 40_000, lane: 'retry' })).toEqual([])
    })

    it('deliveries of a removed endpoint are never due', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      const removed = endpoint('ours', 'wh_1', { removed_at: instant(1) })
      await storage.transaction((tx) => tx.endpoints.update(removed))
      expect(await dueAt(storage, 10)).toEqual([])
      expect(await claim(storage, { at: 10 })).toEqual([])
      expect(await oldestDue(storage, 10)).toBeNull()
    })
  })
}
