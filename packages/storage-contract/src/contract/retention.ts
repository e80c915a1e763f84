import type { DeliveryQueue, EndpointRecord, Storage } from '@sav/core/ports'
import {
  addDeliveries,
  claim,
  claimOne,
  delivered,
  dueAt,
  failed,
  leaseMs,
  oldestDue,
  outcome,
  prepare,
  update,
} from '../samples/queue-samples.js'
import { addDelivery, addEndpoint, endpoint, enqueue, instant, present, twoOwners } from '../samples/samples.js'
import type { Suite } from './suite.js'

const day = 86_400_000

const find = async (storage: Storage, id: string, account_id = 'ours') =>
  present(await storage.reads.deliveries.find(account_id, id))

/** The ids of all deliveries of `ours`, oldest first. */
async function history(storage: Storage): Promise<string[]> {
  const listed = await storage.reads.deliveries.list('ours', { limit: 100 })
  return listed.map(({ id }) => id).reverse()
}

function change(storage: Storage, id: string, fields: Partial<EndpointRecord>): Promise<void> {
  return storage.transaction((tx) => tx.endpoints.update(endpoint('ours', id, fields)))
}

export function expiryContract({ describe, it, expect }: Suite): void {
  const expire = (storage: Storage, fields: Partial<Parameters<DeliveryQueue['expire']>[0]> = {}) =>
    storage.queue.expire({ now: instant(60 * day), disabledBefore: instant(30 * day), limit: 100, ...fields })

  describe('expiry', () => {
    it('fails the waiting deliveries of a removed endpoint, due or not, and no others', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0, b: 1 })
      await addDeliveries(storage, { other: 0 }, { target: 'wh_2' })
      await storage.queue.record([outcome(await claimOne(storage, { limit: 1 }))])
      const other = await find(storage, 'dlv_other')
      const [first, second] = [await find(storage, 'dlv_a'), await find(storage, 'dlv_b')]
      await change(storage, 'wh_1', { removed_at: instant(2) })

      expect(await expire(storage, { now: instant(3), disabledBefore: instant(-30 * day) })).toBe(2)
      const over = {
        state: 'failed',
        next_attempt_at: null,
        last_error: 'endpoint removed',
        last_error_code: 'endpoint_removed',
      } as const
      expect(await find(storage, 'dlv_a')).toEqual({ ...first, ...over })
      expect(await find(storage, 'dlv_b')).toEqual({ ...second, ...over })
      expect(await find(storage, 'dlv_other')).toEqual(other)
      expect(await storage.reads.deliveries.attempts('ours', 'dlv_a')).toHaveLength(1)
      expect(await storage.reads.deliveries.list('ours', { state: 'failed', limit: 9 })).toHaveLength(2)
      expect(await expire(storage)).toBe(0)
    })

    it('fails deliveries due before the bound to a disabled endpoint, and lets the rest wait', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { before: 30 * day - 1, at: 30 * day })
      await addDeliveries(storage, { enabled: 0 }, { target: 'wh_2' })
      await change(storage, 'wh_1', { disabled_at: instant(31 * day), disabled_reason: 'five days of failures' })
      const waiting = [await find(storage, 'dlv_at'), await find(storage, 'dlv_enabled')]

      expect(await expire(storage)).toBe(1)
      expect(await find(storage, 'dlv_before')).toMatchObject({
        state: 'failed',
        attempt_count: 0,
        next_attempt_at: null,
        last_error: 'endpoint disabled for too long',
      })
      expect([await find(storage, 'dlv_at'), await find(storage, 'dlv_enabled')]).toEqual(waiting)
    })

    it('treats an endpoint that is disabled and removed as removed', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      await change(storage, 'wh_1', { disabled_at: instant(1), removed_at: instant(2) })
      expect(await expire(storage)).toBe(1)
      expect(await find(storage, 'dlv_a')).toMatchObject({ last_error: 'endpoint removed' })
    })

    it('counts the wait of a retry from its next attempt, not from its event', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      const retry = update({ next_attempt_at: instant(30 * day) })
      await storage.queue.record([outcome(await claimOne(storage), retry)])
      await change(storage, 'wh_1', { disabled_at: instant(1) })
      expect(await expire(storage)).toBe(0)
      expect(await expire(storage, { disabledBefore: instant(30 * day + 1) })).toBe(1)
      expect(await find(storage, 'dlv_a')).toMatchObject({ state: 'failed', attempt_count: 1, last_status: 500 })
    })

    it('does not touch a delivery in an attempt until its lease has expired', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      const claimed = await claimOne(storage)
      await change(storage, 'wh_1', { removed_at: instant(1) })
      expect(await expire(storage, { now: instant(leaseMs - 1) })).toBe(0)
      expect(await expire(storage, { now: instant(leaseMs) })).toBe(1)
      // The delivery has already been failed, so the result is dropped.
      expect(await storage.queue.record([outcome(claimed, delivered)])).toEqual(new Set())
      expect(await find(storage, 'dlv_a')).toMatchObject({ state: 'failed', last_error: 'endpoint removed' })
    })

    it('fails up to the limit of deliveries in each call, until nothing is left', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0, b: 0, c: 0 })
      await addDeliveries(storage, { d: 0, e: 0 }, { target: 'wh_2' })
      await change(storage, 'wh_1', { removed_at: instant(1) })
      await change(storage, 'wh_2', { disabled_at: instant(1) })
      const counts: number[] = []
      for (let round = 0; round < 4; round++) counts.push(await expire(storage, { limit: 2 }))
      expect(counts).toEqual([2, 2, 1, 0])
      expect(await storage.queue.counts()).toEqual({ pending: 0, delivered: 0, failed: 5 })
    })

    it('serves every account', async (storage) => {
      await twoOwners(storage)
      await addEndpoint(storage, 'ours', 'wh_1', { removed_at: instant() })
      await addEndpoint(storage, 'theirs', 'wh_2', { removed_at: instant() })
      await addDelivery(storage, { account_id: 'ours', name: 'a', target: 'wh_1' })
      await addDelivery(storage, { account_id: 'theirs', name: 'b', target: 'wh_2' })
      expect(await expire(storage)).toBe(2)
      expect(await find(storage, 'dlv_b', 'theirs')).toMatchObject({ state: 'failed' })
    })

    it('leaves nothing to attempt when the endpoint is enabled again, except after a replay', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: 0 })
      await change(storage, 'wh_1', { disabled_at: instant(1) })
      await expire(storage)
      await change(storage, 'wh_1', {})
      const now = 60 * day
      expect(await dueAt(storage, now)).toEqual([])
      expect(await claim(storage, { at: now })).toEqual([])
      expect(await oldestDue(storage, now)).toBeNull()
      expect(await storage.transaction((tx) => tx.deliveries.reopen('ours', 'dlv_a', instant(now)))).toBe(true)
      expect(await claim(storage, { at: now, lane: 'retry' })).toHaveLength(1)
    })
  })
}

export function purgeContract({ describe, it, expect }: Suite): void {
  const deliveredBefore = instant(60 * day)
  const failedBefore = instant(10 * day)
  const bounds = { deliveredBefore, failedBefore }
  const purge = (storage: Storage, limit = 100) => storage.queue.purge({ ...bounds, limit })
  const purgeable = (storage: Storage) => storage.queue.purgeable(bounds)

  /** Deliveries `dlv_<name>` to `wh_1`, each created at its instant and ended with `result`. */
  async function addEnded(storage: Storage, result: typeof delivered, at: Readonly<Record<string, number>>) {
    await addDeliveries(storage, at)
    const names = new Set(Object.keys(at).map((name) => `dlv_${name}`))
    const claimed = await claim(storage, { at: 90 * day })
    await storage.queue.record(claimed.filter(({ id }) => names.has(id)).map((delivery) => outcome(delivery, result)))
    await storage.queue.release(claimed)
  }

  describe('retention', () => {
    it('deletes delivered deliveries created before their bound, with their attempts', async (storage) => {
      await prepare(storage)
      await addEnded(storage, delivered, { before: 60 * day - 1, at: 60 * day })
      expect(await purgeable(storage)).toBe(1)
      expect(await purge(storage)).toBe(1)
      expect(await history(storage)).toEqual(['dlv_at'])
      expect(await storage.reads.deliveries.find('ours', 'dlv_before')).toBeNull()
      expect(await storage.reads.deliveries.attempts('ours', 'dlv_before')).toEqual([])
      expect(await storage.reads.deliveries.attempts('ours', 'dlv_at')).toHaveLength(1)
      expect(await purgeable(storage)).toBe(0)
      expect(await purge(storage)).toBe(0)
    })

    it('deletes failed deliveries created before their own bound', async (storage) => {
      await prepare(storage)
      await addEnded(storage, failed, { before: 10 * day - 1, at: 10 * day, later: 60 * day - 1 })
      // Two rows can be purged: the delivery and its event, which are older than both bounds.
      expect(await purgeable(storage)).toBe(2)
      expect(await purge(storage)).toBe(2)
      expect(await history(storage)).toEqual(['dlv_at', 'dlv_later'])
      expect(await purge(storage)).toBe(0)
    })

    it('never deletes a waiting delivery, nor its event', async (storage) => {
      await prepare(storage)
      await addDeliveries(storage, { a: -1000 * day })
      await addEnded(storage, delivered, { b: 0 })
      expect(await purgeable(storage)).toBe(2)
      expect(await purge(storage)).toBe(2)
      expect(await history(storage)).toEqual(['dlv_a'])
      expect(await claimOne(storage, { at: 90 * day })).toMatchObject({ id: 'dlv_a', body: '{"name":"a"}' })
    })

    it('keeps an event while one of its deliveries exists', async (storage) => {
      await prepare(storage)
      const entry = { id: 'evt_1', account_id: 'ours', event: 'sav.created', body: '{}', created_at: instant() }
      const deliveries = ['wh_1', 'wh_2'].map((target) => ({ id: `dlv_${target}`, channel: 'webhook', target }))
      await storage.transaction((tx) => tx.outbox.add({ ...entry, deliveries }))
      await storage.queue.record([outcome(await claimOne(storage), delivered)])
      expect(await purgeable(storage)).toBe(1)
      expect(await purge(storage)).toBe(1)
      const waiting = await claimOne(storage, { target: 'wh_2' })
      expect(waiting).toMatchObject({ event_id: 'evt_1', body: '{}' })

      await storage.queue.record([outcome(waiting, delivered)])
      expect(await purgeable(storage)).toBe(2)
      expect(await purge(storage)).toBe(2)
    })

    it('deletes events before both bounds that never had a delivery', async (storage) => {
      await prepare(storage)
      await storage.transaction(async (tx) => {
        for (const [name, ms] of Object.entries({ before: 10 * day - 1, at: 10 * day, later: 60 * day - 1 })) {
          const entry = { id: `evt_${name}`, account_id: 'ours', event: 'sav.created', body: '{}' }
          await tx.outbox.add({ ...entry, created_at: instant(ms), deliveries: [] })
        }
      })
      expect(await purgeable(storage)).toBe(1)
      expect(await purge(storage)).toBe(1)
      expect(await purgeable(storage)).toBe(0)
      // Events must be older than both bounds, whichever of them is earlier.
      const swapped = { ...bounds, deliveredBefore: failedBefore, failedBefore: deliveredBefore }
      expect(await storage.queue.purgeable(swapped)).toBe(0)
      expect(await storage.queue.purge({ ...swapped, limit: 100 })).toBe(0)
    })

    it('deletes up to the limit of deliveries, and of events, in each call until nothing is left', async (storage) => {
      await prepare(storage)
      await addEnded(storage, delivered, { a: 0, b: 1, c: 2 })
      await addEnded(storage, failed, { d: 3, e: 4 })
      let left = await purgeable(storage)
      expect(left).toBe(10)
      for (;;) {
        const before = (await history(storage)).length
        const gone = await purge(storage, 2)
        expect(before - (await history(storage)).length).toBeLessThanOrEqual(2)
        expect(gone).toBeLessThanOrEqual(4)
        left -= gone
        expect(await purgeable(storage)).toBe(left)
        if (gone === 0) break
      }
      expect(left).toBe(0)
      expect(await history(storage)).toEqual([])
    })

    it('serves every account', async (storage) => {
      await twoOwners(storage)
      await addEndpoint(storage, 'ours', 'wh_1')
      await addEndpoint(storage, 'theirs', 'wh_2')
      await addDelivery(storage, { account_id: 'ours', name: 'a', target: 'wh_1' })
      await addDelivery(storage, { account_id: 'theirs', name: 'b', target: 'wh_2' })
      for (const target of ['wh_1', 'wh_2'])
        await storage.queue.record([outcome(await claimOne(storage, { target }), delivered)])
      expect(await purge(storage)).toBe(4)
      expect(await storage.reads.deliveries.find('theirs', 'dlv_b')).toBeNull()
    })
  })

  describe('counts of the queue', () => {
    it('are the numbers in each state, over all accounts', async (storage) => {
      expect(await storage.queue.counts()).toEqual({ pending: 0, delivered: 0, failed: 0 })
      await twoOwners(storage)
      await addEndpoint(storage, 'ours', 'wh_1')
      await addEndpoint(storage, 'theirs', 'wh_2')
      await storage.transaction(async (tx) => {
        for (const name of ['a', 'b', 'c']) await enqueue(tx, { account_id: 'ours', name, target: 'wh_1' })
        for (const name of ['d', 'e', 'f']) await enqueue(tx, { account_id: 'theirs', name, target: 'wh_2' })
      })
      expect(await storage.queue.counts()).toEqual({ pending: 6, delivered: 0, failed: 0 })
      await storage.queue.record((await claim(storage, { limit: 2 })).map((taken) => outcome(taken, delivered)))
      await storage.queue.record((await claim(storage, { limit: 1 })).map((taken) => outcome(taken, failed)))
      await storage.queue.record((await claim(storage, { target: 'wh_2', limit: 1 })).map((taken) => outcome(taken)))
      // A delivery in an attempt is pending.
      await claim(storage, { target: 'wh_2', limit: 1 })
      expect(await storage.queue.counts()).toEqual({ pending: 3, delivered: 2, failed: 1 })
    })
  })
}
